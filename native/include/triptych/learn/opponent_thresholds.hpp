// Thresholds that a board's rows have to beat. The learned value uses the quintiles of finished rows of self-play; near the end
// of a deal much of the opponents' boards is visible.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "triptych/learn/self_play.hpp"
#include "triptych/score/rank.hpp"

namespace triptych::learn {

// Lower bound of a partial row's final value, by its equal ranks and its highest card.
inline Rank min_value(const PartialRow& row) {
    std::array<int, ranks> count{};
    for (std::size_t i = 0; i < row.size; ++i) {
        if (row.rank[i] < ranks) ++count[static_cast<std::size_t>(row.rank[i])];
    }
    int group_size = 0;
    int second_size = 0;
    int group_rank = 0;  // ranks as a value holds them, from 1
    int second_group_rank = 0;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        const int same = count[static_cast<std::size_t>(rank)];
        if (same > group_size) {
            second_size = group_size;
            second_group_rank = group_rank;
            group_size = same;
            group_rank = rank + 1;
        } else if (same > second_size) {
            second_size = same;
            second_group_rank = rank + 1;
        }
    }
    if (group_size >= 4) return make_rank(quads, group_rank);
    if (group_size == 3) return second_size == 2 ? make_rank(full_house, group_rank, second_group_rank) : make_rank(trips, group_rank);
    if (group_size == 2) return second_size == 2 ? make_rank(two_pair, group_rank, second_group_rank) : make_rank(pair, group_rank);
    return group_size == 1 ? make_rank(high_card, group_rank) : 0;
}

// Changes the quintiles, and what each is worth, to what the others' boards ask of a row: a finished row is known, others
// have a lower bound, and a fouled board is always beaten.
inline void adjust_thresholds(const RulesTable& rules, std::span<const BoardInPlay> opponents, StrengthThresholds& strengths, Outcomes& weights) {
    if (opponents.empty()) return;
    for (std::size_t row = 0; row < row_count; ++row) {
        std::array<Rank, strength_bins * max_hands> thresholds;
        std::size_t count = 0;
        std::size_t known = 0;
        for (const BoardInPlay& board : opponents) {
            const PartialRow& partial = board.rows[row];
            const bool jokers = std::find(partial.rank.begin(), partial.rank.begin() + partial.size, ranks) != partial.rank.begin() + partial.size;
            const bool fouled = board.complete() && !is_legal(rules, board_values(rules, board.cards.data()));
            const bool whole = partial.size == row_size[row] && !jokers;
            const bool low = row == middle_row && rules.middle_low != 0;
            const Rank least = whole ? row_value(rules, static_cast<Row>(row), board.cards.data()) : low ? 0 : min_value(partial);
            known += fouled || whole ? 1 : 0;
            for (const Rank quintile : strengths[row]) thresholds[count++] = fouled ? 0 : whole ? least : std::max(quintile, least);
        }
        std::sort(thresholds.begin(), thresholds.begin() + static_cast<std::ptrdiff_t>(count));
        // What is known decides a whole row; four quintiles are four fifths of one.
        const float scale = 1 + static_cast<float>(known) / static_cast<float>(strength_bins * opponents.size());
        for (std::size_t bin = 0; bin < strength_bins; ++bin) {
            strengths[row][bin] = thresholds[bin * opponents.size() + (opponents.size() - 1) / 2];
            weights[strength_outcome + row * strength_bins + bin] *= scale;
        }
    }
}

}  // namespace triptych::learn
