// The best setting of 13 cards against samples of opponents, exact against these samples under any rules, and what
// every setting is worth (Rules §3 and §4). Points are means over the samples, against all seats together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/closed/first_to_11.hpp"
#include "triptych/closed/opponent_samples.hpp"
#include "triptych/closed/row_bitsets.hpp"
#include "triptych/closed/royalty_doubling.hpp"
#include "triptych/closed/settings.hpp"

namespace triptych {

struct ClosedValue {
    ClosedSetting setting;
    double points = 0;
    std::array<double, row_count> won{};  // chance against a seat
    std::array<double, row_count> lost{};
    double scoops = 0;  // chance to win all three rows of a seat
    double scooped = 0;
};

class ClosedSolver {
public:
    // The best of all settings; of equal ones a legal one, then the highest back, middle and front.
    const ClosedValue& best(const OpponentSamples& table, const Card* cards) {
        all_settings_.set(table.rules(), cards);
        all_settings_.undominated(settings_);
        prepare(table, false);
        std::size_t top = 0;
        double best_points = points(0);
        for (std::size_t i = 1; i < settings_.size(); ++i) {
            const double value = points(i);
            if (value > best_points || (value == best_points && is_preferred(settings_[i], settings_[top]))) {
                best_points = value;
                top = i;
            }
        }
        best_ = {settings_[top], best_points / samples_, {}, {}, 0, 0};
        return best_;
    }

    // All settings from the best down; `values` has closed_settings entries afterwards.
    void rank(const OpponentSamples& table, const Card* cards, std::vector<ClosedValue>& values) {
        all_settings_.set(table.rules(), cards);
        all_settings_.all(settings_);
        prepare(table, true);
        values.resize(settings_.size());
        for (std::size_t i = 0; i < settings_.size(); ++i) values[i] = details(i);
        std::sort(values.begin(), values.end(), [](const ClosedValue& a, const ClosedValue& b) {
            if (a.points != b.points) return a.points > b.points;
            return is_preferred(a.setting, b.setting);
        });
    }

    // One setting, given as the 13 cards of a board, front first.
    ClosedValue value(const OpponentSamples& table, const Card* board) {
        all_settings_.set(table.rules(), board);
        settings_ = {all_settings_.setting(0x0007, 0x00F8, 0x1F00)};
        prepare(table, true);
        return details(0);
    }

    // Points without a board of one's own: naturals and surrenders of the others, and their share of the table's points.
    double value_without_board(const OpponentSamples& table, double points) {
        prepare_first_to_11(table);
        return (points + table_points_absent()) / static_cast<double>(table.samples());
    }

private:
    static bool is_preferred(const ClosedSetting& a, const ClosedSetting& b) {
        if ((a.offending == 0) != (b.offending == 0)) return a.offending == 0;
        const auto order = [](const RowValues& rows) { return std::array{rows[back_row], rows[middle_row], rows[front_row]}; };
        if (a.rows != b.rows) return order(a.rows) > order(b.rows);
        return std::array{a.masks[2], a.masks[1]} < std::array{b.masks[2], b.masks[1]};
    }

    bool is_fouled(const ClosedSetting& setting) const { return setting.offending != 0 && rules_->foul_rows == 0; }

    void prepare(const OpponentSamples& table, bool always) {
        table_ = &table;
        rules_ = &table.rules();
        samples_ = static_cast<double>(table.samples());
        parts_ = RowPointTerms(*rules_);
        home_runs_ = rules_->home_run_doubles != 0 && table.seats() == max_closed_seats;
        royalties_double_ = rules_->doubles_all != 0 && (home_runs_ || rules_->scoop_doubles != 0);
        needs_joint_rows_ = always || home_runs_ || royalties_double_ || parts_.two != 0 || parts_.three != 0 || parts_.majority != 0;
        for (std::size_t row = 0; row < row_count; ++row) prepare_row(row);
        if (needs_joint_rows_) prepare_seats();
        if (prepare_first_to_11(table)) {
            for (std::size_t row = 0; row < row_count; ++row) first_to_11_.sweep(row, values_[row]);
        }
        natural_ = all_settings_.held().entry < 0 ? 0 : table.natural(all_settings_.held()) + table_points_absent();
    }

    void prepare_row(std::size_t row) {
        auto& values = values_[row];
        values.clear();
        for (const ClosedSetting& setting : settings_) values.push_back(setting.rows[row]);
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        ids_[row].resize(settings_.size());
        for (std::size_t i = 0; i < settings_.size(); ++i) {
            ids_[row][i] = static_cast<std::uint32_t>(std::lower_bound(values.begin(), values.end(), settings_[i].rows[row]) - values.begin());
        }
        worth_[row].clear();
        for (Rank value : values) { worth_[row].push_back({table_->row(row, value, false), table_->row(row, value, true)}); }
    }

