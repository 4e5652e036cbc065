// What one pair of boards pays: rows, scoop, royalties (Rules §4).
#pragma once

#include <array>
#include <cstddef>

#include "triptych/score/board.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

inline int rows_won(const RowPoints& results) { return (results[0] > 0) + (results[1] > 0) + (results[2] > 0); }
inline int rows_lost(const RowPoints& results) { return (results[0] < 0) + (results[1] < 0) + (results[2] < 0); }

// Row points for the results of three rows, before any doubling; the mirror image for the opponent.
inline int row_points(const RulesTable& rules, const RowPoints& results) {
    const int won = rows_won(results);
    const int lost = rows_lost(results);
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
        case RowScoring::per_row:
            return won - lost;
        case RowScoring::per_row_scoop3:
            return won - lost + bonus(3, 3);
        case RowScoring::match_1_6:
            return match(1);
        case RowScoring::match_2_6:
            return match(2);
        case RowScoring::two_four:
            return won - lost + bonus(2, 1);
        case RowScoring::one_four:
            return won - lost + bonus(3, 1);
        case RowScoring::first_to_11:
            return 0;  // points of the whole table, see showdown.hpp
        case RowScoring::custom:
            break;
    }
    int points = bonus(3, rules.custom_bonus);
    for (std::size_t row = 0; row < row_count; ++row) points += results[row] * rules.custom_points[row];
    return points;
}

// By how much a scoop is multiplied, home-runs aside.
inline int scoop_factor(const RulesTable& rules) { return rules.scoop_doubles != 0 ? 2 : 1; }

// By how much the royalties of a pair are multiplied whose row points are multiplied by `factor`.
inline int royalty_factor(const RulesTable& rules, int factor) { return rules.doubles_all != 0 ? factor : 1; }

// Row points of rows won 1, tied 0 and lost -1, with a scoop's own doubling but no home-run.
inline int pair_points(const RulesTable& rules, const RowPoints& results) {
    const bool scoop = rows_won(results) == 3 || rows_lost(results) == 3;
    return row_points(rules, results) * (scoop ? scoop_factor(rules) : 1);
}

// What a scoop is worth, with its own doubling but no home-run.
inline int scoop_value(const RulesTable& rules) { return row_points(rules, {1, 1, 1}) * scoop_factor(rules); }

// What a foul pays, royalties aside and no home-run; by how much it multiplies royalties.
inline int foul_price(const RulesTable& rules) { return rules.foul_points >= 0 ? rules.foul_points : scoop_value(rules); }
inline int foul_royalty_factor(const RulesTable& rules) { return rules.foul_points >= 0 ? 1 : royalty_factor(rules, scoop_factor(rules)); }

// Whether two players pay each other; the banker plays everybody, the others only the banker.
inline bool play_each_other(const RulesTable& rules, std::size_t a, std::size_t b, std::size_t banker) {
    return a != b && (rules.pairs_banker == 0 || a == banker || b == banker);
}

// How many of `count` hands with an owner each a hand plays.
inline std::size_t opponents_of(const RulesTable& rules, std::size_t hand, std::size_t count) {
    return rules.pairs_banker == 0 || hand + 1 == count ? count - 1 : 1;
}

// +1, 0, -1 a row for the first board; an offending row loses to one that does not offend.
inline RowPoints row_results(const RowValues& a, const RowValues& b, unsigned offending_a = 0, unsigned offending_b = 0) {
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
