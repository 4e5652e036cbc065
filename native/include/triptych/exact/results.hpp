// Results of the exact solvers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "triptych/exact/completion.hpp"
#include "triptych/result.hpp"

namespace triptych {

// A board finished from a pool: the pool's cards by row, those left over; without a legal way the rows are empty.
struct FinishedBoard {
    static constexpr char name[] = "FinishedBoard";
    bool legal = false;
    double value = 0;
    RowCards rows{};
    CardList left;
    RowValues row_values{};
    int royalties = 0;
    int fantasyland = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("legal", legal)("value", value)("rows", rows)("left", left)("row_values", row_values)("royalties", royalties)("fantasyland", fantasyland);
    }

    FinishedBoard(const Objective& objective, const Pool& pool, const Completion& best) : legal(best.legal), value(best.value), row_values(best.rows) {
        const std::span<const Card> cards(pool.cards.data(), pool.count);
        for (std::size_t row = 0; row < row_count; ++row) rows[row] = CardList(cards, best.masks[row]);
        left = CardList(cards, pool.all() & ~(best.masks[0] | best.masks[1] | best.masks[2]));
        if (!legal) return;
        const RowPoints each_row = row_royalties(*objective.rules, best.rows);
        royalties = each_row[0] + each_row[1] + each_row[2];
        fantasyland = next_fantasyland(*objective.rules, best.rows, each_row, objective.fantasyland_cards, objective.fantasyland_in_row);
    }
    FinishedBoard() = default;
};

// A board set against samples: mean points, the pool's cards by row as bits, how many settings no other one beats in every row.
struct UnknownBoard {
    static constexpr char name[] = "UnknownBoard";
    bool legal = false;
    double value = 0;
    std::array<std::uint32_t, row_count> masks{};
    std::uint32_t settings = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("legal", legal)("value", value)("masks", masks)("settings", settings);
    }
};

// What a placement of a street is worth: the row of each card (3 = discard), mean or expected points, the sum of squares and the fouls
// among the samples. An exact one has no squares and one sample, and its fouls are the share of draws that end in one.
struct PlacementEstimate {
    static constexpr char name[] = "PlacementEstimate";
    std::vector<std::uint8_t> rows;
    double value = 0, squares = 0;
    std::uint32_t samples = 0;
    double fouls = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("rows", rows)("value", value)("squares", squares)("samples", samples)("fouls", fouls);
    }
};

}  // namespace triptych
