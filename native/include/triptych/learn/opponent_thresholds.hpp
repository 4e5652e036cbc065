// What a board's rows have to beat. The learned value holds them against finished rows of self-play, by their quintiles; near the
// end of a deal much of the others' boards lies open.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "triptych/learn/selfplay.hpp"
#include "triptych/score/rank.hpp"

namespace triptych::learn {

// The least that a row becomes of which some cards lie, by its equal ranks and its highest card.
inline Rank least_of(const PartialRow& row) {
    std::array<int, ranks> count{};
    for (std::size_t i = 0; i < row.size; ++i) {
        if (row.rank[i] < ranks) ++count[static_cast<std::size_t>(row.rank[i])];
    }
    int most = 0;
    int second = 0;
    int of_most = 0;  // ranks as a value holds them, from 1
    int of_second = 0;
    for (int rank = ranks - 1; rank >= 0; --rank) {
        const int same = count[static_cast<std::size_t>(rank)];
        if (same > most) {
            second = most;
            of_second = of_most;
            most = same;
            of_most = rank + 1;
        } else if (same > second) {
            second = same;
            of_second = rank + 1;
        }
    }
    if (most >= 4) return make_rank(quads, of_most);
    if (most == 3) return second == 2 ? make_rank(full_house, of_most, of_second) : make_rank(trips, of_most);
    if (most == 2) return second == 2 ? make_rank(two_pair, of_most, of_second) : make_rank(pair, of_most);
    return most == 1 ? make_rank(high_card, of_most) : 0;
}

// Changes the quintiles, and what each is worth, to what the others' boards ask of a row: a finished row is known, others
// become no less than they are, and a board that has fouled asks nothing.
inline void adjust_thresholds(const RulesTable& rules, std::span<const PlayedBoard> opponents, Strengths& strengths, Outcomes& weights) {
    if (opponents.empty()) return;
    for (std::size_t row = 0; row < row_count; ++row) {
        std::array<Rank, strength_bins * max_hands> asked;
        std::size_t count = 0;
        std::size_t known = 0;
        for (const PlayedBoard& board : opponents) {
            const PartialRow& lying = board.rows[row];
            const bool jokers = std::find(lying.rank.begin(), lying.rank.begin() + lying.size, ranks) != lying.rank.begin() + lying.size;
            const bool fouled = board.complete() && !is_legal(rules, board_values(rules, board.cards.data()));
            const bool whole = lying.size == row_size[row] && !jokers;
            const bool low = row == middle_row && rules.middle_low != 0;
            const Rank least = whole ? row_value(rules, static_cast<Row>(row), board.cards.data()) : low ? 0 : least_of(lying);
            known += fouled || whole ? 1 : 0;
            for (const Rank quintile : strengths[row]) asked[count++] = fouled ? 0 : whole ? least : std::max(quintile, least);
        }
        std::sort(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(count));
        // What is known decides a whole row; four quintiles are four fifths of one.
        const float more = 1 + static_cast<float>(known) / static_cast<float>(strength_bins * opponents.size());
        for (std::size_t bin = 0; bin < strength_bins; ++bin) {
            strengths[row][bin] = asked[bin * opponents.size() + (opponents.size() - 1) / 2];
            weights[strength_outcome + row * strength_bins + bin] *= more;
        }
    }
}

}  // namespace triptych::learn
