// The boards that a hand may end with on its last street, and the values of their rows: each row is read once for all
// boards that share it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "triptych/learn/joker_rows.hpp"
#include "triptych/learn/placements.hpp"

namespace triptych::learn {

// A board as the learner sees it and as the scorer wants it.
struct BoardInPlay {
    Board rows{};
    std::array<Card, board_size> cards{};
    std::optional<RowValues> values{};  // of a finished board, where they have been read

    void place(const Placement& placement, const Card* drawn, std::size_t count) {
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t card = 0; card < count; ++card) {
                if ((placement.row[row] >> card & 1U) != 0) add(row, drawn[card]);
            }
        }
    }

    void add(std::size_t row, Card card) {
        cards[row_start[row] + rows[row].size] = card;
        rows[row].add(card);
    }

    bool complete() const { return rows[0].size + rows[1].size + rows[2].size == static_cast<int>(board_size); }
};

inline RowValues values_of(const RulesTable& rules, const BoardInPlay& board) { return board.values ? *board.values : board_values(rules, board.cards.data()); }

// A placement of the last street and what it makes.
struct FinishedPlacement {
    Placement placement;
    std::array<Card, board_size> cards{};
    RowValues rows{};
};

class FinishedBoards {
public:
    FinishedBoards(const RulesTable& rules, const BoardInPlay& board, const Card* drawn, std::size_t dealt)
        : rules_(rules), board_(board), drawn_(drawn), dealt_(dealt) {
        for (const PartialRow& row : board.rows) joker_ = joker_ || row.wild();
        for (std::size_t card = 0; card < dealt; ++card) jokers_ |= static_cast<std::uint8_t>(is_joker(drawn[card]) ? 1U << card : 0U);
    }

    // `visit(finished)` for every placement that fits, in their order.
    template <typename Visit>
    void each(std::size_t placed, const Visit& visit) {
        FinishedPlacement finished;
        for (const Placement& placement : placements(dealt_, placed)) {
            if (!is_placeable(board_.rows, placement)) continue;
            finished.placement = placement;
            finished.cards = board_.cards;
            for (std::size_t row = 0; row < row_count; ++row) {
                std::size_t at = row_start[row] + board_.rows[row].size;
                for (std::size_t card = 0; card < dealt_; ++card) {
                    if ((placement.row[row] >> card & 1U) != 0) finished.cards[at++] = drawn_[card];
                }
            }
            const unsigned used = placement.row[0] | placement.row[1] | placement.row[2];
            finished.rows = joker_ || (used & jokers_) != 0 ? wild(finished) : plain(finished);
            visit(std::as_const(finished));
        }
    }

private:
    RowValues plain(const FinishedPlacement& finished) { return {plain(finished, front_row), plain(finished, middle_row), plain(finished, back_row)}; }

    Rank plain(const FinishedPlacement& finished, Row row) {
        const std::uint8_t subset = finished.placement.row[row];
        if ((known_[row] >> subset & 1U) == 0) {
            known_[row] |= 1U << subset;
            value_[row][subset] = row_value(rules_, row, finished.cards.data());
        }
        return value_[row][subset];
    }

    RowValues wild(const FinishedPlacement& finished) {
        if (!JokerRows::applies_to(rules_)) return board_values(rules_, finished.cards.data());
        return best_legal_values(rules_, {reach(finished, front_row), reach(finished, middle_row), reach(finished, back_row)});
    }

    ReachableValues reach(const FinishedPlacement& finished, Row row) {
        const std::uint8_t subset = finished.placement.row[row];
        if (!board_.rows[row].wild() && (subset & jokers_) == 0) {
            plain(finished, row);
            return {&value_[row][subset], &value_[row][subset] + 1};
        }
        if ((known_[row] >> subset & 1U) == 0) {
            known_[row] |= 1U << subset;
            PartialRow full = board_.rows[row];
            for (std::size_t card = 0; card < dealt_; ++card) {
                if ((subset >> card & 1U) != 0) full.add(drawn_[card]);
            }
            reach_[row][subset] = JokerRows::of(rules_).reach(row, full);
        }
        return reach_[row][subset];
    }

    template <typename Of>
    using BySubset = std::array<std::array<Of, std::size_t{1} << max_street_cards>, row_count>;

    const RulesTable& rules_;
    const BoardInPlay& board_;
    const Card* drawn_;
    std::size_t dealt_;
    bool joker_ = false;       // on the board
    std::uint8_t jokers_ = 0;  // of the cards that were drawn, a bit each
    std::array<std::uint32_t, row_count> known_{};
    BySubset<Rank> value_;             // of rows without jokers, where they are known
    BySubset<ReachableValues> reach_;  // of the others
};

}  // namespace triptych::learn
