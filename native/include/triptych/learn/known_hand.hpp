// One hand as the searching player sees it. A hand in fantasyland has nothing on its board yet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "triptych/learn/finished_boards.hpp"
#include "triptych/play/deal.hpp"

namespace triptych::learn {

struct KnownHand {
    using RowSizes = std::array<std::uint8_t, row_count>;

    BoardInPlay board{};
    std::size_t streets_done = 0;
    std::uint8_t fantasyland_cards = 0;
    std::uint8_t fantasyland_in_row = 0;
    bool in_order = false;                     // whether it is known which cards came on which street
    std::array<RowSizes, max_streets> laid{};  // then: how many lay in each row after each street done
};

// Cards that lie in the rows of a board.
inline std::size_t placed_count(const BoardInPlay& board) {
    return static_cast<std::size_t>(board.rows[front_row].size + board.rows[middle_row].size + board.rows[back_row].size);
}

inline CardSet placed_cards(const BoardInPlay& board) {
    CardSet cards = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(board.rows[row].size); ++i) cards |= bit(board.cards[row_start[row] + i]);
    }
    return cards;
}

// Cards that lie on a board after so many streets.
inline std::size_t placed_after(const DealShape& shape, std::size_t streets) {
    std::size_t cards = 0;
    for (std::size_t s = 0; s < streets; ++s) cards += shape.placed[s];
    return cards;
}

// Cards that a hand is still dealt from a street on: outside fantasyland those of its streets, else all unless they lie there.
inline std::size_t still_dealt(const DealShape& shape, const KnownHand& hand, std::size_t street) {
    if (hand.fantasyland_cards > 0) return hand.board.complete() ? 0 : hand.fantasyland_cards;
    std::size_t cards = 0;
    for (; street < shape.streets; ++street) cards += shape.dealt[street];
    return cards;
}

// Whether the order of a hand's cards is consistent with its board and the game.
inline bool has_consistent_order(const KnownHand& hand, const DealShape& shape) {
    KnownHand::RowSizes before{};
    for (std::size_t s = 0; s < hand.streets_done; ++s) {
        std::size_t placed = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            if (hand.laid[s][row] < before[row]) return false;
            placed += hand.laid[s][row] - before[row];
        }
        if (placed != shape.placed[s]) return false;
        before = hand.laid[s];
    }
    for (std::size_t row = 0; row < row_count; ++row) {
        if (before[row] != hand.board.rows[row].size) return false;
    }
    return true;
}

// Notes how many cards lay in each row after each street done. Returns what is wrong with them; null where nothing is.
inline const char* set_order(KnownHand& hand, std::span<const std::uint8_t> sizes, const DealShape& shape) {
    if (sizes.size() != hand.streets_done * row_count) return "the order of a hand's cards has other streets";
    for (std::size_t i = 0; i < sizes.size(); ++i) hand.laid[i / row_count][i % row_count] = sizes[i];
    hand.in_order = true;
    return has_consistent_order(hand, shape) ? nullptr : "a hand's cards cannot have come in this order";
}

}  // namespace triptych::learn
