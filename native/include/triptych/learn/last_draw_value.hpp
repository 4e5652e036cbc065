// Expected value of a board before its last draw, by the learned weights: enumerates every draw and its best placement.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>

#include "triptych/learn/best_pair_in_triples.hpp"
#include "triptych/learn/self_play.hpp"
#include "triptych/learn/slot_values.hpp"

namespace triptych::learn {

class LastDrawValue {
public:
    // `additive`: a board's value is the sum of its rows' values, whatever the rules say (faster).
    LastDrawValue(const RulesTable& rules, const StrengthThresholds& strengths, const Outcomes& weights, bool additive = false)
        : rules_(rules), strengths_(strengths), weights_(weights), adds_up_(additive || adds_up(rules)) {}

    // Whether all that is left after a street is one draw of three cards for two slots, or one card a street for each
    // of at most two slots.
    static bool is_enumerable(const DealShape& shape, std::size_t street) {
        const std::size_t left = shape.streets - street - 1;
        if (left == 1 && shape.dealt[street + 1] == 3 && shape.placed[street + 1] == 2) return true;
        if (left == 0 || left > SlotValues::max_slots) return false;
        return std::all_of(shape.dealt.begin() + static_cast<std::ptrdiff_t>(street) + 1, shape.dealt.begin() + static_cast<std::ptrdiff_t>(shape.streets),
                           [](int dealt) { return dealt == 1; });
    }

    // `at_once`: three cards are drawn for the two slots; else one card per street for each.
    double expect(const BoardInPlay& board, CardSet unseen, bool at_once) {
        if (enumerate(board, unseen) == 1) return single_mean_;
        if (!at_once) return mean_one_by_one();
        BestPairInTriples triples(count_);
        set_pairs(triples);
        return triples.mean();
    }

    // What one of the draws brings more than all of them do on average; it is of the `unseen` cards, three of them
    // for the two slots or one for one.
    double luck(const BoardInPlay& board, CardSet unseen, const Card* draw) {
        if (enumerate(board, unseen) == 1) return single_points_[index_of(draw[0])] - single_mean_;
        BestPairInTriples triples(count_);
        set_pairs(triples);
        const std::array<std::size_t, 3> drawn = {index_of(draw[0]), index_of(draw[1]), index_of(draw[2])};
        float best_points = -std::numeric_limits<float>::max();
        for (const std::size_t i : drawn) {
            for (const std::size_t j : drawn) best_points = i == j ? best_points : std::max(best_points, pair_points_[i][j]);
        }
        return static_cast<double>(best_points) - triples.mean();
    }

    // The draws of three cards for two slots, prepared to exclude cards. Cards are numbered in their order.
    std::unique_ptr<BestPairInTriples> excludable_draws(const BoardInPlay& board, CardSet unseen) {
        enumerate(board, unseen);
        auto triples = std::make_unique<BestPairInTriples>(count_);
        set_pairs(*triples);
        triples->prepare_exclusion();
        return triples;
    }

private:
    static constexpr std::size_t max_cards = 64;

    // Computes the value of every final board; returns the number of slots.
    std::size_t enumerate(const BoardInPlay& board, CardSet unseen) {
        std::array<std::size_t, row_count> filled{};
        std::array<std::size_t, SlotValues::max_slots> slot{};
        std::size_t slots = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            filled[row] = board.rows[row].size;
            for (std::size_t i = filled[row]; i < row_size[row]; ++i) slot[slots++] = row_start[row] + i;
        }
        unseen_ = unseen;
        count_ = 0;
        for (CardSet left = unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
        SlotValues rows(rules_, board.cards, filled, {slot.data(), slots}, {card_.data(), count_});
        if (slots == 1) {
            single_mean_ = fill_single_slot(rows);
            return slots;
        }
        const std::size_t upper = SlotValues::row_of(slot[0]);
        const std::size_t lower = SlotValues::row_of(slot[1]);
        const bool jokers = rows.jokers() || is_joker(card_[count_ - 1]);
        if (!adds_up_ || (jokers && !maximises_from_back(rules_))) {
            for_each_pair([&](std::size_t i, std::size_t j) { pair_points_[i][j] = points(rows.with(i, j)); });
        } else if (upper == lower) {
            fill_row(rows, upper);
        } else {
            if (!rows.jokers()) fill_sums(rows, upper, lower);
            if (jokers) fill_jokers(rows, upper, lower);
        }
        return slots;
    }

