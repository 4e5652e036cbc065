// What the other hands have thrown away: cards that the searching player does not see and that will not come any more.
//
// A hand that was dealt three cards and placed two chose among all ways to do so. For each card that may have been the
// third, the learned value says how likely that choice was: a softmax over all placements, with a temperature that is
// fitted to played deals (bench/belief.py). Before a hand's last draw, where it still can be counted, half of that value is
// what the board is worth on average over all draws: who searches sees that too. By Bayes' rule that is how likely each card
// lies among its discards. It needs what lies open alone: true discards have no way in here. With `care`, which takes twelve
// times as long, that share is larger and the rows are held against what lay on the other boards; on streets before, the same is taken of many
// draws of the next one; and players are taken for less free.
//
// At a table one sees which cards came on which street. A position that is only written down says no more than the order
// within each row: then the histories that lead to the board are weighed by the same rule, and some of them drawn; what lay
// on other boards when a hand chose is taken from the likeliest history of each. The cards that a hand in fantasyland holds say nothing before they are shown: they are
// any of those that are left.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "triptych/learn/ahead.hpp"
#include "triptych/learn/exponential.hpp"
#include "triptych/learn/last_draw.hpp"
#include "triptych/learn/playout.hpp"
#include "triptych/learn/rivals.hpp"

namespace triptych::learn {

class Belief {
public:
    // Found by bench/belief.py, like the temperatures.
    static constexpr std::size_t kept = 16;     // histories of a hand, drawn by their weight
    static constexpr std::size_t probes = 4;    // third cards by which histories are weighed
    static constexpr float slip = 0.0005F;      // how likely any choice is, however bad
    static constexpr int draws = 112;           // of the next street, looked at with care
    static constexpr float foreseen = 0.8F;     // share of what a placement is worth after them

    // What else depends on whether there is time for care.
    struct Manner {
        std::size_t thirds;  // third cards of a later choice, spread over what is likely
        float near;          // points behind the best, then the learned value is trusted
        float counted;       // share of what a placement is worth on average over all last draws
        float heat;          // times the temperature
    };
    static constexpr Manner quick = {4, 1.5F, 0.5F, 1};
    static constexpr Manner careful = {16, 4, 0.75F, 0.9F};

    static constexpr int most_tries = 1'000;  // until the hands' discards are different cards
    using Chances = std::array<float, deck_size + 2>;  // by card

    // Of the hand's street from 0: how likely it threw away each card there.
    struct Slot {
        std::size_t hand;
        std::size_t street;
        Chances chance;
    };

    Belief(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths) {}

    // Begins with a table; unless cards are still to `come`, nothing is believed.
    void look(const SearchTask& task, bool come = true, bool care = false) {
        care_ = care;
        looked_ = true;
        hands_.clear();
        edges_.clear();
        count_ = 0;
        if (!come) return;
        for (CardSet left = task.unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
        if (hidden(task) == 0 || needed(task) + hidden(task) > count_) return;
        // As long as it is not known when the cards came, all of them are taken for seen.
        for (std::size_t h = 0; h < task.count; ++h) lay_[h].fill(sizes(task.hands[h].board));
        Lay likely{};
        tried_ = 1;
        for (std::size_t h = 0; h < task.count; ++h) likely[h] = likeliest(task, h);
        lay_ = likely;
        edges_.clear();
        tried_ = probes;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (hides(task, h)) remember(task, h);
        }
    }

    void forget() { looked_ = false; }
    bool looked() const { return looked_; }

    // Whether nobody threw away anything that the searching player has not seen, or nothing is believed of it.
    bool empty() const { return hands_.empty(); }

    // What each hand threw away, one draw of it all.
    std::array<CardSet, max_hands> draw(Random& random) const {
        std::array<CardSet, max_hands> found{};
        for (int tries = 0; tries < most_tries; ++tries) {
            if (draw_apart(random, found)) return found;
        }
        return draw_in_turn(random);
    }

    // The same as numbers, street by street, as if each street's discard were drawn alone.
    std::vector<Slot> slots() const {
        std::vector<Slot> found;
        for (const Memory& memory : hands_) {
            for (std::size_t s = 0; s < memory.history.front().size(); ++s) {
                Slot slot{memory.hand, memory.history.front()[s].street, {}};
                for (const std::vector<Thrown>& history : memory.history) {
                    const std::vector<float>& sum = history[s].sum;
                    const float share = 1 / (sum.back() * static_cast<float>(memory.history.size()));
                    for (std::size_t i = 0; i < count_; ++i) slot.chance[card_[i]] += share * (sum[i] - (i == 0 ? 0 : sum[i - 1]));
                }
                found.push_back(slot);
            }
        }
        return found;
    }

private:
    using Counts = std::array<std::size_t, row_count>;  // how many cards of each row lie there
    using History = std::vector<std::size_t>;           // edges of the streets with a discard, in order

