// Luck of a draw: points of the deal played to its end by the learned value, less those with other cards in the draw's place.
// Its mean over all cards that were possible is zero, however well that policy plays, so a result less its luck stays unbiased
// (control variates: Zinkevich et al. 2006, "Optimal Unbiased Estimators for Evaluating Agent Performance").
//
// All dealt cards are known to the estimator. Draws of fantasylands come first; their owners see nothing of the others' draws.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "triptych/learn/fantasyland_policy.hpp"
#include "triptych/learn/task_check.hpp"

namespace triptych::learn {

// A hand that is dealt cards. Hands of whole streets, or, in fantasyland, of nothing until they are dealt, then whole.
struct DrawQuery {
    std::array<KnownHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    CardSet left = 0;  // in the deck after the draw
    FantasylandValues fantasyland_values{};
};

// Sets the fantasylands that are dealt already, by hand, as they would be set. Returns what is wrong with them, with the hands or with the
// cards that are drawn; null where nothing is.
inline const char* set_dealt(DrawQuery& task, std::span<const std::span<const Card>> dealt, std::span<const Card> cards, const RulesTable& rules,
                             const DealShape& shape) {
    FantasylandPolicy setter(rules);
    std::size_t needed = 0;
    CardSet seen = task.left;
    std::size_t count = static_cast<std::size_t>(std::popcount(task.left));
    const auto add_seen = [&](CardSet some, std::size_t size) {
        seen |= some;
        count += size;
    };
    for (std::size_t h = 0; h < task.count; ++h) {
        KnownHand& hand = task.hands[h];
        const bool me = h == task.me;
        if (const char* fault = hand_fault(hand, shape)) return fault;
        add_seen(placed_cards(hand.board), placed_count(hand.board));
        if (hand.fantasyland_cards > 0 && placed_count(hand.board) > 0) return "a fantasyland is not set before it is dealt";
        if (me && hand.fantasyland_cards == 0 && hand.streets_done != task.street) return "the hand is at another street";
        if (hand.fantasyland_cards == 0) {
            needed += still_dealt(shape, hand, me ? task.street + 1 : hand.streets_done);
        } else if (!dealt[h].empty()) {
            if (me || dealt[h].size() != hand.fantasyland_cards) return "wrong cards of a fantasyland";
            add_seen(set_of(dealt[h]), dealt[h].size());
            hand.board.cards = setter.set(hand, dealt[h].data(), task.fantasyland_values);
            hand.streets_done = shape.streets;
        } else {
            hand.streets_done = 0;
            needed += me ? 0 : hand.fantasyland_cards;
        }
    }
    const KnownHand& mine = task.hands[task.me];
    if (cards.size() != (mine.fantasyland_cards > 0 ? mine.fantasyland_cards : shape.dealt[task.street])) return "wrong cards for the draw";
    add_seen(set_of(cards), cards.size());
    const CardSet pack = (CardSet{1} << shape.deck) - 1;
    if (static_cast<std::size_t>(std::popcount(seen)) != count || (seen & ~pack) != 0) return "a card is in two places, or not in the pack";
    return needed <= static_cast<std::size_t>(std::popcount(task.left)) ? nullptr : "too few cards in the deck";
}

using PointsByHand = std::array<double, max_hands>;  // points by hand, the next fantasylands at their value

class DrawLuckEstimator {
public:
    DrawLuckEstimator(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), setter_(rules) {}

    // The mean over so many orders of the deck.
    PointsByHand estimate_gain(const DrawQuery& task, std::span<const Card> cards, std::uint64_t orders, std::uint64_t seed) {
        PointsByHand gain{};
        std::array<Card, deck_size + 2> real{};
        std::copy(cards.begin(), cards.end(), real.begin());
        const std::span<Card> drawn_cards(real.data(), cards.size());
        for (std::uint64_t i = 0; i < orders; ++i) {
            Random random(seed, i);
            shuffle(task, cards, random);
            const PointsByHand other = play_out(task, cards.size());
            shuffle_cards(drawn_cards, random);  // between placements that it holds for equal the learned choice goes by the cards' order
            move_to_front(drawn_cards);
            const PointsByHand own = play_out(task, cards.size());
            for (std::size_t h = 0; h < task.count; ++h) gain[h] += (own[h] - other[h]) / static_cast<double>(orders);
        }
        return gain;
    }

private:
    void shuffle(const DrawQuery& task, std::span<const Card> cards, Random& random) {
        size_ = 0;
        for (const Card card : cards) order_[size_++] = card;
        for (CardSet left = task.left; left != 0; left &= left - 1) order_[size_++] = static_cast<Card>(std::countr_zero(left));
        shuffle_cards({order_.data(), size_}, random);
    }

