// Row values of a board for every card, or pair of cards, in its one or two free slots.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "triptych/learn/joker_rows.hpp"
#include "triptych/score/board.hpp"

namespace triptych::learn {

// Each row is read once a card, not once a pair; with a joker, it has all the values that it can take.
class SlotValues {
public:
    static constexpr std::size_t max_slots = 2;

    // `filled`: cards of each row; `slot`: the free places of `cards`; `drawn`: what may come there.
    SlotValues(const RulesTable& rules, const std::array<Card, board_size>& cards, const std::array<std::size_t, row_count>& filled,
               std::span<const std::size_t> slot, std::span<const Card> drawn)
        : rules_(rules), slot_(slot), drawn_(drawn), board_(cards), apart_(slot.size() == 1 || row_of(slot[0]) != row_of(slot[1])) {
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < filled[row]; ++i) wild_[row] = wild_[row] || is_joker(cards[row_start[row] + i]);
            jokers_ = jokers_ || wild_[row];
        }
        for (std::size_t row = 0; row < row_count; ++row) {
            if (filled[row] == row_size[row]) read(row, wild_[row], full_[row], full_reach_[row]);
        }
        for (std::size_t s = 0; apart_ && s < slot.size(); ++s) {
            const std::size_t row = row_of(slot[s]);
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                board_[slot[s]] = drawn[i];
                read(row, wild_[row] || is_joker(drawn[i]), single_[s][i], single_reach_[s][i]);
            }
        }
    }
    SlotValues(const SlotValues&) = delete;  // what rows reach points into it

    static std::size_t row_of(std::size_t slot) { return slot >= row_start[back_row] ? back_row : slot >= row_start[middle_row] ? middle_row : front_row; }

    // With the i-th card in the first slot and the j-th in the second, where there is one.
    RowValues with(std::size_t i, std::size_t j) {
        board_[slot_[0]] = drawn_[i];
        if (slot_.size() == 2) board_[slot_[1]] = drawn_[j];
        if (jokers_ || is_joker(drawn_[i]) || is_joker(drawn_[j])) {
            if (!JokerRows::applies_to(rules_)) return board_values(rules_, board_.data());
            return best_legal_values(rules_, {reach(front_row, i, j), reach(middle_row, i, j), reach(back_row, i, j)});
        }
        RowValues rows = full_;
        if (!apart_) {
            rows[row_of(slot_[0])] = row_value(rules_, static_cast<Row>(row_of(slot_[0])), board_.data());
        } else {
            for (std::size_t s = 0; s < slot_.size(); ++s) rows[row_of(slot_[s])] = single_[s][s == 0 ? i : j];
        }
        return rows;
    }

    // Whether a card on the board is wild; the values below are known only where none is.
    bool jokers() const { return jokers_; }

    // The slot's row with the i-th card, which is not a joker, where each slot is the last one of its row; a full row.
    Rank alone(std::size_t slot, std::size_t i) const { return single_[slot][i]; }
    Rank full(std::size_t row) const { return full_[row]; }

    // What a row can take with the i-th card in the first slot and the j-th in the second, one of the same row as the board has them
    // now; where jokers may repeat cards.
    ReachableValues reach(std::size_t row, std::size_t i, std::size_t j) {
        if (row == row_of(slot_[0])) {
            if (apart_) return single_reach_[0][i];
            read(row, wild_[row] || is_joker(drawn_[i]) || is_joker(drawn_[j]), full_[row], full_reach_[row]);
        } else if (slot_.size() == 2 && row == row_of(slot_[1])) {
            return single_reach_[1][j];
        }
        return full_reach_[row];
    }

private:
    // A full row as the board has it now: its value, or, with a joker, all that it can take.
    void read(std::size_t row, bool wild, Rank& value, ReachableValues& reach) const {
        if (!wild) {
            value = row_value(rules_, static_cast<Row>(row), board_.data());
            reach = {&value, &value + 1};
        } else if (JokerRows::applies_to(rules_)) {
            PartialRow full;
            for (std::size_t i = 0; i < row_size[row]; ++i) full.add(board_[row_start[row] + i]);
            reach = JokerRows::of(rules_).reach(static_cast<Row>(row), full);
        }
    }

    const RulesTable& rules_;
    std::span<const std::size_t> slot_;
    std::span<const Card> drawn_;
    std::array<Card, board_size> board_;
    bool apart_;
    bool jokers_ = false;                 // on the board
    std::array<bool, row_count> wild_{};  // which rows hold them
    RowValues full_{};
    std::array<ReachableValues, row_count> full_reach_;  // these are written before they are read
    std::array<std::array<Rank, 64>, max_slots> single_;
    std::array<std::array<ReachableValues, 64>, max_slots> single_reach_;
};

}  // namespace triptych::learn
