// What a board is worth by the learned weights before its last draw: every draw, played in the best way, counted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>

#include "triptych/learn/selfplay.hpp"
#include "triptych/learn/slot_rows.hpp"
#include "triptych/learn/threes.hpp"

namespace triptych::learn {

class LastDraw {
public:
    // `rough`: a board is worth the sum of its rows, whatever the rules say.
    LastDraw(const RulesTable& rules, const Strengths& strengths, const Outcomes& weights, bool rough = false)
        : rules_(rules), strengths_(strengths), weights_(weights), adds_up_(rough || adds_up(rules)) {}

    // Whether all that is left after a street is one draw of three cards for two slots, or one card a street for each
    // of at most two slots.
    static bool counts(const DealShape& shape, std::size_t street) {
        const std::size_t left = shape.streets - street - 1;
        if (left == 1 && shape.dealt[street + 1] == 3 && shape.placed[street + 1] == 2) return true;
        if (left == 0 || left > SlotRows::most_slots) return false;
        return std::all_of(shape.dealt.begin() + static_cast<std::ptrdiff_t>(street) + 1,
                           shape.dealt.begin() + static_cast<std::ptrdiff_t>(shape.streets), [](int dealt) { return dealt == 1; });
    }

    // `at_once`: three cards come for the two slots; else one card a street for each.
    double expect(const PlayedBoard& board, CardSet unseen, bool at_once) {
        if (lay(board, unseen) == 1) return one_;
        if (!at_once) return in_turn();
        Threes found(count_);
        lay_threes(found);
        return found.mean();
    }

    // What one of the draws brings more than all of them do on average; it is of the `unseen` cards, three of them
    // for the two slots or one for one.
    double luck(const PlayedBoard& board, CardSet unseen, const Card* draw) {
        if (lay(board, unseen) == 1) return ones_[place_of(draw[0])] - one_;
        Threes found(count_);
        lay_threes(found);
        const std::array<std::size_t, 3> drawn = {place_of(draw[0]), place_of(draw[1]), place_of(draw[2])};
        float most = -std::numeric_limits<float>::max();
        for (const std::size_t i : drawn) {
            for (const std::size_t j : drawn) most = i == j ? most : std::max(most, ends_[i][j]);
        }
        return static_cast<double>(most) - found.mean();
    }

    // Every three cards for the two slots, told apart by the cards, which come in their order.
    std::unique_ptr<Threes> apart(const PlayedBoard& board, CardSet unseen) {
        lay(board, unseen);
        auto found = std::make_unique<Threes>(count_);
        lay_threes(*found);
        found->tell_apart();
        return found;
    }

private:
    static constexpr std::size_t most_cards = 64;

    // Every ending; returns how many slots there are.
    std::size_t lay(const PlayedBoard& board, CardSet unseen) {
        std::array<std::size_t, row_count> filled{};
        std::array<std::size_t, SlotRows::most_slots> slot{};
        std::size_t slots = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            filled[row] = board.rows[row].size;
            for (std::size_t i = filled[row]; i < row_size[row]; ++i) slot[slots++] = row_start[row] + i;
        }
        unseen_ = unseen;
        count_ = 0;
        for (CardSet left = unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
        SlotRows rows(rules_, board.cards, filled, {slot.data(), slots}, {card_.data(), count_});
        if (slots == 1) {
            one_ = one_slot(rows);
            return slots;
        }
        const std::size_t upper = SlotRows::row_of(slot[0]);
        const std::size_t lower = SlotRows::row_of(slot[1]);
        const bool jokers = rows.jokers() || is_joker(card_[count_ - 1]);
        if (!adds_up_ || (jokers && !highest_from_the_back(rules_))) {
            each_pair([&](std::size_t i, std::size_t j) { ends_[i][j] = points(rows.with(i, j)); });
        } else if (upper == lower) {
            lay_row(rows, upper);
        } else {
            if (!rows.jokers()) lay_sums(rows, upper, lower);
            if (jokers) lay_jokers(rows, upper, lower);
        }
        return slots;
    }

