// A deal played to its end from a decision on: one random order of the unseen cards, what the other players do with
// it, and the searching player's streets after a placement. Everyone chooses by the learned value; the hand that
// acts last of all knows every board and takes the best that the rules pay.
//
// The others' choices do not depend on the placement that is tried (its discard apart, a card that they do not see),
// so they are made once an order and shared by all placements. They see no card that the searching player throws away; which
// one of a street that is, and of the one in question, is not known before it is placed: any of its cards is taken.
//
// An order may be played in several turns: the cards of the later streets go round, so that in each turn every hand gets
// those that its neighbour had in the one before. Each turn by itself is a deal like any other; what is luck for one hand
// is bad luck for the next, so that the mean over the turns varies far less than that of as many deals, and what comes
// before those streets is played once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "triptych/learn/land_setter.hpp"
#include "triptych/learn/last_draw.hpp"
#include "triptych/learn/stacks.hpp"

namespace triptych::learn {

// What others who answer a first street by a search instead of the learned choice change of the searching player's points
// (bench/answers.py), by how many hands play and how many of them answer: rows, royalties, fouls, fantasylands.
struct FirstAnswers {
    static constexpr std::size_t parts = 4;
    static constexpr std::size_t count = max_hands * (max_hands - 1) / 2;
    using Change = std::array<float, parts>;

    std::array<Change, count> change{};  // nothing where it was not measured

    const Change& of(std::size_t hands, std::size_t answering) const { return change[(hands - 1) * (hands - 2) / 2 + answering - 1]; }
};

struct SearchTask {
    std::array<SearchHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    std::array<Card, most_land_cards> cards{};  // of the street, or of a whole fantasyland
    CardSet unseen = 0;  // cards that the player does not see
    LandValues land_value{};
    std::array<float, max_streets> temperature{};  // of what others choose, by street; 0: nothing is believed of it
    FirstAnswers first_answers;
    Stacks stacks;  // by hand
};

class Playout {
public:
    Playout(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), last_draw_(rules, strengths, value.weights(), true), setter_(rules) {}

    // The hand that acts last of all and so sees every board; `count` = none, or one that a fantasyland hides.
    std::size_t last_to_act(const SearchTask& task) const {
        std::size_t last = task.count;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (task.hands[h].board.complete()) continue;
            if (task.hands[h].land_cards > 0) return task.count;
            last = h;
        }
        return last;
    }

    // Puts the unseen cards into an order and plays the other hands by it; `thrown`: cards that they threw away;
    // `turning`: in as many turns as hands are still dealt cards, else in one. `telling`: what was luck of the last draws is told.
    void deal_out(const SearchTask& task, Random& random, const std::array<CardSet, max_hands>& thrown = {}, bool turning = false, bool telling = false) {
        // With two hands so many cards are left before the last draws that it takes longer than it brings; with jokers, whose rows are
        // slower to read and leave more to other luck, as long.
        telling_ = telling && task.count > 2 && shape_.deck == deck_size && task.street + 1 < shape_.streets && LastDraw::counts(shape_, shape_.streets - 2);
        luck_.fill(0);
        std::size_t size = 0;
        thrown_ = thrown;
        to_come_ = task.unseen;
        for (const CardSet cards : thrown) to_come_ &= ~cards;
        for (CardSet left = to_come_; left != 0; left &= left - 1) order_[size++] = static_cast<Card>(std::countr_zero(left));
        for (std::size_t i = size; i > 1; --i) std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
        last_ = rules_.scoring == static_cast<RulesTable::Int>(RowScoring::first_to_11) ? task.count : last_to_act(task);
        drawn_from_ = size;
        for (std::size_t h = 0; h < task.count; ++h) drawn_from_ -= sets(task, h) ? task.hands[h].land_cards : 0;
        start_.hands = task.hands;
        for (std::size_t h = 0; h < task.count; ++h) {
            PlayedBoard& board = start_.hands[h].board;
            if (board.complete()) board.values = board_values(rules_, board.cards.data());
        }
        start_.own = thrown;
        start_.open = 0;
        start_.shown = 0;
        unseen_by_others_ = task.unseen | kept_back(task, random);
        start_.live.clear();
        start_.last = nullptr;
        start_.ends.clear();
        used_ = 0;
        turns_ = 1;
        fork_ = shape_.streets;
        if (turning) {
            fork_ = std::max(task.street + 1, shape_.streets - (shape_.streets - 1) / 2);
            if (fork_ < shape_.streets) turns_ = std::max<std::size_t>(1, dealt_to(task, fork_));
            if (turns_ == 1) fork_ = shape_.streets;
        }
        std::size_t next = 0;
        play_others(task, start_, task.street, fork_, 0, next);
        const std::size_t forked = next;
        for (std::size_t street = fork_; street < shape_.streets; ++street) next += shape_.dealt[street] * turns_;
        set_lands(task, size, next);
        for (std::size_t turn = 0; fork_ < shape_.streets && turn < turns_; ++turn) {
            next = forked;
            turned_[turn] = start_;
            play_others(task, turned_[turn], fork_, shape_.streets, turn, next);
        }
        for (std::size_t h = 0; h < task.count; ++h) used_ |= h == task.me ? 0 : start_.own[h];
    }

