// What one pair of boards pays: rows, scoop, royalties (RULEBOOK 4).
#pragma once

#include <array>
#include <cstddef>

#include "triptych/score/board.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

// Row points for rows won and lost, before any doubling; the mirror image when won and lost are swapped.
inline int row_points(const RulesTable& rules, int won, int lost) {
    const auto match = [&](int value) {
        if (won == 3) return 6;
        if (lost == 3) return -6;
        const int needed = rules.match_more_rows != 0 ? 1 : 2;
        if (won > lost && won >= needed) return value;
        if (lost > won && lost >= needed) return -value;
        return 0;
    };
    const auto bonus = [&](int rows, int points) { return won >= rows ? points : lost >= rows ? -points : 0; };
    switch (static_cast<RowScoring>(rules.scoring)) {
        case RowScoring::per_row: return won - lost;
        case RowScoring::per_row_scoop3: return won - lost + bonus(3, 3);
        case RowScoring::match_1_6: return match(1);
        case RowScoring::match_2_6: return match(2);
        case RowScoring::two_four: return won - lost + bonus(2, 1);
        case RowScoring::one_four: return won - lost + bonus(3, 1);
        case RowScoring::first_to_11: return 0;  // points of the whole table, see showdown.hpp
    }
    return 0;
}

// What a scoop is worth, with its own doubling but no home-run.
inline int scoop_value(const RulesTable& rules) {
    return row_points(rules, 3, 0) * (rules.scoop_doubles != 0 ? 2 : 1);
}

// +1, 0, -1 a row for the first board; an offending row loses to one that does not offend.
inline RowPoints row_results(const RowValues& a, const RowValues& b, unsigned offending_a = 0,
                             unsigned offending_b = 0) {
    RowPoints result{};
    for (std::size_t row = 0; row < row_count; ++row) {
        const int bad_a = static_cast<int>(offending_a >> row & 1U);
        const int bad_b = static_cast<int>(offending_b >> row & 1U);
        if (bad_a + bad_b > 0) {
            result[row] = bad_b - bad_a;
        } else {
            result[row] = a[row] > b[row] ? 1 : a[row] < b[row] ? -1 : 0;
        }
    }
    return result;
}

inline int rows_won(const RowPoints& results) { return (results[0] > 0) + (results[1] > 0) + (results[2] > 0); }
inline int rows_lost(const RowPoints& results) { return (results[0] < 0) + (results[1] < 0) + (results[2] < 0); }

// The row of a board that holds the deuce of spades; row_count = none.
inline std::size_t deuce_row(const Card* board) {
    for (std::size_t row = 0; row < row_count; ++row) {
        for (std::size_t i = 0; i < row_size[row]; ++i) {
            if (board[row_start[row] + i] == deuce_of_spades) return row;
        }
    }
    return row_count;
}

// What two royalties of one row bring the first board; `result` is the row's result for it.
inline int royalty_points(const RulesTable& rules, int a, int b, int result, bool doubled) {
    int points = a - b;
    if (rules.royalty_row_winner != 0) points = result > 0 ? a : result < 0 ? -b : 0;
    return doubled ? 2 * points : points;
}

}  // namespace triptych
