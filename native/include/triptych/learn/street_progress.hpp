// Progress of a placement street by street: how often the board is certain to foul after each street, how often
// fantasyland is sure unless it fouls, and the royalties that its rows have whatever comes. All by the learned choice, with
// the same cards for every placement.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/belief.hpp"
#include "triptych/learn/rollout.hpp"
#include "triptych/score/partial.hpp"

namespace triptych::learn {

// Sums over rollouts, after a street.
struct StreetSums {
    double fouls = 0;
    double fantasylands = 0;
    double royalties = 0;
};

using Streets = std::array<StreetSums, max_streets>;

class StreetProgress {
public:
    StreetProgress(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : rules_(rules), last_(shape.streets - 1), rollout_(value, rules, shape, strengths), belief_(value, rules, shape, strengths) {}

    // By street from 0; nothing stands before the task's own. The rollouts `first` … of a seed.
    Streets compute(const SearchTask& task, const Placement& placement, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
        Streets streets{};
        belief_.update(task);
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            rollout_.deal_out(task, random, belief_.draw(random));
            const auto hands = rollout_.finish(task, placement, [&](std::size_t street, const BoardInPlay& board) {
                if (!board.complete()) add_outcome(task, board, streets[street]);
            });
            // The last street may have been placed after all others.
            add_outcome(task, hands[task.me].board, streets[last_]);
        }
        return streets;
    }

private:
    void add_outcome(const SearchTask& task, const BoardInPlay& board, StreetSums& sums) const {
        CardSet own = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < board.rows[row].size; ++i) own |= bit(board.cards[row_start[row] + i]);
        }
        std::array<RowBounds, row_count> bounds;
        RowValues least{};
        if (board.complete()) {
            least = board_values(rules_, board.cards.data());
            sums.fouls += is_legal(rules_, least) ? 0 : 1;
            if (!is_legal(rules_, least)) return;
        } else {
            // A joker, on the board or still to come, can also stand for cards that lie elsewhere.
            const CardSet to_come = task.unseen & ~own;
            const bool joker = ((to_come | own) >> first_joker) != 0;
            const CardSet free = joker ? cards_to_come(own, true) : to_come;
            for (std::size_t row = 0; row < row_count; ++row) {
                bounds[row] = row_bounds(rules_, static_cast<Row>(row), &board.cards[row_start[row]], board.rows[row].size, free);
                least[row] = bounds[row].least;
            }
            if (certainly_fouled_rows(rules_, bounds) != 0) {
                sums.fouls += 1;
                return;
            }
        }
        const RowPoints royalties = row_royalties(rules_, least);
        sums.royalties += royalties[0] + royalties[1] + royalties[2];
        sums.fantasylands += next_fantasyland(rules_, least, royalties, 0, 0) > 0 ? 1 : 0;
    }

    const RulesTable& rules_;
    std::size_t last_;
    Rollout rollout_;
    Belief belief_;
};

}  // namespace triptych::learn