    // A street of a hand, from what lay there before to what lay there then.
    struct Edge {
        std::size_t hand;
        std::size_t street;
        Counts from;
        Counts to;
        double weight = 0;            // how likely such a choice is
        std::vector<float> chance{};  // with each unseen card thrown away
        std::vector<float> later{};   // so many times as likely where each unseen card was thrown away before
    };

    // A discard of a history: the chances of the unseen cards, added up to each.
    struct Thrown {
        std::size_t street;
        std::vector<float> sum{};
    };

    struct Memory {
        std::size_t hand;
        std::vector<std::vector<Thrown>> history{};
    };

    struct Path {
        double weight;
        History edges;
        std::array<Counts, max_streets + 1> counts{};  // after so many streets
    };

    using Lay = std::array<std::array<Counts, max_streets + 1>, max_hands>;  // of each hand, after so many streets

    const Manner& manner() const { return care_ ? careful : quick; }

    bool throws_away(std::size_t street) const { return shape_.dealt[street] == shape_.placed[street] + 1; }

    bool hides(const SearchTask& task, std::size_t h) const {
        if (h == task.me || task.hands[h].land_cards > 0) return false;
        for (std::size_t s = 0; s < task.hands[h].streets_done; ++s) {
            if (throws_away(s) && task.temperature[s] > 0) return true;
        }
        return false;
    }

    std::size_t hidden(const SearchTask& task) const {
        std::size_t cards = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            for (std::size_t s = 0; hides(task, h) && s < task.hands[h].streets_done; ++s) cards += throws_away(s);
        }
        return cards;
    }

