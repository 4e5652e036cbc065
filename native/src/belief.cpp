// The belief about others' discards, computed once per task (belief.hpp).
#include "triptych/learn/belief.hpp"

#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "triptych/learn/exponential.hpp"
#include "triptych/learn/last_draw_value.hpp"
#include "triptych/learn/next_street.hpp"
#include "triptych/learn/opponent_thresholds.hpp"

namespace triptych::learn {

// The learned value without its foul term: players who search foul less often.
struct Belief::ValueWithoutFouls {
    const ValueFunction& value;
    const FeatureMap& map() const { return value.map(); }
    float points(std::uint32_t entry) const { return value.points(entry) - value.foul_points(entry); }
};

// The decision of a hand on a street and the placement that was observed.
class Belief::ObservedPlacement {
public:
    ObservedPlacement(Belief& belief, const SearchTask& task, const Edge& edge, bool thorough = false)
        : belief_(belief), street_(edge.street), dealt_(belief.shape_.dealt[street_]),
          temperature_(task.temperature[street_] * belief.settings().temperature_factor), strengths_(belief.strengths_), weights_(belief.value_.weights()),
          last_draw_(belief.rules_, strengths_, weights_) {
        const BoardInPlay& whole = task.hands[edge.hand].board;
        CardSet own = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < edge.to[row]; ++i) {
                const Card card = whole.cards[row_start[row] + i];
                own |= bit(card);
                if (i < edge.from[row]) {
                    board_.cards[row_start[row] + i] = card;
                    board_.rows[row].add(card);
                } else {
                    chosen_.row[row] |= static_cast<std::uint8_t>(1U << count_);
                    cards_[count_++] = card;
                }
            }
        }
        // Hands act in deal order on every street.
        live_ = ((CardSet{1} << belief.shape_.deck) - 1) & ~own;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (h != edge.hand) live_ &= ~placed_cards(task.hands[h].board, belief.row_sizes_[h][street_ + (h < edge.hand ? 1 : 0)]);
        }
        for (const Placement& placement : placements(dealt_, belief.shape_.placed[street_])) {
            if (is_placeable(board_.rows, placement)) options_.emplace_back(placement);
        }
        const bool many = belief.has_discard(street_) && std::popcount(live_) > static_cast<int>(max_street_cards) + 2;
        enumerates_draws_ = many && street_ + 2 == belief.shape_.streets && LastDrawValue::is_enumerable(belief.shape_, street_);
        looks_ahead_ = many && thorough && street_ + 2 < belief.shape_.streets;
        if (enumerates_draws_ && belief.thorough_) apply_opponent_thresholds(task, edge.hand);
    }

    // Likelihood of the observed placement, given the discarded `third` card and an `earlier_discard`.
    double chance(Card third, CardSet earlier_discard = 0) {
        if (cards_[count_] != third) {
            for (Option& option : options_) option.with_third.reset();
        }
        cards_[count_] = third;
        return chance(live_ & ~(bit(third) | earlier_discard), earlier_discard & ~bit(third));
    }

    double chance() { return chance(live_, 0); }

