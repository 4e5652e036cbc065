// The placements of a street and their learned values, from rows that are evaluated once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/learn/row_subsets.hpp"
#include "triptych/score/board.hpp"

namespace triptych::learn {

// Which of the street's cards go to front, middle and back, as bit masks; the rest is discarded.
struct Placement {
    std::array<std::uint8_t, 3> row{};
};

using RowMasks = std::array<std::uint32_t, row_count>;  // of a decision's cards: which go to front, middle, back

// All ways to place `placed` of `dealt` cards into rows, without regard to what the rows hold.
inline std::vector<Placement> all_placements(std::size_t dealt, std::size_t placed) {
    std::vector<Placement> result;
    std::size_t codes = 1;
    for (std::size_t i = 0; i < dealt; ++i) codes *= 4;
    for (std::size_t code = 0; code < codes; ++code) {
        Placement placement;
        std::size_t discarded = 0;
        for (std::size_t card = 0, rest = code; card < dealt; ++card, rest /= 4) {
            if (rest % 4 == 3) {
                ++discarded;
            } else {
                placement.row[rest % 4] |= static_cast<std::uint8_t>(1U << card);
            }
        }
        if (discarded == dealt - placed) result.push_back(placement);
    }
    return result;
}

// The placements of every street size that a game can have, made once.
inline const std::vector<Placement>& placements(std::size_t dealt, std::size_t placed) {
    static const auto table = [] {
        std::array<std::array<std::vector<Placement>, max_street_cards + 1>, max_street_cards + 1> all;
        for (std::size_t n = 1; n <= max_street_cards; ++n) {
            for (std::size_t k = 1; k <= n; ++k) all[n][k] = all_placements(n, k);
        }
        return all;
    }();
    return table[dealt][placed];
}

inline bool is_placeable(const Board& board, const Placement& placement) {
    return board[0].size + std::popcount(placement.row[0]) <= 3 && board[1].size + std::popcount(placement.row[1]) <= 5 &&
           board[2].size + std::popcount(placement.row[2]) <= 5;
}

// The rows that each subset of the street's cards would make, with what they add to the value on their own.
class RowCache {
public:
    RowCache() {}  // to be read row by row

    template <typename Value>
    RowCache(const Value& value, const Board& board, const Card* cards, std::size_t dealt, std::size_t placed, const LiveCards& live) {
        const StreetCards street(cards, dealt, live);
        for (std::size_t row = 0; row < 3; ++row) read(value, row, board[row], street, placed, live);
    }

    template <typename Value>
    [[gnu::always_inline]] void read(const Value& value, std::size_t row, const PartialRow& placed_row, const StreetCards& cards, std::size_t placed,
                                     const LiveCards& live) {
        const std::size_t free_slots = (row == 0 ? 3U : 5U) - placed_row.size;
        for_each_row_subset(placed_row, cards, std::min(free_slots, placed), live, [&](std::size_t mask, const RowKey& key) {
            float points = 0;
            value.map().for_each_row_entry(row, key, live, [&](std::uint32_t entry) { points += value.points(entry); });
            entries_[row][mask] = {points, value.map().row_class(key.state), static_cast<std::uint8_t>(key.size)};
        });
    }

    // A row that another board holds too.
    void copy(std::size_t row, const RowCache& other, std::size_t dealt) {
        std::copy_n(other.entries_[row].begin(), std::size_t{1} << dealt, entries_[row].begin());
    }

    template <typename Value>
    float points(const Value& value, const Placement& placement) const {
        const Entry& front = entries_[0][placement.row[0]];
        const Entry& middle = entries_[1][placement.row[1]];
        const Entry& back = entries_[2][placement.row[2]];
        const FeatureMap& map = value.map();
        return front.points + middle.points + back.points + value.points(map.pair(0, front.cls, middle.cls)) + value.points(map.pair(1, middle.cls, back.cls)) +
               value.points(map.pair(2, front.cls, back.cls)) + value.points(map.shape(front.size, middle.size, back.size));
    }

private:
    struct Entry {
        float points;
        std::uint16_t cls;
        std::uint8_t size;
    };
    std::array<std::array<Entry, max_subsets>, 3> entries_;  // written before it is read: where it fits
};

}  // namespace triptych::learn
