// Row values of a board for every card, or pair of cards, in its one or two free slots.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "triptych/score/board.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych::learn {

// Each row is read once a card, not once a pair. With a joker on the board a row has all the values that it can reach, where
// what a joker stands for does not depend on the other rows' cards.
class SlotRows {
public:
    static constexpr std::size_t most_slots = 2;

    // `filled`: cards of each row; `slot`: the free places of `cards`; `drawn`: what may come there.
    SlotRows(const RulesTable& rules, const std::array<Card, board_size>& cards, const std::array<std::size_t, row_count>& filled,
             std::span<const std::size_t> slot, std::span<const Card> drawn)
        : rules_(rules), slot_(slot), drawn_(drawn), board_(cards), apart_(slot.size() == 1 || row_of(slot[0]) != row_of(slot[1])) {
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < filled[row]; ++i) jokers_ = jokers_ || is_joker(cards[row_start[row] + i]);
        }
        if (jokers_) {
            if (rules.joker_off_board == 0) reach(filled);
            return;
        }
        for (std::size_t row = 0; row < row_count; ++row) {
            if (filled[row] == row_size[row]) full_[row] = value_of(row);
        }
        for (std::size_t s = 0; apart_ && s < slot.size(); ++s) {
            for (std::size_t i = 0; i < drawn.size(); ++i) {
                if (is_joker(drawn[i])) continue;
                board_[slot[s]] = drawn[i];
                single_[s][i] = value_of(row_of(slot[s]));
            }
        }
    }

    static std::size_t row_of(std::size_t slot) {
        return slot >= row_start[back_row] ? back_row : slot >= row_start[middle_row] ? middle_row : front_row;
    }

    // With the i-th card in the first slot and the j-th in the second, where there is one.
    RowValues with(std::size_t i, std::size_t j) {
        board_[slot_[0]] = drawn_[i];
        if (slot_.size() == 2) board_[slot_[1]] = drawn_[j];
        if (wild_) return joker_row_values(rules_, options(front_row, i, j), options(middle_row, i, j), options(back_row, i, j));
        if (jokers_ || is_joker(drawn_[i]) || is_joker(drawn_[j])) return board_values(rules_, board_.data());
        RowValues rows = full_;
        if (!apart_) {
            rows[row_of(slot_[0])] = value_of(row_of(slot_[0]));
        } else {
            for (std::size_t s = 0; s < slot_.size(); ++s) rows[row_of(slot_[s])] = single_[s][s == 0 ? i : j];
        }
        return rows;
    }

    // Whether a card on the board is wild; the values below are known only where none is.
    bool jokers() const { return jokers_; }

    // The slot's row with the i-th card, which is no joker, where each slot is the last one of its row; a full row.
    Rank alone(std::size_t slot, std::size_t i) const { return single_[slot][i]; }
    Rank full(std::size_t row) const { return full_[row]; }

private:
    void reach(const std::array<std::size_t, row_count>& filled) {
        wild_ = true;
        for (std::size_t row = 0; row < row_count; ++row) {
            if (filled[row] == row_size[row]) open_[row] = {options_of(row)};
        }
        for (std::size_t s = 0; apart_ && s < slot_.size(); ++s) {
            for (const Card card : drawn_) {
                board_[slot_[s]] = card;
                open_[row_of(slot_[s])].push_back(options_of(row_of(slot_[s])));
            }
        }
    }

    RowOptions options_of(std::size_t row) const { return row_options(rules_, board_.data(), static_cast<Row>(row), bit(first_joker) - 1); }

    // What a row of the board as it lies can reach, with the i-th card in the first slot and the j-th in the second.
    const RowOptions& options(std::size_t row, std::size_t i, std::size_t j) {
        if (row == row_of(slot_[0])) {
            if (apart_) return open_[row][i];
            open_[row].assign(1, options_of(row));
        } else if (slot_.size() == 2 && row == row_of(slot_[1])) {
            return open_[row][j];
        }
        return open_[row].front();
    }

    Rank value_of(std::size_t row) const {
        const Card* cards = board_.data() + row_start[row];
        if (row == front_row) return rank3(cards);
        return row == middle_row ? middle_value(rules_, rank5(cards)) : five_card_value(rules_, rank5(cards));
    }

    const RulesTable& rules_;
    std::span<const std::size_t> slot_;
    std::span<const Card> drawn_;
    std::array<Card, board_size> board_;
    bool apart_;
    bool jokers_ = false;
    bool wild_ = false;
    std::array<std::vector<RowOptions>, row_count> open_{};  // of a full row, or by the card in its slot
    RowValues full_{};
    std::array<std::array<Rank, 64>, most_slots> single_{};
};

}  // namespace triptych::learn