    // All hands after the searching player's placement has been played to the end by the order.
    std::array<SearchHand, max_hands> finish(const SearchTask& task, const Placement& placement) {
        return finish(task, placement, [](std::size_t, const PlayedBoard&) {});
    }

    // `told(street, board)` sees the searching player's board after each street. Of an order that is played in one turn.
    template <typename Told>
    std::array<SearchHand, max_hands> finish(const SearchTask& task, const Placement& placement, const Told& told) {
        std::array<SearchHand, max_hands> hands = start_.hands;
        luck_[task.me] = 0;
        PlayedBoard& mine = hands[task.me].board;
        mine.place(placement, task.cards.data(), shape_.dealt[task.street]);
        told(task.street, std::as_const(mine));
        play_mine(task, start_, hands, task.street + 1, shape_.streets, told);
        play_last(task, start_, hands);
        return hands;
    }

    // The same for every turn of the order: `told(hands)` sees them all, finished.
    template <typename Told>
    void finish_turns(const SearchTask& task, const Placement& placement, const Told& told) {
        const auto unheard = [](std::size_t, const PlayedBoard&) {};
        if (turns_ == 1) return told(finish(task, placement, unheard));
        luck_[task.me] = 0;
        std::array<SearchHand, max_hands> hands = start_.hands;
        PlayedBoard& mine = hands[task.me].board;
        mine.place(placement, task.cards.data(), shape_.dealt[task.street]);
        play_mine(task, start_, hands, task.street + 1, fork_, unheard);
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            std::array<SearchHand, max_hands> turned = turned_[turn].hands;
            turned[task.me].board = mine;
            play_mine(task, turned_[turn], turned, fork_, shape_.streets, unheard);
            play_last(task, turned_[turn], turned);
            told(turned);
        }
    }

    std::size_t turns() const { return turns_; }

    // What a hand's last draws brought more than all that might have come then, by the learned weights of its own board: the sum
    // over the turns, of the searching player as played latest. Whatever was dealt before, its mean is zero.
    float last_luck(std::size_t h) const { return luck_[h]; }

    // What the learned value said of the searching player's board after a later street but the last, as it was played latest.
    float worth(std::size_t street) const { return worth_[street]; }

    // The cards that may come, and those that a hand is dealt in a turn.
    CardSet to_come() const { return to_come_; }
    CardSet drawn(std::size_t turn, std::size_t h) const { return (turns_ == 1 ? start_ : turned_[turn]).own[h] & ~thrown_[h]; }

    // The other hands as the order left them: finished, or, for the one that acts last of all, up to its last street.
    const std::array<SearchHand, max_hands>& others() const { return start_.hands; }
    const Card* last_cards() const { return start_.last; }  // of the hand that acts last, where it is another one; else null
    CardSet used() const { return used_; }             // cards that went to the other hands

