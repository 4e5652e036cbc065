// Suits that decide equal rows of two boards (Rules §3, `rows.tie_break = suits`). Whether a board is legal, and what
// its rows earn, is about ranks alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "triptych/score/board.hpp"

namespace triptych {

inline constexpr unsigned tie_bits = 2;

// How high the suit of a row's highest card stands, 0 to 3. Equal rows of one deal hold the same ranks and no common
// card, so this one card always decides. An ace that ends A2345 as the lowest straight is that row's lowest card.
inline Rank tie_suit(const RulesTable& rules, const Card* cards, std::size_t size, Rank value) {
    const bool ace_low = value == make_rank(straight, 4) || value == make_rank(straight_flush, 4);
    int best = -1;
    for (std::size_t i = 0; i < size; ++i) {
        if (is_joker(cards[i])) continue;  // such rules are refused; a joker has no suit
        const int rank = ace_low && rank_of(cards[i]) == ranks - 1 ? -1 : rank_of(cards[i]);
        const int height = (rank + 1) * suits + rules.suit_height[static_cast<std::size_t>(suit_of(cards[i]))];
        if (height > best) best = height;
    }
    return best < 0 ? 0 : static_cast<Rank>(best % suits);
}

// What decides a row between two boards. In a deuce-to-seven middle the lower suit wins, as the lower cards do.
inline Rank value_with_suit(const RulesTable& rules, Row row, Rank value, const Card* cards) {
    if (rules.suit_ties == 0) return value;
    const Rank suit = tie_suit(rules, cards, row_size[row], value);
    const bool low = row == middle_row && rules.middle_low != 0;
    return value << tie_bits | (low ? suits - 1 - suit : suit);
}

inline RowValues values_with_suit(const RulesTable& rules, const RowValues& rows, const Card* board) {
    if (rules.suit_ties == 0) return rows;
    return {value_with_suit(rules, front_row, rows[front_row], board), value_with_suit(rules, middle_row, rows[middle_row], board + row_start[middle_row]),
            value_with_suit(rules, back_row, rows[back_row], board + row_start[back_row])};
}

// The rank of a row whose value was made by value_with_suit.
inline Rank value_without_suit(const RulesTable& rules, Rank value) { return rules.suit_ties != 0 ? value >> tie_bits : value; }

}  // namespace triptych