    // Whether a legal board's value is the sum of its rows' values: only the front leads to fantasyland.
    static bool adds_up(const RulesTable& rules) {
        const FantasylandConditions list = entry_conditions(rules);
        return rules.one_per_board == 0 && std::all_of(list.begin(), list.end(), [](const FantasylandCondition& condition) {
            return condition.middle == 0 && condition.back == 0 && condition.royalties == 0;
        });
    }

    float points(const RowValues& rows) const { return final_points(weights_, rules_, strengths_, rows); }

    // Value of a row of a legal board.
    float row_points(std::size_t row, Rank value) const {
        const int royalty = row == front_row ? front_royalty(rules_, value) : row == middle_row ? middle_royalty(rules_, value) : back_royalty(rules_, value);
        float sum = weights_[royalty_outcome + row] * static_cast<float>(royalty);
        for (std::size_t bin = 0; bin < strength_bins; ++bin) {
            sum += value > strengths_[row][bin] ? weights_[strength_outcome + row * strength_bins + bin] : 0;
        }
        const int fantasyland = row == front_row ? next_fantasyland(rules_, {value, 0, 0}, {}, 0, 0) : 0;
        return fantasyland >= 13 ? sum + weights_[fantasyland_outcome + static_cast<std::size_t>(fantasyland - 13)] : sum;
    }

    // Whether the rules compare these two rows, the upper one first.
    bool are_compared(std::size_t upper, std::size_t lower) const {
        return rules_.middle_low != 0 ? upper == front_row && lower == back_row : lower == upper + 1;
    }

    // The minimum of the lower row under this upper row.
    Rank min_lower(Rank upper) const { return rules_.strict_order != 0 ? upper + 1 : upper; }

    bool is_ordered(std::size_t row, Rank value, std::size_t full, Rank full_value) const {
        if (rules_.middle_low != 0 && ((row == middle_row && !low_fits(rules_, value)) || (full == middle_row && !low_fits(rules_, full_value)))) return false;
        if (row < full) return !are_compared(row, full) || full_value >= min_lower(value);
        return !are_compared(full, row) || value >= min_lower(full_value);
    }

    // All final boards where each slot completes a row: one comparison and one sum per pair of cards.
    void fill_sums(SlotValues& rows, std::size_t upper, std::size_t lower) {
        const std::size_t full = front_row + middle_row + back_row - upper - lower;
        const Rank full_value = rows.full(full);
        const bool ordered = are_compared(upper, lower);
        std::array<float, max_cards> lower_points;
        std::array<Rank, max_cards> upper_limit;  // above the minimum that the upper row requires; 0 = never legal
        for (std::size_t j = 0; j < count_; ++j) {
            const Rank value = is_joker(card_[j]) ? 0 : rows.alone(1, j);
            lower_points[j] = row_points(lower, value);
            upper_limit[j] = !is_ordered(lower, value, full, full_value) ? 0 : ordered ? value + 1 : 1;
        }
        const float base = row_points(full, full_value);
        const float foul = weights_[foul_outcome];
        for (std::size_t i = 0; i < count_; ++i) {
            const Rank value = is_joker(card_[i]) ? 0 : rows.alone(0, i);
            const float sum = base + row_points(upper, value);
            const Rank required = !is_ordered(upper, value, full, full_value) ? std::numeric_limits<Rank>::max() : ordered ? min_lower(value) : 0;
            for (std::size_t j = 0; j < count_; ++j) pair_points_[i][j] = required < upper_limit[j] ? sum + lower_points[j] : foul;
        }
    }

