// Results of the scorer.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "triptych/result.hpp"
#include "triptych/score/partial.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych {

// Lowest and highest value that each row can still take, rows that break the order for certain, royalties of the lowest values.
struct BoundedRows {
    static constexpr char name[] = "BoundedRows";
    RowBounds front, middle, back;
    unsigned condemned = 0;
    RowPoints royalties{};
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("front", front)("middle", middle)("back", back)("condemned", condemned)("royalties", royalties);
    }

    // `rows`: the cards of each so far; `jokers`: whether one may still come.
    BoundedRows(const RulesTable& rules, const std::array<std::span<const Card>, row_count>& rows, bool jokers) {
        CardSet own = 0;
        for (const auto& row : rows) {
            for (const Card card : row) own |= bit(card);
        }
        const CardSet free = cards_to_come(own, jokers);
        const auto bound = [&](Row row) { return row_bounds(rules, row, rows[row].data(), rows[row].size(), free); };
        front = bound(front_row);
        middle = bound(middle_row);
        back = bound(back_row);
        condemned = certainly_fouled_rows(rules, {front, middle, back});
        royalties = row_royalties(rules, {front.least, middle.least, back.least});
    }
    BoundedRows() = default;
};

// What a board of 13 cards is by itself.
struct BoardScore {
    static constexpr char name[] = "BoardScore";
    RowValues values{};
    unsigned offending = 0;
    RowPoints royalties{};
    HeldNatural natural;
    bool shows_natural = false;
    BrokenUp broken_up;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("values", values)("offending", offending)("royalties", royalties)("natural", natural)("shows_natural", shows_natural)("broken_up", broken_up);
    }

    BoardScore(const RulesTable& rules, const Card* board)
        : values(board_values(rules, board)), offending(offending_rows(rules, values)), royalties(row_royalties(rules, values)),
          natural(best_natural(rules, board)), shows_natural(triptych::shows_natural(rules, board)), broken_up(triptych::broken_up(rules, board)) {}
    BoardScore() = default;
};

struct ScoredDeal {
    static constexpr char name[] = "ScoredDeal";
    std::vector<HandScore> hands;
    std::vector<PairScore> pairs;  // 0-1, 0-2, …, 1-2, …
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("hands", hands)("pairs", pairs);
    }

    ScoredDeal(const RulesTable& rules, std::span<const Hand> given) {
        DealScore score;
        score_deal(rules, given.data(), given.size(), score);
        hands.assign(score.hands.begin(), score.hands.begin() + static_cast<std::ptrdiff_t>(given.size()));
        pairs.assign(score.pairs.begin(), score.pairs.begin() + static_cast<std::ptrdiff_t>(given.size() * (given.size() - 1) / 2));
    }
    ScoredDeal() = default;
};

}  // namespace triptych
