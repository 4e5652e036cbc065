// A board's three rows as comparable values, its legality and royalties.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "triptych/score/cards.hpp"
#include "triptych/score/rank.hpp"
#include "triptych/score/royalties.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

enum Row : std::size_t { front_row, middle_row, back_row, row_count };

// Thirteen cards of a board lie as front 0-2, middle 3-7, back 8-12.
inline constexpr std::array<std::size_t, row_count> row_start = {0, 3, 8};
inline constexpr std::array<std::size_t, row_count> row_size = {3, 5, 5};

// Values of the rows; a higher one wins its row. The middle is a low order under a deuce-to-seven middle.
using RowValues = std::array<Rank, row_count>;

inline Rank five_card_value(const RulesTable& rules, Rank value) { return rules.wheel_second != 0 ? wheel_second(value) : value; }

inline Rank middle_value(const RulesTable& rules, Rank value) { return rules.middle_low != 0 ? low_order(value) : five_card_value(rules, value); }

// Whether a deuce-to-seven middle is legal.
inline bool low_fits(const RulesTable& rules, Rank order) { return rules.low_any != 0 || is_low(order); }

// Values of one row, and of all, of a board without jokers.
inline Rank row_value(const RulesTable& rules, Row row, const Card* board) {
    const Card* cards = board + row_start[row];
    if (row == front_row) return rank3(cards);
    return row == middle_row ? middle_value(rules, rank5(cards)) : five_card_value(rules, rank5(cards));
}

inline RowValues row_values(const RulesTable& rules, const Card* board) {
    return {row_value(rules, front_row, board), row_value(rules, middle_row, board), row_value(rules, back_row, board)};
}

// Bits 0 front, 1 middle, 2 back of the rows that break the order; 0 = legal.
inline unsigned offending_rows(const RulesTable& rules, const RowValues& rows) {
    const auto above = [&](Rank upper, Rank lower) { return rules.strict_order != 0 ? upper >= lower : upper > lower; };
    unsigned bad = 0;
    if (rules.middle_low != 0) {
        if (!low_fits(rules, rows[middle_row])) bad |= 2U;
        if (above(rows[front_row], rows[back_row])) bad |= 5U;
        return bad;
    }
    if (above(rows[middle_row], rows[back_row])) bad |= 6U;
    if (above(rows[front_row], rows[middle_row])) bad |= 3U;
    return bad;
}

inline bool is_legal(const RulesTable& rules, const RowValues& rows) { return offending_rows(rules, rows) == 0; }

using RowPoints = std::array<int, row_count>;

// Royalties of the rows that do not offend; under one_per_board only the highest (of equals the lowest row) counts.
// `broken` = what was dealt and broken up earns on top of them (broken_up.hpp), a royalty of the back.
inline RowPoints row_royalties(const RulesTable& rules, const RowValues& rows, unsigned offending = 0, unsigned declared = 7, int broken = 0) {
    RowPoints points = {front_royalty(rules, rows[front_row]), middle_royalty(rules, rows[middle_row]), back_royalty(rules, rows[back_row])};
    points[back_row] = rules.one_per_board != 0 ? std::max(points[back_row], broken) : points[back_row] + broken;
    const unsigned counted = ~offending & (rules.declare_must != 0 ? declared : 7U);
    for (std::size_t row = 0; row < row_count; ++row) {
        if ((counted >> row & 1U) == 0) points[row] = 0;
    }
    if (rules.one_per_board != 0) {
        std::size_t dearest = back_row;
        if (points[middle_row] > points[dearest]) dearest = middle_row;
        if (points[front_row] > points[dearest]) dearest = front_row;
        for (std::size_t row = 0; row < row_count; ++row) {
            if (row != dearest) points[row] = 0;
        }
    }
    return points;
}

}  // namespace triptych