private:
    // A deal as far as it was played, and what its order still holds for the searching player and for the hand that acts last.
    struct Line {
        std::array<SearchHand, max_hands> hands{};
        std::array<CardSet, max_hands> own{};  // cards that a hand was dealt or threw away
        CardSet open = 0;                      // cards that others have placed
        CardSet shown = 0;                     // cards that the searching player places on later streets
        std::array<const Card*, max_streets> mine{};
        std::vector<LiveCards> live;  // what the searching player has not seen, by street after this one
        const Card* last = nullptr;
        std::vector<Finished> ends;   // of that hand, found when first asked
    };

    // Whether a hand is dealt a fantasyland that is still to be set.
    static bool sets(const SearchTask& task, std::size_t h) {
        return h != task.me && task.hands[h].land_cards > 0 && !task.hands[h].board.complete();
    }

    // Whether a hand is still dealt cards on a street.
    bool draws(const SearchTask& task, std::size_t h, std::size_t street) const {
        return task.hands[h].land_cards == 0 && task.hands[h].streets_done <= street && (h != task.me || street != task.street);
    }

    std::size_t dealt_to(const SearchTask& task, std::size_t street) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += draws(task, h, street) ? 1 : 0;
        return count;
    }

    // The searching player's cards that the others do not see: discards, or a whole fantasyland.
    CardSet kept_back(const SearchTask& task, Random& random) const {
        CardSet cards = ((CardSet{1} << shape_.deck) - 1) & ~task.unseen;
        for (std::size_t h = 0; h < task.count; ++h) {
            const PlayedBoard& board = task.hands[h].board;
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::size_t i = 0; i < board.rows[row].size; ++i) cards &= ~bit(board.cards[row_start[row] + i]);
            }
        }
        if (task.hands[task.me].land_cards > 0) return cards;
        const auto dealt = static_cast<std::uint32_t>(shape_.dealt[task.street]);
        const auto placed = static_cast<std::uint32_t>(shape_.placed[task.street]);
        const std::uint32_t first = placed < dealt ? random.below(dealt) : 0;  // thrown away, with those behind it
        for (std::uint32_t i = 0; i < placed; ++i) cards &= ~bit(task.cards[(first + dealt - placed + i) % dealt]);
        return cards;
    }

    // The streets `from` … before `to` of all other hands; in a `turn` each gets the cards of the one so many behind it.
    void play_others(const SearchTask& task, Line& line, std::size_t from, std::size_t to, std::size_t turn, std::size_t& next) {
        for (std::size_t street = from; street < to; ++street) {
            const std::size_t dealt = shape_.dealt[street];
            const std::size_t drawing = dealt_to(task, street);
            const bool last = street + 1 == shape_.streets;
            if (last && telling_) {
                at_end_ = 0;
                for (std::size_t i = next; i < drawn_from_; ++i) at_end_ |= bit(order_[i]);
            }
            std::size_t place = turn;
            for (std::size_t h = 0; h < task.count; ++h) {
                if (!draws(task, h, street)) continue;
                SearchHand& hand = line.hands[h];
                const Card* cards = &order_[next + dealt * (place++ % drawing)];
                for (std::size_t i = 0; i < dealt; ++i) line.own[h] |= bit(cards[i]);
                if (last && h != task.me) tell_luck(h, hand.board, cards);
                if (h == task.me) {
                    line.mine[street] = cards;
                    for (std::size_t i = dealt - static_cast<std::size_t>(shape_.placed[street]); i < dealt; ++i) line.shown |= bit(cards[i]);
                    line.live.emplace_back(task.unseen & ~(line.own[h] | line.open));
                } else if (h == last_ && last) {
                    line.last = cards;
                } else {
                    const Placement placement = go_on(hand.board, cards, street, [&] {
                        return LiveCards(unseen_by_others_ & ~(line.own[h] | line.shown | line.open));
                    });
                    for (std::size_t i = 0; i < dealt; ++i) {
                        if (((placement.row[0] | placement.row[1] | placement.row[2]) >> i & 1U) != 0) line.open |= bit(cards[i]);
                    }
                    hand.streets_done = street + 1;
                }
            }
            next += dealt * drawing;
        }
    }

    // The searching player's own streets.
    template <typename Told>
    void play_mine(const SearchTask& task, const Line& line, std::array<SearchHand, max_hands>& hands, std::size_t from, std::size_t to, const Told& told) {
        PlayedBoard& mine = hands[task.me].board;
        for (std::size_t street = from; street < to; ++street) {
            const Card* cards = line.mine[street];
            if (street + 1 == shape_.streets) tell_luck(task.me, mine, cards);
            if (street + 1 == shape_.streets && last_ == task.me) {
                find_ends(mine, cards, ends_);
                end(mine, best_end(task, hands, task.me, ends_), cards);
            } else {
                go_on(mine, cards, street, [&]() -> const LiveCards& { return line.live[street - task.street - 1]; }, &worth_[street]);
            }
            told(street, std::as_const(mine));
        }
    }

    // The last street of another hand that sees every board.
    void play_last(const SearchTask& task, Line& line, std::array<SearchHand, max_hands>& hands) const {
        if (last_ == task.count || last_ == task.me || line.last == nullptr) return;
        PlayedBoard& board = hands[last_].board;
        if (line.ends.empty()) find_ends(board, line.last, line.ends);
        end(board, best_end(task, hands, last_, line.ends), line.last);
    }

    void tell_luck(std::size_t h, const PlayedBoard& board, const Card* cards) {
        if (telling_) luck_[h] += static_cast<float>(last_draw_.luck(board, at_end_, cards));
    }

    // A street by the learned choice; `live()`: what the hand has not seen.
    template <typename Live>
    Placement go_on(PlayedBoard& board, const Card* cards, std::size_t street, const Live& live, float* worth = nullptr) {
        const std::size_t dealt = shape_.dealt[street];
        if (street + 1 == shape_.streets) {
            const Finished best = choose_last(value_.weights(), rules_, strengths_, board, cards, dealt, shape_.placed[street]);
            end(board, best, cards);
            return best.placement;
        }
        const Placement placement = greedy(value_, rules_, strengths_, shape_, street, board, cards, live(), worth);
        board.place(placement, cards, dealt);
        return placement;
    }

    void end(PlayedBoard& board, const Finished& finished, const Card* cards) const {
        board.place(finished.placement, cards, shape_.dealt[shape_.streets - 1]);
        board.values = finished.rows;
    }

    void find_ends(const PlayedBoard& board, const Card* cards, std::vector<Finished>& ends) const {
        const std::size_t street = shape_.streets - 1;
        ends.clear();
        FinishedBoards(rules_, board, cards, shape_.dealt[street]).each(shape_.placed[street], [&](const Finished& one) { ends.push_back(one); });
    }

    // Of the `ends` of a hand that sees all other boards finished.
    const Finished& best_end(const SearchTask& task, const std::array<SearchHand, max_hands>& hands, std::size_t h, const std::vector<Finished>& ends) const {
        Goal goal;
        goal.rules = &rules_;
        goal.unknown = 0;
        for (std::size_t n = 0; n <= most_land_cards; ++n) {
            goal.land_value[n] = static_cast<double>(task.land_value[n]) * static_cast<double>(opponents_of(rules_, h, task.count));
        }
        for (std::size_t other = 0; other < task.count; ++other) {
            if (!play_each_other(rules_, h, other, task.count - 1)) continue;
            Opponent& board = goal.opponents[goal.opponent_count++];
            board.rows = values_of(rules_, hands[other].board);
            board.fouled = !is_legal(rules_, board.rows);
            if (!board.fouled) board.royalties = row_royalties(rules_, board.rows);
            if (rules_.deuce_of_spades != 0) board.deuce = deuce_row(hands[other].board.cards.data());
        }
        const double foul = goal.foul_value();
        Dues between;
        if (task.stacks.known) between = dues_between(task, hands, h);
        const Finished* best = nullptr;
        double most = -std::numeric_limits<double>::infinity();
        for (const Finished& one : ends) {
            const RowValues& rows = one.rows;
            const std::size_t deuce = rules_.deuce_of_spades != 0 ? deuce_row(one.cards.data()) : row_count;
            const bool legal = is_legal(rules_, rows);
            double points = legal ? goal.value(rows, deuce) : foul;
            if (task.stacks.known) {
                const int next = legal ? next_fantasyland(rules_, rows, row_royalties(rules_, rows), 0, 0) : 0;
                between.land[h] = static_cast<double>(task.land_value[static_cast<std::size_t>(next)]);
                set_dues(task, between.points, h, goal.from_each(rows, legal, deuce));
                points += task.stacks.change(rules_, h, task.count, between.points, between.land);
            }
            if (best == nullptr || points > most) {
                most = points;
                best = &one;
            }
        }
        return *best;
    }

    // What the boards of a deal owe each other by pair, and what their fantasylands are worth.
    struct Dues {
        DueList points{};
        StackList land{};
    };

    // Of all hands but one, whose board is not finished.
    Dues dues_between(const SearchTask& task, const std::array<SearchHand, max_hands>& hands, std::size_t without) const {
        std::array<Hand, max_hands> scored{};
        for (std::size_t h = 0; h < task.count; ++h) {
            const HandKind kind = h == without ? HandKind::surrender : HandKind::board;
            scored[h] = {kind, every_row, hands[h].land_cards, hands[h].land_in_row, static_cast<std::uint8_t>(h), hands[h].board.cards};
        }
        DealScore score;
        score_deal(rules_, scored.data(), task.count, score);
        Dues found;
        for (std::size_t pair = 0; pair < max_pairs; ++pair) found.points[pair] = score.pairs[pair].total();
        for (std::size_t h = 0; h < task.count; ++h) {
            found.land[h] = static_cast<double>(task.land_value[static_cast<std::size_t>(score.hands[h].next_land)]);
        }
        return found;
    }

    // Writes what a hand receives from each of its opponents, who come in their order.
    void set_dues(const SearchTask& task, DueList& points, std::size_t h, const std::array<double, max_opponents>& each) const {
        std::size_t pair = 0;
        std::size_t next = 0;
        for (std::size_t a = 0; a < task.count; ++a) {
            for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
                if ((a != h && b != h) || !play_each_other(rules_, a, b, task.count - 1)) continue;
                points[pair] = a == h ? each[next++] : -each[next++];
            }
        }
    }

    // Fantasyland hands set their cards for most royalties and repeat value, from the order's end, so that they do not
    // depend on the placement.
    void set_lands(const SearchTask& task, std::size_t size, std::size_t dealt) {
        for (std::size_t h = 0; h < task.count; ++h) {
            SearchHand& hand = start_.hands[h];
            if (!sets(task, h)) continue;
            if (size < dealt + hand.land_cards) return;  // cannot happen at a table whose deck suffices
            size -= hand.land_cards;
            for (std::size_t i = 0; i < hand.land_cards; ++i) start_.own[h] |= bit(order_[size + i]);
            hand.board.cards = setter_.set(hand, &order_[size], task.land_value);
            hand.board.values = board_values(rules_, hand.board.cards.data());
        }
    }

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    std::array<Card, deck_size + 2> order_{};
    Line start_;                           // to where the turns part, or to the end
    std::array<Line, max_hands> turned_;  // from there on
    CardSet to_come_ = 0;
    CardSet unseen_by_others_ = 0;  // at first
    std::array<CardSet, max_hands> thrown_{};
    std::size_t fork_ = 0;
    std::size_t turns_ = 1;
    std::array<float, max_streets> worth_{};
    std::size_t last_ = 0;
    CardSet used_ = 0;
    std::vector<Finished> ends_;  // of the searching player, where it acts last of all
    bool telling_ = false;
    std::size_t drawn_from_ = 0;  // cards of the order that are no fantasyland's
    CardSet at_end_ = 0;          // of which the last draws come
    std::array<float, max_hands> luck_{};
    LastDraw last_draw_;
    LandSetter setter_;
};

}  // namespace triptych::learn