private:
    // Sets the thresholds by the others' boards as they were then.
    void apply_opponent_thresholds(const SearchTask& task, std::size_t hand) {
        std::array<BoardInPlay, max_hands> others;
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (h == hand) continue;
            const BoardInPlay& whole = task.hands[h].board;
            const Counts& lay = belief_.row_sizes_[h][street_ + (h < hand ? 1 : 0)];
            BoardInPlay& board = others[count++];
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::size_t i = row_start[row]; i < row_start[row] + lay[row]; ++i) {
                    board.cards[i] = whole.cards[i];
                    board.rows[row].add(whole.cards[i]);
                }
            }
        }
        adjust_thresholds(belief_.rules_, std::span(others).first(count), strengths_, weights_);
    }

    struct Option {
        explicit Option(const Placement& tried) : placement(tried) {}
        Placement placement;
        float worth = 0;
        std::unique_ptr<BestPairInTriples> without_third{};  // last draws after discarding the third card, any of the live ones
        std::unique_ptr<BestPairInTriples> with_third{};     // last draws after placing the third card
    };

    double chance(CardSet live, CardSet earlier_discard) {
        if (!(temperature_ > 0)) return 1;
        const bool last = street_ + 1 == belief_.shape_.streets;
        const ValueWithoutFouls value_without_fouls{belief_.value_};
        const RowCache table(value_without_fouls, board_.rows, cards_.data(), last ? 0 : dealt_, belief_.shape_.placed[street_], LiveCards(live));
        Option* mine = nullptr;
        float best_worth = 0;
        for (Option& option : options_) {
            if (last) {
                BoardInPlay done = board_;
                done.place(option.placement, cards_.data(), dealt_);
                option.worth = final_points(belief_.value_.weights(), belief_.rules_, belief_.strengths_, board_values(belief_.rules_, done.cards.data()));
            } else {
                option.worth = table.points(value_without_fouls, option.placement);
            }
            if (option.placement.row == chosen_.row) mine = &option;
            if (&option == options_.data() || option.worth > best_worth) best_worth = option.worth;
        }
        if (looks_ahead_ && earlier_discard == 0) look_ahead(value_without_fouls, live, best_worth - belief_.settings().close_margin, *mine);
        const float own = enumerates_draws_ ? value_over_draws(*mine, earlier_discard) : mine->worth;
        double sum = 1;
        for (Option& option : options_) {
            if (&option == mine) continue;
            const bool close = enumerates_draws_ && option.worth >= best_worth - belief_.settings().close_margin;
            sum += static_cast<double>(exponential((close ? value_over_draws(option, earlier_discard) - own : option.worth - mine->worth) / temperature_));
        }
        return static_cast<double>(min_likelihood) + 1 / sum;
    }

    // Mixes the lookahead value into the values of the observed placement and of those worth `least` or more. The others keep
    // their distance to the observed one: one draw later all boards may be worth more, or all less.
    void look_ahead(const ValueWithoutFouls& value_without_fouls, CardSet live, float least, const Option& mine) {
        const float before = mine.worth;
        std::vector<Option*> close;
        std::vector<BoardInPlay> boards;
        for (Option& option : options_) {
            if (option.worth < least && &option != &mine) continue;
            close.push_back(&option);
            boards.push_back(board_);
            boards.back().place(option.placement, cards_.data(), dealt_);
        }
        std::vector<float> sum(close.size());
        DrawSampler next(live, belief_.shape_.dealt[street_ + 1], Random(live_, street_));
        NextStreetValue then(value_without_fouls, belief_.shape_, street_ + 1, boards);
        for (int draw = 0; draw < Belief::lookahead_draws; ++draw) {
            const Card* cards = next.next();
            then.draw(cards, LiveCards(next.left()), [&](std::size_t i, float points) { sum[i] += points; });
        }
        for (std::size_t i = 0; i < close.size(); ++i)
            close[i]->worth = interpolate(close[i]->worth, sum[i] / static_cast<float>(lookahead_draws), lookahead_weight);
        for (Option& option : options_) {
            if (std::ranges::find(close, &option) == close.end()) option.worth += mine.worth - before;
        }
    }

    static float interpolate(float learned, float later, float share) { return learned + share * (later - learned); }

    // The learned value mixed with the mean over all last draws.
    float value_over_draws(Option& option, CardSet earlier_discard) {
        const CardSet third = bit(cards_[count_]);
        const bool placed = ((option.placement.row[0] | option.placement.row[1] | option.placement.row[2]) >> count_ & 1U) != 0;
        const CardSet cards_to_come = placed ? live_ & ~third : live_;
        const auto at = [&](CardSet card) { return static_cast<std::size_t>(std::popcount(cards_to_come & (card - 1))); };
        const auto laid = [&] {
            BoardInPlay done = board_;
            done.place(option.placement, cards_.data(), dealt_);
            return done;
        };
        double mean = 0;
        if (placed && earlier_discard == 0) {
            mean = last_draw_.expect(laid(), cards_to_come, true);
        } else {
            std::unique_ptr<BestPairInTriples>& triples = placed ? option.with_third : option.without_third;
            if (triples == nullptr) triples = last_draw_.excludable_draws(laid(), cards_to_come);
            mean = placed                 ? triples->mean_without(at(earlier_discard))
                   : earlier_discard == 0 ? triples->mean_without(at(third))
                                          : triples->mean_without(at(third), at(earlier_discard));
        }
        return interpolate(option.worth, static_cast<float>(mean), belief_.settings().draw_weight);
    }

    Belief& belief_;
    std::size_t street_;
    std::size_t dealt_;
    float temperature_;
    BoardInPlay board_;
    std::array<Card, max_street_cards> cards_{};
    std::size_t count_ = 0;
    Placement chosen_;
    CardSet live_ = 0;
    bool enumerates_draws_ = false;  // only one draw follows the street
    bool looks_ahead_ = false;       // uses a sampled lookahead
    StrengthThresholds strengths_;   // of the boards that were visible then
    Outcomes weights_;
    LastDrawValue last_draw_;
    std::vector<Option> options_;
};

