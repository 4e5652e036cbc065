// What scoops and home-runs add to the royalties of a closed deal, where they double them too (Rules §4). The points of
// rows are counted by bits; royalties differ from hand to hand, so here each scooped sample is looked at.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "triptych/closed/opponent_samples.hpp"
#include "triptych/closed/row_bitsets.hpp"
#include "triptych/closed/settings.hpp"

namespace triptych {

// Samples, one bit each, by seat: which rows a setting wins and loses, who plays on, who can be scooped, who scoops both
// other seats, who has a royalty.
struct ScoopBits {
    using Seats = std::array<BitWords, max_closed_seats>;

    std::array<RowBits, max_closed_seats> won{};
    std::array<RowBits, max_closed_seats> lost{};
    const Seats& live;
    const Seats& scoopable;
    const Seats& scoops_others;
    const Seats& royal;
    bool home_runs;

    std::size_t words() const { return live[0].size(); }
    std::uint64_t scoops(std::size_t seat, std::size_t word) const { return won[seat][0][word] & won[seat][1][word] & won[seat][2][word]; }
    std::uint64_t scooped(std::size_t seat, std::size_t word) const { return lost[seat][0][word] & lost[seat][1][word] & lost[seat][2][word]; }
    std::uint64_t home_run(std::size_t word) const { return home_runs ? scoops(0, word) & scoops(1, word) & scoops(2, word) : std::uint64_t{0}; }
};

namespace detail {

// Calls back with each sample whose bit is set in word(i).
template <typename Word, typename Visit>
void for_each_sample(std::size_t words, const Word& word, const Visit& visit) {
    for (std::size_t i = 0; i < words; ++i) {
        for (std::uint64_t left = word(i); left != 0; left &= left - 1) { visit(64 * i + static_cast<std::size_t>(std::countr_zero(left))); }
    }
}

// How often the royalty of a row is paid between a setting and another hand.
inline int times(const OpponentSamples& table, const ClosedSetting& setting, const ClosedHand& other, std::size_t row) {
    return table.doubles() && (setting.deuce == row || other.deuce == row) ? 2 : 1;
}

// Royalties of a pair in which one side wins every row, as they are paid without a scoop; `result` for the setting.
inline int pair_royalties(const OpponentSamples& table, const ClosedSetting& setting, const ClosedHand& other, int result) {
    const RulesTable& rules = table.rules();
    const bool paid = rules.foul_pays_royalties != 0;
    int points = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        const int own = paid || other.rows[row] != 0 ? setting.royalties[row] : 0;
        const int theirs = paid || setting.rows[row] != 0 ? other.royalties[row] : 0;
        points += royalty_points(rules, own, theirs, result, times(table, setting, other, row) == 2);
    }
    return points;
}

}  // namespace detail

// Sum over the samples of a board that is compared. Only those are looked at in which somebody is paid a royalty.
inline double doubled_royalties(const OpponentSamples& table, const ClosedSetting& setting, const ScoopBits& bits) {
    const RulesTable& rules = table.rules();
    const int once = scoop_factor(rules);
    const bool own = setting.royalties[0] + setting.royalties[1] + setting.royalties[2] > 0;
    const bool both = rules.royalty_row_winner == 0;  // the royalties of who is scooped are paid too
    const auto paid = [&](std::size_t seat, std::size_t i, bool mine, bool theirs) {
        return mine && own ? ~std::uint64_t{0} : theirs ? bits.royal[seat][i] : std::uint64_t{0};
    };
    double total = 0;
    for (std::size_t seat = 0; seat < table.seats(); ++seat) {
        const std::uint64_t* live = bits.live[seat].data();
        double points = 0;
        detail::for_each_sample(bits.words(), [&](std::size_t i) { return bits.scoops(seat, i) & live[i] & paid(seat, i, true, both); },
                                [&](std::size_t sample) {
            const bool all = (bits.home_run(sample / 64) & bit_of(sample)) != 0;
            points += (once * (all ? 2 : 1) - 1) * detail::pair_royalties(table, setting, table.hand(seat, sample), 1);
        });
        detail::for_each_sample(bits.words(), [&](std::size_t i) { return bits.scooped(seat, i) & live[i] & paid(seat, i, both, true); },
                                [&](std::size_t sample) {
            const bool all = bits.home_runs && (bits.scoops_others[seat][sample / 64] & bit_of(sample)) != 0;
            points += (once * (all ? 2 : 1) - 1) * detail::pair_royalties(table, setting, table.hand(seat, sample), -1);
        });
        // A fouled hand that still plays pays twice the royalties of the scoop that a foul is.
        if (bits.home_runs && rules.foul_points < 0 && rules.foul_pays_royalties != 0) {
            const auto fouled = [&](std::size_t i) { return bits.home_run(i) & bits.scoopable[seat][i] & ~live[i]; };
            detail::for_each_sample(bits.words(), fouled, [&](std::size_t sample) {
                const ClosedHand& other = table.hand(seat, sample);
                for (std::size_t row = 0; row < row_count; ++row) { points += once * setting.royalties[row] * detail::times(table, setting, other, row); }
            });
        }
        total += table.stake(seat) * points;
    }
    return total;
}

// The same for a board that fouls whole: what home-runs over it add to the royalties that it pays.
inline double doubled_royalties_of_foul(const OpponentSamples& table, const ClosedSetting& setting, const ScoopBits& bits) {
    const RulesTable& rules = table.rules();
    if (!bits.home_runs || rules.foul_points >= 0 || rules.foul_pays_royalties == 0 || rules.foul_still_plays == 0) return 0;
    double total = 0;
    for (std::size_t seat = 0; seat < max_closed_seats; ++seat) {
        double points = 0;
        const auto scooped_by_home_run = [&](std::size_t i) { return bits.scooped(seat, i) & bits.scoops_others[seat][i]; };
        detail::for_each_sample(bits.words(), scooped_by_home_run, [&](std::size_t sample) {
            const ClosedHand& other = table.hand(seat, sample);
            for (std::size_t row = 0; row < row_count; ++row) {
                points += scoop_factor(rules) * other.royalties[row] * detail::times(table, setting, other, row);
            }
        });
        total += table.stake(seat) * points;
    }
    return total;
}

}  // namespace triptych