    void prepare_seats() {
        const std::size_t samples = table_->samples();
        const std::size_t words = (samples + 63) / 64;
        for (std::size_t seat = 0; seat < table_->seats(); ++seat) {
            opponent_rows_[seat].start(samples);
            live_[seat].assign(words, 0);
            scoopable_[seat].assign(words, 0);
            royal_[seat].assign(words, 0);
            std::vector<std::uint32_t> begin(table_->pool().hands.size() + 1, 0);
            for (std::uint32_t hand : table_->seat(seat)) ++begin[hand + 1];
            for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
            by_hand_.resize(samples);
            std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
            for (std::size_t i = 0; i < samples; ++i) {
                const std::uint32_t hand = table_->index(seat, i);
                by_hand_[next[hand]++] = static_cast<std::uint32_t>(i);
                const ClosedHand& other = table_->pool().hands[hand];
                if (other.live) live_[seat][i / 64] |= bit_of(i);
                if (compared(other)) scoopable_[seat][i / 64] |= bit_of(i);
                if (other.royalties != RowPoints{}) royal_[seat][i / 64] |= bit_of(i);
            }
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::uint32_t hand : table_->pool().order[row]) {
                    if (begin[hand] == begin[hand + 1]) continue;
                    const ClosedHand& other = table_->pool().hands[hand];
                    if (!compared(other)) continue;
                    for (std::uint32_t at = begin[hand]; at < begin[hand + 1]; ++at) { opponent_rows_[seat].add(row, other.rows[row], by_hand_[at]); }
                }
                opponent_rows_[seat].sweep(row, values_[row]);
            }
        }
        if (home_runs_) prepare_home_runs();
    }

    // Whether a hand's rows are looked at: those of a fouled board only for home-runs, where it still plays.
    bool compared(const ClosedHand& hand) const { return hand.live || (hand.dead && rules_->foul_still_plays != 0); }

    // Samples in which a seat scoops both other seats.
    void prepare_home_runs() {
        for (std::size_t seat = 0; seat < max_closed_seats; ++seat) {
            scoops_others_[seat].assign(live_[seat].size(), 0);
            for (std::size_t i = 0; i < table_->samples(); ++i) {
                const ClosedHand& own = table_->hand(seat, i);
                bool all = own.live;
                for (std::size_t j = 0; all && j < max_closed_seats; ++j) {
                    const ClosedHand& other = table_->hand(j, i);
                    all = j == seat || (compared(other) && rows_won(row_results(own.rows, other.rows)) == 3);
                }
                if (all) scoops_others_[seat][i / 64] |= bit_of(i);
            }
        }
    }

    // Whether the table pays; prepares its points then.
    bool prepare_first_to_11(const OpponentSamples& table) {
        table_scoring_ = static_cast<RowScoring>(table.rules().scoring) == RowScoring::first_to_11;
        if (table_scoring_) first_to_11_.set(table);
        return table_scoring_;
    }

    double table_points_absent() const { return table_scoring_ ? first_to_11_.value_without_board() : 0.0; }
    double table_points(std::size_t at) const { return first_to_11_.points({ids_[0][at], ids_[1][at], ids_[2][at]}); }

    // Sum over the samples.
    double points(std::size_t at) const {
        const ClosedSetting& setting = settings_[at];
        if (setting.natural) return natural_;
        if (is_fouled(setting)) {
            const double doubled = royalties_double_ ? doubled_royalties_of_foul(*table_, setting, scoop_bits(at)) : 0.0;
            return table_->foul(setting.deuce) + table_points_absent() - home_runs_lost(at, true) - doubled;
        }
        double total = table_->besides_rows(setting.offending == 0);
        for (std::size_t row = 0; row < row_count; ++row) {
            const OpponentSamples::RowWorth& worth = worth_[row][ids_[row][at]][table_->doubles() && setting.deuce == row ? 1 : 0];
            total += parts_.each[row] * (worth.won - worth.lost) + worth.points + setting.royalties[row] * worth.paid;
        }
        if (parts_.two != 0 || parts_.three != 0 || parts_.majority != 0) total += joint_points(at);
        if (home_runs_) total += home_runs_won(at) - home_runs_lost(at, false);
        if (royalties_double_) total += doubled_royalties(*table_, setting, scoop_bits(at));
        if (table_scoring_) total += table_points(at);
        return total;
    }

    double joint_points(std::size_t at) const {
        double total = 0;
        for (std::size_t seat = 0; seat < table_->seats(); ++seat) {
            total += table_->stake(seat) *
                     (one_side(seat, rows_at(seat, at, true), rows_at(seat, at, false)) - one_side(seat, rows_at(seat, at, false), rows_at(seat, at, true)));
        }
        return total;
    }

    RowBits rows_at(std::size_t seat, std::size_t at, bool won) const {
        RowBits bits{};
        for (std::size_t row = 0; row < row_count; ++row) {
            bits[row] = won ? opponent_rows_[seat].won(row, ids_[row][at]) : opponent_rows_[seat].lost(row, ids_[row][at]);
        }
        return bits;
    }

    double one_side(std::size_t seat, const RowBits& a, const RowBits& b) const {
        const std::size_t words = live_[seat].size();
        const std::uint64_t* live = live_[seat].data();
        double total = 0;
        const auto two = [&](std::size_t i) { return (a[0][i] & a[1][i]) | (a[2][i] & (a[0][i] | a[1][i])); };
        if (parts_.two != 0) total += parts_.two * bit_count(words, [&](std::size_t i) { return two(i) & live[i]; });
        if (parts_.three != 0) total += parts_.three * bit_count(words, [&](std::size_t i) { return a[0][i] & a[1][i] & a[2][i] & live[i]; });
        if (parts_.majority != 0) {
            total += parts_.majority *
                     bit_count(words, [&](std::size_t i) { return (two(i) | ((a[0][i] | a[1][i] | a[2][i]) & ~(b[0][i] | b[1][i] | b[2][i]))) & live[i]; });
        }
        return total;
    }

    // Points of scooping all three seats beyond those of the three scoops.
    double home_runs_won(std::size_t at) const {
        const std::size_t words = live_[0].size();
        std::array<RowBits, max_closed_seats> won{};
        for (std::size_t seat = 0; seat < max_closed_seats; ++seat) won[seat] = rows_at(seat, at, true);
        double total = 0;
        for (std::size_t seat = 0; seat < max_closed_seats; ++seat) {
            const BitWords& paying = rules_->foul_points < 0 ? scoopable_[seat] : live_[seat];
            total += table_->stake(seat) * bit_count(words, [&](std::size_t i) {
                std::uint64_t all = paying[i];
                for (std::size_t j = 0; j < max_closed_seats; ++j) all &= won[j][0][i] & won[j][1][i] & won[j][2][i];
                return all;
            });
        }
        return total * scoop_value(*rules_);
    }

    // What the seats' home-runs over this board cost; a fouled board suffers one only where it still plays.
    double home_runs_lost(std::size_t at, bool fouled) const {
        if (!home_runs_ || (fouled && (rules_->foul_still_plays == 0 || rules_->foul_points >= 0))) return 0;
        double total = 0;
        for (std::size_t seat = 0; seat < max_closed_seats; ++seat) {
            const RowBits lost = rows_at(seat, at, false);
            total += table_->stake(seat) *
                     bit_count(live_[seat].size(), [&](std::size_t i) { return lost[0][i] & lost[1][i] & lost[2][i] & scoops_others_[seat][i]; });
        }
        return total * scoop_value(*rules_);
    }

    ScoopBits scoop_bits(std::size_t at) const {
        ScoopBits bits{{}, {}, live_, scoopable_, scoops_others_, royal_, home_runs_};
        for (std::size_t seat = 0; seat < table_->seats(); ++seat) {
            bits.won[seat] = rows_at(seat, at, true);
            bits.lost[seat] = rows_at(seat, at, false);
        }
        return bits;
    }

    ClosedValue details(std::size_t at) const {
        ClosedValue result;
        result.setting = settings_[at];
        result.points = points(at) / samples_;
        if (result.setting.natural || is_fouled(result.setting)) return result;
        const double hands = samples_ * static_cast<double>(table_->seats());
        for (std::size_t seat = 0; seat < table_->seats(); ++seat) {
            const BitWords& live = live_[seat];
            const RowBits won = rows_at(seat, at, true);
            const RowBits lost = rows_at(seat, at, false);
            for (std::size_t row = 0; row < row_count; ++row) {
                result.won[row] += bit_count(live.size(), [&](std::size_t i) { return won[row][i] & live[i]; }) / hands;
                result.lost[row] += bit_count(live.size(), [&](std::size_t i) { return lost[row][i] & live[i]; }) / hands;
            }
            result.scoops += bit_count(live.size(), [&](std::size_t i) { return won[0][i] & won[1][i] & won[2][i] & live[i]; }) / hands;
            result.scooped += bit_count(live.size(), [&](std::size_t i) { return lost[0][i] & lost[1][i] & lost[2][i] & live[i]; }) / hands;
        }
        return result;
    }

    ClosedSettings all_settings_;
    std::vector<ClosedSetting> settings_;
    ClosedValue best_;
    const OpponentSamples* table_ = nullptr;
    const RulesTable* rules_ = nullptr;
    double samples_ = 1;
    RowPointTerms parts_{RulesTable{}};
    bool home_runs_ = false;
    bool royalties_double_ = false;
    bool table_scoring_ = false;
    bool needs_joint_rows_ = false;
    double natural_ = 0;                               // points of a setting that shows the natural of the cards
    std::array<std::vector<Rank>, row_count> values_;  // our values of a row, rising
    std::array<std::vector<std::uint32_t>, row_count> ids_;
    std::array<std::vector<std::array<OpponentSamples::RowWorth, 2>>, row_count> worth_;
    std::vector<std::uint32_t> by_hand_;
    std::array<OpponentRows, max_closed_seats> opponent_rows_;
    std::array<BitWords, max_closed_seats> live_;
    std::array<BitWords, max_closed_seats> scoopable_;
    std::array<BitWords, max_closed_seats> scoops_others_;
    std::array<BitWords, max_closed_seats> royal_;
    FirstTo11Points first_to_11_;
};

}  // namespace triptych