void Belief::update(const SearchTask& task, bool cards_to_come, bool thorough) {
    thorough_ = thorough;
    is_current_ = true;
    hands_.clear();
    edges_.clear();
    count_ = 0;
    if (!cards_to_come) return;
    for (CardSet left = task.unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
    if (hidden_count(task) == 0 || needed(task) + hidden_count(task) > count_) return;
    // First pass, before histories are known: all cards count as seen.
    for (std::size_t h = 0; h < task.count; ++h) row_sizes_[h].fill(sizes(task.hands[h].board));
    RowSizesByStreet likely{};
    probe_count_ = 1;
    for (std::size_t h = 0; h < task.count; ++h) likely[h] = likeliest_history(task, h);
    row_sizes_ = likely;
    edges_.clear();
    probe_count_ = probe_cards;
    for (std::size_t h = 0; h < task.count; ++h) {
        if (has_hidden_discards(task, h)) sample_histories(task, h);
    }
}

std::vector<Belief::Slot> Belief::slots() const {
    std::vector<Slot> result;
    for (const HandHistories& histories : hands_) {
        for (std::size_t s = 0; s < histories.history.front().size(); ++s) {
            Slot slot{histories.hand, histories.history.front()[s].street, {}};
            for (const std::vector<DiscardDistribution>& history : histories.history) {
                const std::vector<float>& sum = history[s].sum;
                const float share = 1 / (sum.back() * static_cast<float>(histories.history.size()));
                for (std::size_t i = 0; i < count_; ++i) slot.chance[card_[i]] += share * (sum[i] - (i == 0 ? 0 : sum[i - 1]));
            }
            result.push_back(slot);
        }
    }
    return result;
}

std::array<Belief::Counts, max_streets + 1> Belief::likeliest_history(const SearchTask& task, std::size_t h) {
    std::array<Counts, max_streets + 1> result{};
    const KnownHand& hand = task.hands[h];
    const std::size_t done = hand.streets_done;
    if (hand.fantasyland_cards > 0 || done == 0) return result;
    std::vector<Path> paths;
    find_paths(task, h, sizes(hand.board), done, {1, {}}, paths);
    const auto best = std::max_element(paths.begin(), paths.end(), [](const Path& a, const Path& b) { return a.weight < b.weight; });
    for (std::size_t s = 0; s <= max_streets; ++s) result[s] = best->counts[std::min(s, done)];
    return result;
}

void Belief::sample_histories(const SearchTask& task, std::size_t h) {
    const BoardInPlay& board = task.hands[h].board;
    const Counts whole = sizes(board);
    std::vector<Path> paths;
    find_paths(task, h, whole, task.hands[h].streets_done, {1, {}}, paths);
    double all = 0;
    for (const Path& path : paths) all += path.weight;
    HandHistories histories{h};
    Random random(task.unseen, h);
    const std::size_t drawn = paths.size() == 1 ? 1 : max_histories;
    for (std::size_t k = 0; k < drawn; ++k) {
        double left = (static_cast<double>(k) + random.unit()) / static_cast<double>(drawn) * all;
        std::size_t p = 0;
        while (p + 1 < paths.size() && (left -= paths[p].weight) > 0) ++p;
        histories.history.push_back(discard_distributions(task, paths[p].edges));
    }
    hands_.push_back(std::move(histories));
}

void Belief::find_paths(const SearchTask& task, std::size_t h, const Counts& to, std::size_t streets, const Path& so_far, std::vector<Path>& result) {
    if (streets == 0) {
        Path path = so_far;
        std::reverse(path.edges.begin(), path.edges.end());
        result.push_back(std::move(path));
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
            if (!is_possible(task.hands[h], street, from)) continue;
            const std::size_t edge = edge_of(task, h, street, from, to);
            Path path = so_far;
            path.counts[streets] = to;
            path.weight *= edges_[edge].weight;
            if (has_discard(street)) path.edges.push_back(edge);
            find_paths(task, h, from, street, path, result);
        }
    }
}

