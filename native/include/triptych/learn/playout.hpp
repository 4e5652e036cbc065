// A deal played to its end from a decision on: one random order of the unseen cards, what the other players do with
// it, and the searching player's streets after a placement. Everyone chooses by the learned value; the hand that
// acts last of all knows every board and takes the best that the rules pay.
//
// The others' choices do not depend on the placement that is tried (its discard apart, a card that they do not see),
// so they are made once an order and shared by all placements.
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
#include "triptych/learn/stacks.hpp"

namespace triptych::learn {

struct SearchTask {
    std::array<SearchHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    std::array<Card, most_land_cards> cards{};  // of the street, or of a whole fantasyland
    CardSet unseen = 0;  // cards that the player does not see
    LandValues land_value{};
    std::array<float, max_streets> temperature{};  // of what others choose, by street; 0: nothing is believed of it
    Stacks stacks;  // by hand
};

class Playout {
public:
    Playout(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), setter_(rules) {}

    // The hand that acts last of all and so sees every board; `count` = none, or one that a fantasyland hides.
    std::size_t last_to_act(const SearchTask& task) const {
        std::size_t last = task.count;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (task.hands[h].land_cards > 0) return task.count;
            if (h == task.me || task.hands[h].streets_done < shape_.streets) last = h;
        }
        return last;
    }

    // Puts the unseen cards into an order and plays the other hands by it; `thrown`: cards that they threw away.
    void deal_out(const SearchTask& task, Random& random, const std::array<CardSet, max_hands>& thrown = {}) {
        std::size_t size = 0;
        CardSet to_come = task.unseen;
        for (const CardSet cards : thrown) to_come &= ~cards;
        for (CardSet left = to_come; left != 0; left &= left - 1) order_[size++] = static_cast<Card>(std::countr_zero(left));
        for (std::size_t i = size; i > 1; --i) std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
        hands_ = task.hands;
        live_.clear();
        used_ = 0;
        last_ = rules_.scoring == static_cast<RulesTable::Int>(RowScoring::first_to_11) ? task.count : last_to_act(task);
        play_others(task, thrown);
        set_lands(task, size);
    }

    // All hands after the searching player's placement has been played to the end by the order.
    std::array<SearchHand, max_hands> finish(const SearchTask& task, const Placement& placement) {
        return finish(task, placement, [](std::size_t, const PlayedBoard&) {});
    }

    // `told(street, board)` sees the searching player's board after each street.
    template <typename Told>
    std::array<SearchHand, max_hands> finish(const SearchTask& task, const Placement& placement, const Told& told) {
        std::array<SearchHand, max_hands> hands = hands_;
        PlayedBoard& mine = hands[task.me].board;
        mine.place(placement, task.cards.data(), shape_.dealt[task.street]);
        told(task.street, std::as_const(mine));
        for (std::size_t street = task.street + 1; street < shape_.streets; ++street) {
            const Card* cards = mine_[street];
            const bool last = street + 1 == shape_.streets;
            const Placement next = last && last_ == task.me ? best_end(task, hands, task.me, cards)
                                                            : chosen(mine, cards, street, live_[street - task.street - 1]);
            mine.place(next, cards, shape_.dealt[street]);
            told(street, std::as_const(mine));
        }
        if (last_ < task.count && last_ != task.me) {
            const Card* cards = final_;
            if (cards != nullptr) hands[last_].board.place(best_end(task, hands, last_, cards), cards, shape_.dealt[shape_.streets - 1]);
        }
        return hands;
    }

    // The other hands as the order left them: finished, or, for the one that acts last of all, up to its last street.
    const std::array<SearchHand, max_hands>& others() const { return hands_; }
    const Card* last_cards() const { return final_; }  // of the hand that acts last, where it is another one; else null
    CardSet used() const { return used_; }             // cards that went to the other hands

private:
    void play_others(const SearchTask& task, const std::array<CardSet, max_hands>& thrown) {
        std::size_t next = 0;
        std::array<CardSet, max_hands> own = thrown;
        CardSet open = 0;
        final_ = nullptr;
        for (std::size_t street = task.street; street < shape_.streets; ++street) {
            const std::size_t dealt = shape_.dealt[street];
            for (std::size_t h = 0; h < task.count; ++h) {
                SearchHand& hand = hands_[h];
                if (hand.land_cards > 0 || hand.streets_done > street || (h == task.me && street == task.street)) continue;
                const Card* cards = &order_[next];
                next += dealt;
                for (std::size_t i = 0; i < dealt; ++i) own[h] |= bit(cards[i]);
                if (h == task.me) {
                    mine_[street] = cards;
                    live_.emplace_back(task.unseen & ~(own[h] | open));
                } else if (h == last_ && street + 1 == shape_.streets) {
                    final_ = cards;
                } else {
                    const LiveCards live(task.unseen & ~(own[h] | own[task.me] | open));
                    const Placement placement = chosen(hand.board, cards, street, live);
                    hand.board.place(placement, cards, dealt);
                    for (std::size_t i = 0; i < dealt; ++i) {
                        if (((placement.row[0] | placement.row[1] | placement.row[2]) >> i & 1U) != 0) open |= bit(cards[i]);
                    }
                    hand.streets_done = street + 1;
                }
            }
        }
        for (std::size_t h = 0; h < task.count; ++h) used_ |= h == task.me ? 0 : own[h];
        dealt_ = next;
    }