    // Whether a legal board is worth the sum of what its rows are worth; then the front alone brings fantasyland.
    static bool adds_up(const RulesTable& rules) {
        const LandList list = entry_conditions(rules);
        return rules.one_per_board == 0 && std::all_of(list.begin(), list.end(), [](const LandCondition& condition) {
            return condition.middle == 0 && condition.back == 0 && condition.royalties == 0;
        });
    }

    float points(const RowValues& rows) const { return final_points(weights_, rules_, strengths_, rows); }

    // What a row of a legal board adds.
    float row_points(std::size_t row, Rank value) const {
        const int royalty = row == front_row    ? front_royalty(rules_, value)
                            : row == middle_row ? middle_royalty(rules_, value)
                                                : back_royalty(rules_, value);
        float sum = weights_[royalty_outcome + row] * static_cast<float>(royalty);
        for (std::size_t bin = 0; bin < strength_bins; ++bin) {
            sum += value > strengths_[row][bin] ? weights_[strength_outcome + row * strength_bins + bin] : 0;
        }
        const int land = row == front_row ? next_fantasyland(rules_, {value, 0, 0}, {}, 0, 0) : 0;
        return land >= 13 ? sum + weights_[land_outcome + static_cast<std::size_t>(land - 13)] : sum;
    }

    // Whether the order of the rows asks something of these two, the upper one first.
    bool compared(std::size_t upper, std::size_t lower) const {
        return rules_.middle_low != 0 ? upper == front_row && lower == back_row : lower == upper + 1;
    }

    // What the lower row must reach so that the upper one stands above it.
    Rank least_below(Rank upper) const { return rules_.strict_order != 0 ? upper + 1 : upper; }

    bool stands(std::size_t row, Rank value, std::size_t full, Rank beside) const {
        if (rules_.middle_low != 0 && ((row == middle_row && !low_fits(rules_, value)) || (full == middle_row && !low_fits(rules_, beside)))) return false;
        if (row < full) return !compared(row, full) || beside >= least_below(value);
        return !compared(full, row) || value >= least_below(beside);
    }

    // Every ending, where each slot is the last one of its row: one comparison and one sum a pair of cards.
    void lay_sums(SlotRows& rows, std::size_t upper, std::size_t lower) {
        const std::size_t full = front_row + middle_row + back_row - upper - lower;
        const Rank beside = rows.full(full);
        const bool ordered = compared(upper, lower);
        std::array<float, most_cards> added;
        std::array<Rank, most_cards> reaches;  // above what the upper row asks of the lower one, 0 = never
        for (std::size_t j = 0; j < count_; ++j) {
            const Rank value = is_joker(card_[j]) ? 0 : rows.alone(1, j);
            added[j] = row_points(lower, value);
            reaches[j] = !stands(lower, value, full, beside) ? 0 : ordered ? value + 1 : 1;
        }
        const float base = row_points(full, beside);
        const float foul = weights_[foul_outcome];
        for (std::size_t i = 0; i < count_; ++i) {
            const Rank value = is_joker(card_[i]) ? 0 : rows.alone(0, i);
            const float sum = base + row_points(upper, value);
            const Rank asks = !stands(upper, value, full, beside) ? std::numeric_limits<Rank>::max() : ordered ? least_below(value) : 0;
            for (std::size_t j = 0; j < count_; ++j) ends_[i][j] = asks < reaches[j] ? sum + added[j] : foul;
        }
    }

