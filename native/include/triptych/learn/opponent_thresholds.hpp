// What a board's rows have to beat. The learned value holds them against finished rows of self-play, by their quintiles; near the
// end of a deal much of the others' boards lies open.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "triptych/learn/self_play.hpp"
#include "triptych/score/rank.hpp"

namespace triptych::learn {

// The least that a row becomes of which some cards lie, by its equal ranks and its highest card.
inline Rank min_value(const PartialRow& row) {
    std::array<int, ranks> count{};
    for (std::size_t i = 0; i < row.size; ++i) {
        if (row.rank[i] < ranks) ++count[static_cast<std::size_t>(row.rank[i])];
    }
    int largest = 0;
    int second_largest = 0;
    int largest_rank = 0;  // ranks as a value holds them, from 1
    int second_rank = 0;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        const int same = count[static_cast<std::size_t>(rank)];
        if (same > largest) {
            second_largest = largest;
            second_rank = largest_rank;
            largest = same;
            largest_rank = rank + 1;
        } else if (same > second_largest) {
            second_largest = same;
            second_rank = rank + 1;
        }
    }
    if (largest >= 4) return make_rank(quads, largest_rank);
    if (largest == 3) return second_largest == 2 ? make_rank(full_house, largest_rank, second_rank) : make_rank(trips, largest_rank);
    if (largest == 2) return second_largest == 2 ? make_rank(two_pair, largest_rank, second_rank) : make_rank(pair, largest_rank);
    return largest == 1 ? make_rank(high_card, largest_rank) : 0;
}

// Changes the quintiles, and what each is worth, to what the others' boards ask of a row: a finished row is known, others
// become no less than they are, and a board that has fouled asks nothing.
inline void adjust_thresholds(const RulesTable& rules, std::span<const PlayedBoard> opponents, StrengthThresholds& strengths, Outcomes& weights) {
    if (opponents.empty()) return;
    for (std::size_t row = 0; row < row_count; ++row) {
        std::array<Rank, strength_bins * max_hands> thresholds;
        std::size_t count = 0;
        std::size_t known = 0;
        for (const PlayedBoard& board : opponents) {
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