    Placement chosen(const PlayedBoard& board, const Card* cards, std::size_t street, const LiveCards& live) {
        return greedy(value_, rules_, strengths_, shape_, street, board, cards, live);
    }

    // The last street of a hand that sees all other boards finished.
    Placement best_end(const SearchTask& task, const std::array<SearchHand, max_hands>& hands, std::size_t h, const Card* cards) const {
        Goal goal;
        goal.rules = &rules_;
        goal.unknown = 0;
        for (std::size_t n = 0; n <= most_land_cards; ++n) {
            goal.land_value[n] = static_cast<double>(task.land_value[n]) * static_cast<double>(opponents_of(rules_, h, task.count));
        }
        for (std::size_t other = 0; other < task.count; ++other) {
            if (!play_each_other(rules_, h, other, task.count - 1)) continue;
            Opponent& board = goal.opponents[goal.opponent_count++];
            board.rows = board_values(rules_, hands[other].board.cards.data());
            board.fouled = !is_legal(rules_, board.rows);
            if (!board.fouled) board.royalties = row_royalties(rules_, board.rows);
            if (rules_.deuce_of_spades != 0) board.deuce = deuce_row(hands[other].board.cards.data());
        }
        const std::size_t street = shape_.streets - 1;
        const double foul = goal.foul_value();
        Dues between;
        if (task.stacks.known) between = dues_between(task, hands, h);
        Placement best;
        double most = -std::numeric_limits<double>::infinity();
        for (const Placement& placement : placements(shape_.dealt[street], shape_.placed[street])) {
            if (!fits(hands[h].board.rows, placement)) continue;
            PlayedBoard done = hands[h].board;
            done.place(placement, cards, shape_.dealt[street]);
            const RowValues rows = board_values(rules_, done.cards.data());
            const std::size_t deuce = rules_.deuce_of_spades != 0 ? deuce_row(done.cards.data()) : row_count;
            const bool legal = is_legal(rules_, rows);
            double points = legal ? goal.value(rows, deuce) : foul;
            if (task.stacks.known) {
                const int next = legal ? next_fantasyland(rules_, rows, row_royalties(rules_, rows), 0, 0) : 0;
                between.land[h] = static_cast<double>(task.land_value[static_cast<std::size_t>(next)]);
                set_dues(task, between.points, h, goal.from_each(rows, legal, deuce));
                points += task.stacks.change(rules_, h, task.count, between.points, between.land);
            }
            if (points > most) {
                most = points;
                best = placement;
            }
        }
        return best;
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
    void set_lands(const SearchTask& task, std::size_t size) {
        for (std::size_t h = 0; h < task.count; ++h) {
            if (hands_[h].land_cards == 0 || h == task.me) continue;
            if (size < dealt_ + hands_[h].land_cards) return;  // cannot happen at a table whose deck suffices
            size -= hands_[h].land_cards;
            for (std::size_t i = 0; i < hands_[h].land_cards; ++i) used_ |= bit(order_[size + i]);
            hands_[h].board.cards = setter_.set(hands_[h], &order_[size], task.land_value);
        }
    }

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    std::array<Card, deck_size + 2> order_{};
    std::size_t dealt_ = 0;
    std::array<SearchHand, max_hands> hands_{};
    std::array<const Card*, max_streets> mine_{};
    std::vector<LiveCards> live_;  // what the searching player has not seen, by street after this one
    const Card* final_ = nullptr;
    std::size_t last_ = 0;
    CardSet used_ = 0;
    LandSetter setter_;
};

}  // namespace triptych::learn