std::size_t Belief::edge_of(const SearchTask& task, std::size_t h, std::size_t street, const Counts& from, const Counts& to) {
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        const Edge& edge = edges_[e];
        if (edge.hand == h && edge.street == street && edge.from == from && edge.to == to) return e;
    }
    Edge edge{h, street, from, to};
    ObservedPlacement choice(*this, task, edge);
    if (has_discard(street)) {
        for (std::size_t i = 0; i < probe_count_; ++i)
            edge.weight += choice.chance(card_[(2 * i + 1) * count_ / (2 * probe_count_)]) / static_cast<double>(probe_count_);
    } else {
        edge.weight = choice.chance();
    }
    edges_.push_back(std::move(edge));
    return edges_.size() - 1;
}

std::vector<Belief::DiscardDistribution> Belief::discard_distributions(const SearchTask& task, const History& history) {
    std::vector<DiscardDistribution> result;
    for (std::size_t s = 0; s < history.size(); ++s) compute_likelihoods(task, edges_[history[s]], s > 0);
    for (std::size_t s = 0; s < history.size(); ++s) {
        DiscardDistribution distribution{edges_[history[s]].street};
        float sum = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            float chance = edges_[history[s]].chance[i];
            for (std::size_t later = s + 1; later < history.size(); ++later) chance *= edges_[history[later]].later[i];
            distribution.sum.push_back(sum += chance);
        }
        result.push_back(std::move(distribution));
    }
    return result;
}

void Belief::compute_likelihoods(const SearchTask& task, Edge& edge, bool later) {
    ObservedPlacement choice(*this, task, edge, thorough_);
    for (std::size_t i = edge.chance.size(); i < count_; ++i) edge.chance.push_back(static_cast<float>(choice.chance(card_[i])));
    if (!later || !edge.later.empty()) return;
    // The third card of the later street is unknown too. Using only the likeliest one underrated missing cards.
    std::vector<float> sum;
    for (const float chance : edge.chance) sum.push_back(chance + (sum.empty() ? 0 : sum.back()));
    edge.later.assign(count_, 0);
    const std::size_t third_cards = settings().third_cards;
    for (std::size_t k = 0; k < third_cards; ++k) {
        const float at = (static_cast<float>(k) + 0.5F) / static_cast<float>(third_cards) * sum.back();
        const auto third = static_cast<std::size_t>(std::upper_bound(sum.begin(), sum.end() - 1, at) - sum.begin());
        for (std::size_t i = 0; i < count_; ++i) {
            edge.later[i] += static_cast<float>(choice.chance(card_[third], bit(card_[i]))) / (edge.chance[third] * static_cast<float>(third_cards));
        }
    }
}

}  // namespace triptych::learn
