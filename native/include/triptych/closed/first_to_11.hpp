// first_to_11: points of the whole table instead of points by pairs (Rules §4). They count as a lead over the mean of
// the other seats.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/closed/row_bitsets.hpp"

namespace triptych {

// The best row of the other seats in each sample, and where one of them has it alone.
class FirstTo11Points {
public:
    void set(const OpponentSamples& table) {
        seats_ = table.seats();
        best_rows_.start(table.samples());
        for (BitWords& words : sole_best_) words.assign(best_rows_.words(), 0);
        sole_best_in_all_.assign(best_rows_.words(), 0);
        for (std::size_t i = 0; i < table.samples(); ++i) {
            std::array<std::size_t, row_count> owner{};
            for (std::size_t row = 0; row < row_count; ++row) {
                Rank best = 0;
                owner[row] = max_closed_seats;
                for (std::size_t seat = 0; seat < table.seats(); ++seat) {
                    const ClosedHand& hand = table.hand(seat, i);
                    if (!hand.live || hand.rows[row] < best || hand.rows[row] == 0) continue;
                    owner[row] = hand.rows[row] > best ? seat : max_closed_seats;
                    best = hand.rows[row];
                }
                best_rows_.add(row, best, static_cast<std::uint32_t>(i));
                if (owner[row] < max_closed_seats) sole_best_[row][i / 64] |= bit_of(i);
            }
            if (owner[0] < max_closed_seats && owner[0] == owner[1] && owner[1] == owner[2]) sole_best_in_all_[i / 64] |= bit_of(i);
        }
        for (std::size_t row = 0; row < row_count; ++row) best_rows_.sort(row);
    }

    // Our values of a row, which rise; `points` then takes their numbers.
    void sweep(std::size_t row, const std::vector<Rank>& values) { best_rows_.sweep(row, values); }

    // Points of the opponents that show no board, summed over the samples.
    double value_without_board() const {
        double opponent_points = 0;
        for (const BitWords& words : sole_best_) opponent_points += bit_count(best_rows_.words(), [&](std::size_t i) { return words[i]; });
        if (all_rows_pay_more()) opponent_points += bit_count(best_rows_.words(), [&](std::size_t i) { return sole_best_in_all_[i]; });
        return -opponent_points / static_cast<double>(seats_);
    }

    // Points of a board whose rows have these numbers among the values swept.
    double points(const std::array<std::uint32_t, row_count>& ids) const {
        double own = 0;
        double opponent_points = 0;
        std::array<const std::uint64_t*, row_count> won{};
        std::array<const std::uint64_t*, row_count> lost{};
        for (std::size_t row = 0; row < row_count; ++row) {
            won[row] = best_rows_.won(row, ids[row]);
            lost[row] = best_rows_.lost(row, ids[row]);
            own += bit_count(best_rows_.words(), [&](std::size_t i) { return won[row][i]; });
            opponent_points += bit_count(best_rows_.words(), [&](std::size_t i) { return lost[row][i] & sole_best_[row][i]; });
        }
        if (all_rows_pay_more()) {
            own += bit_count(best_rows_.words(), [&](std::size_t i) { return won[0][i] & won[1][i] & won[2][i]; });
            opponent_points += bit_count(best_rows_.words(), [&](std::size_t i) { return lost[0][i] & lost[1][i] & lost[2][i] & sole_best_in_all_[i]; });
        }
        return own - opponent_points / static_cast<double>(seats_);
    }

private:
    // All three rows among four players make 4 points.
    bool all_rows_pay_more() const { return seats_ == max_closed_seats; }

    std::size_t seats_ = 1;
    OpponentRows best_rows_;
    std::array<BitWords, row_count> sole_best_;
    BitWords sole_best_in_all_;
};

}  // namespace triptych