    // Cards that are still to be dealt to somebody.
    std::size_t needed(const SearchTask& task) const {
        std::size_t cards = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            const SearchHand& hand = task.hands[h];
            if (h != task.me) cards += still_dealt(shape_, hand, hand.streets_done);
            else if (hand.land_cards == 0) cards += still_dealt(shape_, hand, task.street + 1);
        }
        return cards;
    }

    static CardSet lying(const PlayedBoard& board, const Counts& counts) {
        CardSet cards = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < counts[row]; ++i) cards |= bit(board.cards[row_start[row] + i]);
        }
        return cards;
    }

    static Counts sizes(const PlayedBoard& board) { return {board.rows[front_row].size, board.rows[middle_row].size, board.rows[back_row].size}; }

    // How many cards lay in each row after so many streets, by the likeliest history of a board.
    std::array<Counts, max_streets + 1> likeliest(const SearchTask& task, std::size_t h) {
        std::array<Counts, max_streets + 1> found{};
        const SearchHand& hand = task.hands[h];
        const std::size_t done = hand.streets_done;
        if (hand.land_cards > 0 || done == 0) return found;
        std::vector<Path> paths;
        walk(task, h, sizes(hand.board), done, {1, {}}, paths);
        const auto best = std::max_element(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.weight < b.weight; });
        for (std::size_t s = 0; s <= max_streets; ++s) found[s] = best->counts[std::min(s, done)];
        return found;
    }

    // Weighs the histories of a hand and draws some.
    void remember(const SearchTask& task, std::size_t h) {
        const PlayedBoard& board = task.hands[h].board;
        const Counts whole = sizes(board);
        std::vector<Path> paths;
        walk(task, h, whole, task.hands[h].streets_done, {1, {}}, paths);
        double all = 0;
        for (const Path& path : paths) all += path.weight;
        Memory memory{h};
        Random random(task.unseen, h);
        const std::size_t drawn = paths.size() == 1 ? 1 : kept;
        for (std::size_t k = 0; k < drawn; ++k) {
            double left = (static_cast<double>(k) + random.unit()) / static_cast<double>(drawn) * all;
            std::size_t p = 0;
            while (p + 1 < paths.size() && (left -= paths[p].weight) > 0) ++p;
            memory.history.push_back(thrown(task, paths[p].edges));
        }
        hands_.push_back(std::move(memory));
    }

    // Goes back from what lies there after so many streets to the empty board, in every way.
    void walk(const SearchTask& task, std::size_t h, const Counts& to, std::size_t streets, const Path& so_far, std::vector<Path>& found) {
        if (streets == 0) {
            Path path = so_far;
            std::reverse(path.edges.begin(), path.edges.end());
            found.push_back(std::move(path));
            return;
        }
        const std::size_t street = streets - 1;
        const std::size_t placed = shape_.placed[street];
        const std::size_t lie = to[0] + to[1] + to[2];
        for (std::size_t front = 0; front <= std::min(placed, to[0]); ++front) {
            for (std::size_t middle = 0; middle <= std::min(placed - front, to[1]); ++middle) {
                const std::size_t back = placed - front - middle;
                if (back > to[2] || (street == 0 && lie != placed)) continue;
                const Counts from = {to[0] - front, to[1] - middle, to[2] - back};
                if (!may_lie(task.hands[h], street, from)) continue;
                const std::size_t edge = edge_of(task, h, street, from, to);
                Path path = so_far;
                path.counts[streets] = to;
                path.weight *= edges_[edge].weight;
                if (throws_away(street)) path.edges.push_back(edge);
                walk(task, h, from, street, path, found);
            }
        }
    }

    // Whether a hand's rows may have been of such sizes before a street.
    static bool may_lie(const SearchHand& hand, std::size_t street, const Counts& sizes) {
        return !hand.in_order || street == 0 || std::ranges::equal(hand.laid[street - 1], sizes);
    }

    std::size_t edge_of(const SearchTask& task, std::size_t h, std::size_t street, const Counts& from, const Counts& to) {
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            const Edge& edge = edges_[e];
            if (edge.hand == h && edge.street == street && edge.from == from && edge.to == to) return e;
        }
        Edge edge{h, street, from, to};
        Choice choice(*this, task, edge);
        if (throws_away(street)) {
            for (std::size_t i = 0; i < tried_; ++i) edge.weight += choice.chance(card_[(2 * i + 1) * count_ / (2 * tried_)]) / static_cast<double>(tried_);
        } else {
            edge.weight = choice.chance();
        }
        edges_.push_back(std::move(edge));
        return edges_.size() - 1;
    }

    // Who threw a card away does not go on as if it might come: later choices tell of a discard, too.
    std::vector<Thrown> thrown(const SearchTask& task, const History& history) {
        std::vector<Thrown> found;
        for (std::size_t s = 0; s < history.size(); ++s) weigh(task, edges_[history[s]], s > 0);
        for (std::size_t s = 0; s < history.size(); ++s) {
            Thrown one{edges_[history[s]].street};
            float sum = 0;
            for (std::size_t i = 0; i < count_; ++i) {
                float chance = edges_[history[s]].chance[i];
                for (std::size_t later = s + 1; later < history.size(); ++later) chance *= edges_[history[later]].later[i];
                one.sum.push_back(sum += chance);
            }
            found.push_back(std::move(one));
        }
        return found;
    }

    void weigh(const SearchTask& task, Edge& edge, bool later) {
        Choice choice(*this, task, edge, care_);
        for (std::size_t i = edge.chance.size(); i < count_; ++i) edge.chance.push_back(static_cast<float>(choice.chance(card_[i])));
        if (!later || !edge.later.empty()) return;
        // Which card was the third is not known then either; by the likeliest alone, cards that are missing seemed to matter too little.
        std::vector<float> sum;
        for (const float chance : edge.chance) sum.push_back(chance + (sum.empty() ? 0 : sum.back()));
        edge.later.assign(count_, 0);
        const std::size_t thirds = manner().thirds;
        for (std::size_t k = 0; k < thirds; ++k) {
            const float at = (static_cast<float>(k) + 0.5F) / static_cast<float>(thirds) * sum.back();
            const auto third = static_cast<std::size_t>(std::upper_bound(sum.begin(), sum.end() - 1, at) - sum.begin());
            for (std::size_t i = 0; i < count_; ++i) {
                edge.later[i] += static_cast<float>(choice.chance(card_[third], bit(card_[i]))) / (edge.chance[third] * static_cast<float>(thirds));
            }
        }
    }

    // Each discard for itself; whether all are different cards.
    bool draw_apart(Random& random, std::array<CardSet, max_hands>& found) const {
        CardSet all = 0;
        found = {};
        for (const Memory& memory : hands_) {
            for (const Thrown& thrown : memory.history[random.below(static_cast<std::uint32_t>(memory.history.size()))]) {
                const CardSet card = bit(card_[pick(thrown, random)]);
                if ((all & card) != 0) return false;
                all |= card;
                found[memory.hand] |= card;
            }
        }
        return true;
    }

    // Where nearly all unseen cards are discards: each is drawn of those that are left.
    std::array<CardSet, max_hands> draw_in_turn(Random& random) const {
        std::array<CardSet, max_hands> found{};
        CardSet all = 0;
        for (const Memory& memory : hands_) {
            for (const Thrown& thrown : memory.history.front()) {
                std::size_t at = pick(thrown, random);
                while ((all & bit(card_[at])) != 0) at = (at + 1) % count_;
                all |= bit(card_[at]);
                found[memory.hand] |= bit(card_[at]);
            }
        }
        return found;
    }

    static std::size_t pick(const Thrown& thrown, Random& random) {
        const auto at = static_cast<float>(random.unit()) * thrown.sum.back();
        const auto found = std::upper_bound(thrown.sum.begin(), thrown.sum.end() - 1, at);
        return static_cast<std::size_t>(found - thrown.sum.begin());
    }

    // The learned value without its fear of fouls, which players who search do not share.
    struct Calm {
        const ValueTables& value;
        const FeatureMap& map() const { return value.map(); }
        float points(std::uint32_t entry) const { return value.points(entry) - value.fear(entry); }
    };

    // What a hand was asked on a street, and what it answered.
    class Choice {
    public:
        Choice(Belief& belief, const SearchTask& task, const Edge& edge, bool care = false)
            : belief_(belief), street_(edge.street), dealt_(belief.shape_.dealt[street_]), temperature_(task.temperature[street_] * belief.manner().heat),
              strengths_(belief.strengths_), weights_(belief.value_.weights()), last_draw_(belief.rules_, strengths_, weights_) {
            const PlayedBoard& whole = task.hands[edge.hand].board;
            CardSet own = 0;
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::size_t i = 0; i < edge.to[row]; ++i) {
                    const Card card = whole.cards[row_start[row] + i];
                    own |= bit(card);
                    if (i < edge.from[row]) {
                        board_.cards[row_start[row] + i] = card;
                        board_.rows[row].add(card);
                    } else {
                        answer_.row[row] |= static_cast<std::uint8_t>(1U << count_);
                        cards_[count_++] = card;
                    }
                }
            }
            // Hands act in their order on every street.
            live_ = ((CardSet{1} << belief.shape_.deck) - 1) & ~own;
            for (std::size_t h = 0; h < task.count; ++h) {
                if (h != edge.hand) live_ &= ~lying(task.hands[h].board, belief.lay_[h][street_ + (h < edge.hand ? 1 : 0)]);
            }
            for (const Placement& placement : placements(dealt_, belief.shape_.placed[street_])) {
                if (fits(board_.rows, placement)) options_.emplace_back(placement);
            }
            const bool many = belief.throws_away(street_) && std::popcount(live_) > static_cast<int>(max_street_cards) + 2;
            counts_ = many && street_ + 2 == belief.shape_.streets && LastDraw::counts(belief.shape_, street_);
            looks_ = many && care && street_ + 2 < belief.shape_.streets;
            if (counts_ && belief.care_) hold(task, edge.hand);
        }

        // How likely the answer is, the `third` card having been thrown away, and those that were `gone` before.
        double chance(Card third, CardSet gone = 0) {
            if (cards_[count_] != third) {
                for (Option& option : options_) option.with_third.reset();
            }
            cards_[count_] = third;
            return chance(live_ & ~(bit(third) | gone), gone & ~bit(third));
        }

        double chance() { return chance(live_, 0); }

    private:
        // Its rows are held against the others' boards as they lay then.
        void hold(const SearchTask& task, std::size_t hand) {
            std::array<PlayedBoard, max_hands> others;
            std::size_t count = 0;
            for (std::size_t h = 0; h < task.count; ++h) {
                if (h == hand) continue;
                const PlayedBoard& whole = task.hands[h].board;
                const Counts& lay = belief_.lay_[h][street_ + (h < hand ? 1 : 0)];
                PlayedBoard& board = others[count++];
                for (std::size_t row = 0; row < row_count; ++row) {
                    for (std::size_t i = row_start[row]; i < row_start[row] + lay[row]; ++i) {
                        board.cards[i] = whole.cards[i];
                        board.rows[row].add(whole.cards[i]);
                    }
                }
            }
            hold_against(belief_.rules_, std::span(others).first(count), strengths_, weights_);
        }

        struct Option {
            explicit Option(const Placement& one) : placement(one) {}
            Placement placement;
            float worth = 0;
            std::unique_ptr<Threes> without_third{};  // its last draws, the third card thrown away: any of the live ones
            std::unique_ptr<Threes> with_third{};     // and with the third card placed
        };

        double chance(CardSet live, CardSet gone) {
            if (!(temperature_ > 0)) return 1;
            const bool last = street_ + 1 == belief_.shape_.streets;
            const Calm calm{belief_.value_};
            const RowTable table(calm, board_.rows, cards_.data(), last ? 0 : dealt_, belief_.shape_.placed[street_], LiveCards(live));
            Option* mine = nullptr;
            float most = 0;
            for (Option& option : options_) {
                if (last) {
                    PlayedBoard done = board_;
                    done.place(option.placement, cards_.data(), dealt_);
                    option.worth = final_points(belief_.value_.weights(), belief_.rules_, belief_.strengths_, board_values(belief_.rules_, done.cards.data()));
                } else {
                    option.worth = table.points(calm, option.placement);
                }
                if (option.placement.row == answer_.row) mine = &option;
                if (&option == options_.data() || option.worth > most) most = option.worth;
            }
            if (looks_ && gone == 0) look_ahead(calm, live, most - belief_.manner().near, *mine);
            const float own = counts_ ? counted(*mine, gone) : mine->worth;
            double sum = 1;
            for (Option& option : options_) {
                if (&option == mine) continue;
                const bool close = counts_ && option.worth >= most - belief_.manner().near;
                sum += static_cast<double>(exponential((close ? counted(option, gone) - own : option.worth - mine->worth) / temperature_));
            }
            return static_cast<double>(slip) + 1 / sum;
        }

        // Of the answer and of those that are worth at `least` so much, the learned value and that one draw later. The others
        // stay as far from the answer as they were: one draw later all boards may be worth more, or all of them less.
        void look_ahead(const Calm& calm, CardSet live, float least, const Option& mine) {
            const float before = mine.worth;
            std::vector<Option*> close;
            std::vector<PlayedBoard> boards;
            for (Option& option : options_) {
                if (option.worth < least && &option != &mine) continue;
                close.push_back(&option);
                boards.push_back(board_);
                boards.back().place(option.placement, cards_.data(), dealt_);
            }
            std::vector<float> sum(close.size());
            NextDraws next(live, belief_.shape_.dealt[street_ + 1], Random(live_, street_));
            NextStreet then(calm, belief_.shape_, street_ + 1, boards);
            for (int draw = 0; draw < draws; ++draw) {
                const Card* cards = next.next();
                then.draw(cards, LiveCards(next.left()), [&](std::size_t i, float points) { sum[i] += points; });
            }
            for (std::size_t i = 0; i < close.size(); ++i) close[i]->worth = mixed(close[i]->worth, sum[i] / static_cast<float>(draws), foreseen);
            for (Option& option : options_) {
                if (std::ranges::find(close, &option) == close.end()) option.worth += mine.worth - before;
            }
        }

        static float mixed(float learned, float later, float share) { return learned + share * (later - learned); }

        // The learned value and that of all last draws.
        float counted(Option& option, CardSet gone) {
            const CardSet third = bit(cards_[count_]);
            const bool placed = ((option.placement.row[0] | option.placement.row[1] | option.placement.row[2]) >> count_ & 1U) != 0;
            const CardSet come = placed ? live_ & ~third : live_;
            const auto at = [&](CardSet card) { return static_cast<std::size_t>(std::popcount(come & (card - 1))); };
            const auto laid = [&] {
                PlayedBoard done = board_;
                done.place(option.placement, cards_.data(), dealt_);
                return done;
            };
            double mean = 0;
            if (placed && gone == 0) {
                mean = last_draw_.expect(laid(), come, true);
            } else {
                std::unique_ptr<Threes>& draws = placed ? option.with_third : option.without_third;
                if (draws == nullptr) draws = last_draw_.apart(laid(), come);
                mean = placed ? draws->mean_without(at(gone)) : gone == 0 ? draws->mean_without(at(third)) : draws->mean_without(at(third), at(gone));
            }
            return mixed(option.worth, static_cast<float>(mean), belief_.manner().counted);
        }

        Belief& belief_;
        std::size_t street_;
        std::size_t dealt_;
        float temperature_;
        PlayedBoard board_;
        std::array<Card, max_street_cards> cards_{};
        std::size_t count_ = 0;
        Placement answer_;
        CardSet live_ = 0;
        bool counts_ = false;  // whether what is left after the street is one draw
        bool looks_ = false;   // whether some draws of the next street are looked at
        Strengths strengths_;  // what its rows had to beat
        Outcomes weights_;
        LastDraw last_draw_;
        std::vector<Option> options_;
    };

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    std::array<Card, deck_size + 2> card_{};  // unseen
    std::size_t count_ = 0;
    Lay lay_{};
    std::size_t tried_ = probes;  // third cards by which edges are weighed
    bool care_ = false;
    bool looked_ = false;
    std::vector<Edge> edges_;
    std::vector<Memory> hands_;
};

}  // namespace triptych::learn