    // Every ending, where both slots are of one row.
    void lay_row(SlotRows& rows, std::size_t row) {
        const std::size_t above = row == front_row ? middle_row : front_row;
        const std::size_t below = row == back_row ? middle_row : back_row;
        const float base = rows.jokers() ? 0 : row_points(above, rows.full(above)) + row_points(below, rows.full(below));
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const RowValues values = rows.with(i, j);
                const float others = rows.jokers() ? row_points(above, values[above]) + row_points(below, values[below]) : base;
                ends_[i][j] = ends_[j][i] = is_legal(rules_, values) ? others + row_points(row, values[row]) : weights_[foul_outcome];
            }
        }
    }

    // Every ending with a joker, on the board or drawn, where each slot is the last one of its row: what the rows below the upper
    // one add is found once a card, and so is what it adds at its highest.
    void lay_jokers(SlotRows& rows, std::size_t upper, std::size_t lower) {
        const std::size_t full = front_row + middle_row + back_row - upper - lower;
        const Reach beside = rows.reach(full, 0, 0);
        const Rank apart = rules_.strict_order != 0 ? 1 : 0;
        const float foul = weights_[foul_outcome];
        std::array<Rank, most_cards> below;  // the row that the upper one stands on; 0 = there is none
        std::array<float, most_cards> added;
        for (std::size_t j = 0; j < count_; ++j) {
            const Reach reach = rows.reach(lower, 0, j);
            below[j] = full == back_row ? reach.highest(*beside.first - apart) : *reach.first;
            added[j] = row_points(lower, below[j]);
            if (full == back_row) added[j] += row_points(full, *beside.first);
            if (full != middle_row) continue;
            below[j] = beside.highest(below[j] - apart);
            added[j] += row_points(full, below[j]);
        }
        // What the upper row adds at a value, with a full front that stands on it; false = that cannot.
        const auto adds = [&](Rank value, float& sum) {
            if (value == 0) return false;
            sum = row_points(upper, value);
            if (full != front_row) return true;
            const Rank front = beside.highest(value - apart);
            sum += row_points(full, front);
            return front != 0;
        };
        for (std::size_t i = 0; i < count_; ++i) {
            const Reach reach = rows.reach(upper, i, 0);
            const Rank highest = *reach.first;
            float most = 0;
            const bool stands = adds(highest, most);
            for (std::size_t j = 0; j < count_; ++j) {
                if (i == j || !(rows.jokers() || is_joker(card_[i]) || is_joker(card_[j]))) continue;
                float sum = most;
                bool legal = stands && below[j] != 0;
                if (legal && highest > below[j] - apart) legal = adds(reach.highest(below[j] - apart), sum);
                ends_[i][j] = legal ? sum + added[j] : foul;
            }
        }
    }

    template <typename Found>
    void each_pair(const Found& found) const {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < count_; ++j) {
                if (i != j) found(i, j);
            }
        }
    }

    // Among the cards that may come, which lie in order.
    std::size_t place_of(Card card) const { return static_cast<std::size_t>(std::popcount(unseen_ & (bit(card) - 1))); }

    double one_slot(SlotRows& rows) {
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) sum += ones_[i] = static_cast<double>(points(rows.with(i, i)));
        return sum / static_cast<double>(count_);
    }

    void lay_threes(Threes& found) const {
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < i; ++j) found.set(i, j, std::max(ends_[i][j], ends_[j][i]));
        }
    }

    // The first card chooses its slot before the second is seen.
    double in_turn() const {
        std::array<double, most_cards> first{};   // the i-th card comes first and goes to the first slot
        std::array<double, most_cards> second{};  // or to the second
        each_pair([&](std::size_t i, std::size_t j) {
            first[i] += static_cast<double>(ends_[i][j]);
            second[j] += static_cast<double>(ends_[i][j]);
        });
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) sum += std::max(first[i], second[i]);
        return sum / static_cast<double>(count_ * (count_ - 1));
    }

    const RulesTable& rules_;
    const Strengths& strengths_;
    const Outcomes& weights_;
    bool adds_up_;
    double one_ = 0;  // with one slot
    std::array<double, most_cards> ones_;  // and by the card in it
    std::array<Card, most_cards> card_{};
    CardSet unseen_ = 0;
    std::size_t count_ = 0;
    std::array<std::array<float, most_cards>, most_cards> ends_;  // by the cards of the two slots, written before it is read
};

}  // namespace triptych::learn
