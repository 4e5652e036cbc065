// One hand as the searching player sees it. A hand in fantasyland has nothing on its board yet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/finished.hpp"
#include "triptych/play/deal.hpp"

namespace triptych::learn {

struct SearchHand {
    using RowSizes = std::array<std::uint8_t, row_count>;

    PlayedBoard board;
    std::size_t streets_done = 0;
    std::uint8_t land_cards = 0;
    std::uint8_t land_in_row = 0;
    bool in_order = false;                     // whether it is known which cards came on which street
    std::array<RowSizes, max_streets> laid{};  // then: how many lay in each row after each street done
};

// Whether a hand whose order is said to be known can have come so.
inline bool comes_in_order(const SearchHand& hand, const DealShape& shape) {
    SearchHand::RowSizes before{};
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

}  // namespace triptych::learn
