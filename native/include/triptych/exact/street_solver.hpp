// Values of the placements of an open street: exact when at most two slots stay free, sampled before.
//
// A sample fixes all cards of the later streets and finishes the board in the best way. That is too optimistic when
// more than one street is left, which is why the caller may show fewer cards than will come. All placements are
// finished with the same cards, and only the better half of them goes on to the next round.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/exact/last_street_solver.hpp"
#include "triptych/exact/results.hpp"
#include "triptych/play/random.hpp"

namespace triptych {

// Where the cards of a street go: a row, or row_count for a discard.
using Placement = std::array<std::uint8_t, 5>;

struct PlacementValue {
    Placement placement{};
    double sum = 0;
    double squares = 0;
    std::size_t samples = 0;
    double fouls = 0;
    double mean() const { return samples == 0 ? 0 : sum / static_cast<double>(samples); }
};

struct StreetQuery {
    FixedRows rows{};
    std::vector<Card> cards;   // of this street, at most five
    std::size_t place = 0;     // how many of them go into rows
    std::vector<Card> unseen;  // cards that may still come
    std::size_t later = 0;     // cards shown to the board on later streets, at least its free slots then
    double foul = 0;           // points of a board that cannot be legal

    std::size_t free_slots() const { return board_size - fixed_cards(rows) - place; }  // after it
};

// Values of placements of so many cards as results.
inline std::vector<PlacementEstimate> estimates_of(const std::vector<PlacementValue>& values, std::size_t cards) {
    std::vector<PlacementEstimate> estimates;
    estimates.reserve(values.size());
    for (const PlacementValue& value : values) {
        estimates.push_back({{value.placement.begin(), value.placement.begin() + static_cast<std::ptrdiff_t>(cards)},
                             value.mean(),
                             value.squares,
                             static_cast<std::uint32_t>(value.samples),
                             value.fouls});
    }
    return estimates;
}

class StreetSolver {
public:
    // Values of all placements, best first, after about `effort` finished boards.
    std::vector<PlacementValue> run(const Objective& objective, const StreetQuery& task, std::size_t effort, std::uint64_t seed) {
        list(task);
        std::vector<Card> unseen = task.unseen;
        Shuffler shuffler(seed);
        std::size_t alive = values_.size();
        std::size_t rounds = 1;
        while ((alive >> rounds) > 0) ++rounds;
        while (alive > 1) {
            const std::size_t samples = std::max<std::size_t>(1, effort / (rounds * alive));
            for (std::size_t i = 0; i < samples; ++i) {
                shuffler.draw(unseen, task.later);
                for (std::size_t v = 0; v < alive; ++v) finish(objective, task, values_[v], unseen.data());
            }
            order(alive);
            alive = (alive + 1) / 2;
        }
        return values_;
    }

    // Exact values of all placements that leave at most two free slots, best first. The board then receives `dealt`
    // cards at once, or, `one_by_one`, one a street.
    std::vector<PlacementValue> run_exact(const Objective& objective, const StreetQuery& task, std::size_t dealt, bool one_by_one) {
        list(task);
        for (PlacementValue& value : values_) {
            const FixedRows rows = placed(task, value.placement);
            if (rows[0].count + rows[1].count + rows[2].count == board_size) {
                const Completion& whole = completer_.solve(objective, rows, Pool{});
                value.sum = whole.legal ? whole.value : task.foul;
                value.fouls = whole.legal ? 0 : 1;
            } else {
                const ExpectedValue result = last_.expect(objective, rows, task.unseen, dealt, one_by_one, task.foul);
                value.sum = result.value;
                value.fouls = result.fouls;
            }
            value.samples = 1;
        }
        order(values_.size());
        return values_;
    }

private:
    void list(const StreetQuery& task) {
        values_.clear();
        std::array<std::size_t, row_count> free{};
        for (std::size_t row = 0; row < row_count; ++row) free[row] = row_size[row] - task.rows[row].count;
        Placement placement{};
        extend(task, free, placement, 0, task.cards.size() - task.place);
    }

    void extend(const StreetQuery& task, std::array<std::size_t, row_count>& free, Placement& placement, std::size_t next, std::size_t discards) {
        if (next == task.cards.size()) {
            if (discards == 0) values_.push_back({placement, 0, 0, 0, 0});
            return;
        }
        for (std::size_t row = 0; row < row_count; ++row) {
            if (free[row] == 0) continue;
            --free[row];
            placement[next] = static_cast<std::uint8_t>(row);
            extend(task, free, placement, next + 1, discards);
            ++free[row];
        }
        if (discards > 0) {
            placement[next] = row_count;
            extend(task, free, placement, next + 1, discards - 1);
        }
    }

    static FixedRows placed(const StreetQuery& task, const Placement& placement) {
        FixedRows rows = task.rows;
        for (std::size_t i = 0; i < task.cards.size(); ++i) {
            if (placement[i] == row_count) continue;
            FixedRow& row = rows[placement[i]];
            row.cards[row.count++] = task.cards[i];
        }
        return rows;
    }

    void finish(const Objective& objective, const StreetQuery& task, PlacementValue& value, const Card* drawn) {
        const FixedRows rows = placed(task, value.placement);
        const Completion& best = completer_.solve(objective, rows, Pool({drawn, task.later}));
        const double points = best.legal ? std::max(best.value, task.foul) : task.foul;
        value.sum += points;
        value.squares += points * points;
        ++value.samples;
        if (!best.legal) ++value.fouls;
    }

    void order(std::size_t alive) {
        std::stable_sort(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(alive),
                         [](const PlacementValue& a, const PlacementValue& b) { return a.mean() > b.mean(); });
    }

    BoardCompleter completer_;
    LastStreetSolver last_;
    std::vector<PlacementValue> values_;
};

}  // namespace triptych
