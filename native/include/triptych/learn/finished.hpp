// The boards that a hand may end with on its last street, and the values of their rows: each row is read once for all
// boards that share it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "triptych/learn/choose.hpp"
#include "triptych/learn/joker_rows.hpp"

namespace triptych::learn {

// A board as the learner sees it and as the scorer wants it.
struct PlayedBoard {
    Board rows{};
    std::array<Card, board_size> cards{};
    std::optional<RowValues> values{};  // of a finished board, where they have been read

    void place(const Placement& placement, const Card* drawn, std::size_t count) {
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t card = 0; card < count; ++card) {
                if ((placement.row[row] >> card & 1U) == 0) continue;
                cards[row_start[row] + rows[row].size] = drawn[card];
                rows[row].add(drawn[card]);
            }
        }
    }

    bool complete() const { return rows[0].size + rows[1].size + rows[2].size == static_cast<int>(board_size); }
};

inline RowValues values_of(const RulesTable& rules, const PlayedBoard& board) {
    return board.values ? *board.values : board_values(rules, board.cards.data());
}

// A placement of the last street and what it makes.
struct Finished {
    Placement placement;
    std::array<Card, board_size> cards{};
    RowValues rows{};
};

class FinishedBoards {
public:
    FinishedBoards(const RulesTable& rules, const PlayedBoard& board, const Card* drawn, std::size_t dealt)
        : rules_(rules), board_(board), drawn_(drawn), dealt_(dealt) {
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < board.rows[row].size; ++i) wild_[row] = wild_[row] || is_joker(board.cards[row_start[row] + i]);
            joker_ = joker_ || wild_[row];
        }
        for (std::size_t card = 0; card < dealt; ++card) jokers_ |= static_cast<std::uint8_t>(is_joker(drawn[card]) ? 1U << card : 0U);
    }

    // `visit(finished)` for every placement that fits, in their order.
    template <typename Visit>
    void each(std::size_t placed, const Visit& visit) {
        Finished finished;
        for (const Placement& placement : placements(dealt_, placed)) {
            if (!fits(board_.rows, placement)) continue;
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
    RowValues plain(const Finished& finished) {
        return {highest(finished, front_row), highest(finished, middle_row), highest(finished, back_row)};
    }

    // The highest value of a row, a joker or not.
    Rank highest(const Finished& finished, Row row) {
        const std::uint8_t subset = finished.placement.row[row];
        if ((known_[row] >> subset & 1U) == 0) {
            known_[row] |= 1U << subset;
            value_[row][subset] = read(finished, row, any_value);
        }
        return value_[row][subset];
    }

    // The same of those that are at most `most`; 0 = none is.
    Rank read(const Finished& finished, Row row, Rank most) const {
        const std::uint8_t subset = finished.placement.row[row];
        if (!wild_[row] && (subset & jokers_) == 0) {
            const Rank value = row_value(rules_, row, finished.cards.data());
            return value <= most ? value : 0;
        }
        PartialRow full = board_.rows[row];
        for (std::size_t card = 0; card < dealt_; ++card) {
            if ((subset >> card & 1U) != 0) full.add(drawn_[card]);
        }
        return JokerRows::of(rules_).highest(full, most);
    }

    // Where what a joker stands for does not depend on the other rows' cards, its row reaches the same values in all boards.
    RowValues wild(const Finished& finished) {
        if (rules_.joker_off_board != 0) return board_values(rules_, finished.cards.data());
        if (highest_from_the_back(rules_)) {
            return values_from_the_back(rules_, [&](Row row, Rank most) {
                const Rank value = highest(finished, row);
                return value <= most ? value : read(finished, row, most);
            });
        }
        options_.reserve(most_options);
        std::array<const RowOptions*, row_count> of{};
        for (std::size_t row = 0; row < row_count; ++row) of[row] = options(finished, static_cast<Row>(row));
        return joker_row_values(rules_, *of[front_row], *of[middle_row], *of[back_row]);
    }

    const RowOptions* options(const Finished& finished, Row row) {
        const std::uint8_t subset = finished.placement.row[row];
        for (const Options& one : options_) {
            if (one.row == row && one.subset == subset) return &one.options;
        }
        options_.push_back({row, subset, row_options(rules_, finished.cards.data(), row, real_cards)});
        return &options_.back().options;
    }

    struct Options {
        Row row;
        std::uint8_t subset;
        RowOptions options;
    };

    static constexpr CardSet real_cards = bit(first_joker) - 1;
    static constexpr std::size_t most_options = row_count << max_street_cards;  // so that none of them moves

    const RulesTable& rules_;
    const PlayedBoard& board_;
    const Card* drawn_;
    std::size_t dealt_;
    std::array<bool, row_count> wild_{};  // rows of the board with a joker
    bool joker_ = false;                   // whether there is one
    std::uint8_t jokers_ = 0;  // of the cards that were drawn, a bit each
    std::array<std::uint32_t, row_count> known_{};
    std::array<std::array<Rank, std::size_t{1} << max_street_cards>, row_count> value_;  // where it is known
    std::vector<Options> options_;
};

}  // namespace triptych::learn