    // All final boards where both slots are in one row.
    void fill_row(SlotValues& rows, std::size_t row) {
        const std::size_t above = row == front_row ? middle_row : front_row;
        const std::size_t below = row == back_row ? middle_row : back_row;
        const float base = rows.jokers() ? 0 : row_points(above, rows.full(above)) + row_points(below, rows.full(below));
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const RowValues values = rows.with(i, j);
                const float others = rows.jokers() ? row_points(above, values[above]) + row_points(below, values[below]) : base;
                pair_points_[i][j] = pair_points_[j][i] = is_legal(rules_, values) ? others + row_points(row, values[row]) : weights_[foul_outcome];
            }
        }
    }

    // All final boards with a joker, on the board or drawn, where each slot completes a row. The value of the rows below the upper one
    // is computed once per card, and so is the upper row's at its highest.
    void fill_jokers(SlotValues& rows, std::size_t upper, std::size_t lower) {
        const std::size_t full = front_row + middle_row + back_row - upper - lower;
        const ReachableValues full_value = rows.reach(full, 0, 0);
        const Rank excludable_draws = rules_.strict_order != 0 ? 1 : 0;
        const float foul = weights_[foul_outcome];
        std::array<Rank, max_cards> below;  // the row directly below the upper one; 0 = none is legal
        std::array<float, max_cards> lower_points;
        for (std::size_t j = 0; j < count_; ++j) {
            const ReachableValues reach = rows.reach(lower, 0, j);
            below[j] = full == back_row ? reach.highest(*full_value.first - excludable_draws) : *reach.first;
            lower_points[j] = row_points(lower, below[j]);
            if (full == back_row) lower_points[j] += row_points(full, *full_value.first);
            if (full != middle_row) continue;
            below[j] = full_value.highest(below[j] - excludable_draws);
            lower_points[j] += row_points(full, below[j]);
        }
        // What the upper row adds at a value, with a full front that stands on it; false = that cannot.
        const auto upper_points = [&](Rank value, float& sum) {
            if (value == 0) return false;
            sum = row_points(upper, value);
            if (full != front_row) return true;
            const Rank front = full_value.highest(value - excludable_draws);
            sum += row_points(full, front);
            return front != 0;
        };
        for (std::size_t i = 0; i < count_; ++i) {
            const ReachableValues reach = rows.reach(upper, i, 0);
            const Rank highest = *reach.first;
            float best_points = 0;
            const bool is_ordered = upper_points(highest, best_points);
            for (std::size_t j = 0; j < count_; ++j) {
                if (i == j || !(rows.jokers() || is_joker(card_[i]) || is_joker(card_[j]))) continue;
                float sum = best_points;
                bool legal = is_ordered && below[j] != 0;
                if (legal && highest > below[j] - excludable_draws) legal = upper_points(reach.highest(below[j] - excludable_draws), sum);
                pair_points_[i][j] = legal ? sum + lower_points[j] : foul;
            }
        }
    }

    template <typename Visit>
    void for_each_pair(const Visit& visit) const {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < count_; ++j) {
                if (i != j) visit(i, j);
            }
        }
    }

    // Index of a card among the unseen ones, which are sorted.
    std::size_t index_of(Card card) const { return static_cast<std::size_t>(std::popcount(unseen_ & (bit(card) - 1))); }

    double fill_single_slot(SlotValues& rows) {
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) sum += single_points_[i] = static_cast<double>(points(rows.with(i, i)));
        return sum / static_cast<double>(count_);
    }

    void set_pairs(BestPairInTriples& triples) const {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < i; ++j) triples.set(i, j, std::max(pair_points_[i][j], pair_points_[j][i]));
        }
    }

    // The first card chooses its slot before the second is seen.
    double mean_one_by_one() const {
        std::array<double, max_cards> first{};   // the i-th card is drawn first and goes to the first slot
        std::array<double, max_cards> second{};  // or to the second
        for_each_pair([&](std::size_t i, std::size_t j) {
            first[i] += static_cast<double>(pair_points_[i][j]);
            second[j] += static_cast<double>(pair_points_[i][j]);
        });
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) sum += std::max(first[i], second[i]);
        return sum / static_cast<double>(count_ * (count_ - 1));
    }

    const RulesTable& rules_;
    const StrengthThresholds& strengths_;
    const Outcomes& weights_;
    bool adds_up_;
    double single_mean_ = 0;                       // with one slot
    std::array<double, max_cards> single_points_;  // and by the card in it
    std::array<Card, max_cards> card_{};
    CardSet unseen_ = 0;
    std::size_t count_ = 0;
    std::array<std::array<float, max_cards>, max_cards> pair_points_;  // by the cards of the two slots, written before it is read
};

}  // namespace triptych::learn