    static void shuffle_cards(std::span<Card> cards, Random& random) {
        for (std::size_t i = cards.size(); i > 1; --i) std::swap(cards[i - 1], cards[random.below(static_cast<std::uint32_t>(i))]);
    }

    // Exchanges the first cards of the order for the ones that really came: the rest stays as shuffled, and like before.
    void move_to_front(std::span<const Card> cards) {
        for (std::size_t at = 0; at < cards.size(); ++at) {
            std::size_t from = at;
            while (order_[from] != cards[at]) ++from;
            std::swap(order_[at], order_[from]);
        }
    }

    // The deal to its end: the first cards of the order go to the hand that draws, the next to the others in turn.
    PointsByHand play_out(const DrawQuery& task, std::size_t drawn) {
        std::array<KnownHand, max_hands> hands = task.hands;
        std::size_t next = drawn;
        left_ = 0;
        for (std::size_t i = drawn; i < size_; ++i) left_ |= bit(order_[i]);
        const bool fantasyland = hands[task.me].fantasyland_cards > 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            KnownHand& hand = hands[h];
            if (hand.fantasyland_cards == 0 || hand.streets_done > 0) continue;
            const Card* cards = h == task.me ? order_.data() : deal_cards(next, hand.fantasyland_cards);
            hand.board.cards = setter_.set(hand, cards, task.fantasyland_values);
        }
        for (std::size_t street = 0; street < shape_.streets; ++street) {
            for (std::size_t h = 0; h < task.count; ++h) {
                KnownHand& hand = hands[h];
                if (hand.fantasyland_cards > 0 || hand.streets_done > street) continue;
                const bool now = h == task.me && street == task.street && !fantasyland;
                const Card* cards = now ? order_.data() : deal_cards(next, shape_.dealt[street]);
                const Placement placement = greedy(value_, rules_, strengths_, shape_, street, hand.board, cards, LiveCards(left_));
                hand.board.place(placement, cards, shape_.dealt[street]);
                hand.streets_done = street + 1;
            }
        }
        return points(task, hands);
    }

    const Card* deal_cards(std::size_t& next, std::size_t count) {
        const Card* cards = &order_[next];
        next += count;
        for (std::size_t i = 0; i < count; ++i) left_ &= ~bit(cards[i]);
        return cards;
    }

    PointsByHand points(const DrawQuery& task, const std::array<KnownHand, max_hands>& hands) const {
        std::array<Hand, max_hands> scored{};
        for (std::size_t h = 0; h < task.count; ++h) {
            scored[h] = {HandKind::board,     all_rows_mask, hands[h].fantasyland_cards, hands[h].fantasyland_in_row, static_cast<std::uint8_t>(h),
                         hands[h].board.cards};
        }
        DealScore score;
        score_deal(rules_, scored.data(), task.count, score);
        PointsByHand gain{};
        std::size_t pair = 0;
        for (std::size_t a = 0; a < task.count; ++a) {
            gain[a] += score.hands[a].table_points;
            for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
                double moved = score.pairs[pair].total();
                if (play_each_other(rules_, a, b, task.count - 1)) moved += fantasyland_points(task, score, a) - fantasyland_points(task, score, b);
                gain[a] += moved;
                gain[b] -= moved;
            }
        }
        return gain;
    }

    static double fantasyland_points(const DrawQuery& task, const DealScore& score, std::size_t h) {
        return static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(score.hands[h].next_fantasyland)]);
    }

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    FantasylandPolicy setter_;
    std::array<Card, deck_size + 2> order_{};
    std::size_t size_ = 0;
    CardSet left_ = 0;  // of the order, not dealt yet
};

}  // namespace triptych::learn
