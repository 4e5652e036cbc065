// Quads and straight flushes that were dealt and broken up (Rules §4, `royalties.broken_up`; sources 003 L60, 004 L100).
//
// They earn their back royalty, once a board: of several the highest. Quads are broken up when no row holds all four; a
// straight flush when no row is one that shares a card with it, so that a longer run played as one is whole.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "triptych/score/board.hpp"

namespace triptych {

namespace detail {

// The five cards of a straight in one suit, by the rank of its top card from the five (A2345) to the ace.
constexpr CardSet straight_flush_cards(int suit, int top) {
    CardSet set = 0;
    for (int i = 0; i < 5; ++i) set |= CardSet{1} << ((top - i + ranks) % ranks * suits + suit);
    return set;
}

inline constexpr int lowest_top = 3;

constexpr bool is_subset(CardSet some, CardSet set) { return (some & ~set) == 0; }

}  // namespace detail

// Whether thirteen cards hold quads or a straight flush.
inline bool holds_quads_or_straight_flush(CardSet cards) {
    for (int rank = 0; rank < ranks; ++rank) {
        if (suits_of_rank(cards, rank) == 15U) return true;
    }
    for (int suit = 0; suit < suits; ++suit) {
        for (int top = detail::lowest_top; top < ranks; ++top) {
            if (detail::is_subset(detail::straight_flush_cards(suit, top), cards)) return true;
        }
    }
    return false;
}

// The highest of those that no row plays: what it earns in the back, and its rank as a row; 0 = none.
struct BrokenUp {
    int points = 0;
    Rank value = 0;

    static constexpr char name[] = "BrokenUp";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("points", points)("value", value);
    }
};

inline BrokenUp broken_up(const RulesTable& rules, const Card* board) {
    BrokenUp dearest;
    if (rules.broken_up == 0) return dearest;
    const auto take = [&](int points, Rank value) {
        if (points > dearest.points) dearest = {points, value};
    };
    std::array<CardSet, row_count> rows{};
    CardSet played = 0;  // cards of rows that are straight flushes
    for (std::size_t row = 0; row < row_count; ++row) {
        const Card* cards = board + row_start[row];
        for (std::size_t i = 0; i < row_size[row]; ++i) rows[row] |= bit(cards[i]);
        const bool whole = row != front_row && std::none_of(cards, cards + row_size[row], is_joker);
        if (whole && category(rank5(cards)) == straight_flush) played |= rows[row];
    }
    const CardSet own = rows[front_row] | rows[middle_row] | rows[back_row];
    for (int rank = 0; rank < ranks; ++rank) {
        const CardSet four = CardSet{15} << (rank * suits);
        const bool in_a_row = detail::is_subset(four, rows[middle_row]) || detail::is_subset(four, rows[back_row]);
        if (detail::is_subset(four, own) && !in_a_row) take(rules.royalty_back[quads], make_rank(quads, rank + 1));
    }
    for (int suit = 0; suit < suits; ++suit) {
        for (int top = detail::lowest_top; top < ranks; ++top) {
            const CardSet five = detail::straight_flush_cards(suit, top);
            if (!detail::is_subset(five, own) || (five & played) != 0) continue;
            const Rank value = make_rank(straight_flush, top + 1);
            take(back_royalty(rules, value), value);
        }
    }
    return dearest;
}

inline int broken_up_royalty(const RulesTable& rules, const Card* board) { return broken_up(rules, board).points; }

}  // namespace triptych
