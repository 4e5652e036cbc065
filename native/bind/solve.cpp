// Python bindings of the solvers. Argument checks of people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "owned_goal.hpp"
#include "results.hpp"
#include "triptych/exact/lookahead.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

FixedRow fixed_row(const nb::bytes& text, std::size_t size, CardSet& seen) {
    const std::vector<Card> cards = different_cards(text, seen);
    need(cards.size() <= size, "too many cards in a row");
    FixedRow row;
    row.count = cards.size();
    std::copy(cards.begin(), cards.end(), row.cards.begin());
    return row;
}

constexpr std::size_t most_effort = 1'000'000'000;  // samples, finished boards

using ThreeRows = std::array<nb::bytes, row_count>;

FixedRows fixed_rows(const ThreeRows& rows, CardSet& seen) {
    return {fixed_row(rows[0], 3, seen), fixed_row(rows[1], 5, seen), fixed_row(rows[2], 5, seen)};
}

Pool pool_of(const nb::bytes& text, const FixedRows& rows, CardSet& seen) {
    const std::vector<Card> cards = different_cards(text, seen);
    const std::size_t placed = rows[0].count + rows[1].count + rows[2].count;
    need(cards.size() <= max_pool && cards.size() + placed >= board_size,
         "a pool holds at least the free slots of the board and at most 20 cards");
    Pool pool;
    pool.count = cards.size();
    std::copy(cards.begin(), cards.end(), pool.cards.begin());
    for (std::size_t i = 0; i < pool.count; ++i) {
        if (is_joker(pool.cards[i])) pool.jokers |= 1U << i;
    }
    return pool;
}

FinishedBoard complete(const OwnedGoal& owned, const ThreeRows& fixed, const nb::bytes& cards) {
    CardSet seen = 0;
    const FixedRows rows = fixed_rows(fixed, seen);
    const Pool pool = pool_of(cards, rows, seen);
    const Goal goal = owned.use();
    Completion best;
    {
        const nb::gil_scoped_release release;
        thread_local Completer completer;
        best = completer.solve(goal, rows, pool);
    }
    return {goal, pool, best};
}

StreetTask street_task(const ThreeRows& fixed, const nb::bytes& cards, std::size_t place, const nb::bytes& unseen,
                       double foul) {
    StreetTask task;
    CardSet seen = 0;
    task.rows = fixed_rows(fixed, seen);
    task.cards = different_cards(cards, seen);
    task.unseen = different_cards(unseen, seen);
    need_numbers({foul});
    task.place = place;
    task.foul = foul;
    const std::size_t placed = task.rows[0].count + task.rows[1].count + task.rows[2].count + place;
    need(task.cards.size() <= 5 && place <= task.cards.size() && placed <= board_size,
         "a street has at most five cards, and no more than fit");
    return task;
}

std::size_t free_slots(const StreetTask& task) {
    return board_size - task.rows[0].count - task.rows[1].count - task.rows[2].count - task.place;
}

using Estimates = std::vector<PlacementEstimate>;

Estimates estimates_of(const StreetTask& task, const std::vector<PlacementValue>& values) {
    Estimates out;
    out.reserve(values.size());
    for (const PlacementValue& value : values) {
        std::vector<std::uint8_t> rows(value.placement.begin(), value.placement.begin() + static_cast<std::ptrdiff_t>(task.cards.size()));
        out.push_back({std::move(rows), value.mean(), value.squares, static_cast<std::uint32_t>(value.samples), value.fouls});
    }
    return out;
}

template <typename Run>
Estimates searched(const OwnedGoal& owned, const StreetTask& task, const Run& run) {
    const Goal goal = owned.use();
    std::vector<PlacementValue> values;
    {
        const nb::gil_scoped_release release;
        thread_local StreetSearch search;
        values = run(search, goal);
    }
    return estimates_of(task, values);
}

Estimates sampled_placements(const OwnedGoal& owned, const ThreeRows& fixed, const nb::bytes& cards, std::size_t place,
                             const nb::bytes& unseen, double foul, std::size_t later, std::size_t effort,
                             std::uint64_t seed) {
    StreetTask task = street_task(fixed, cards, place, unseen, foul);
    task.later = later;
    need(effort <= most_effort && later <= max_pool && later <= task.unseen.size() && later >= free_slots(task),
         "the later cards must fill the board and be among the unseen ones");
    return searched(owned, task, [&](StreetSearch& search, const Goal& goal) { return search.run(goal, task, effort, seed); });
}

Estimates exact_placements(const OwnedGoal& owned, const ThreeRows& fixed, const nb::bytes& cards, std::size_t place,
                           const nb::bytes& unseen, double foul, std::size_t dealt, bool one_by_one) {
    const StreetTask task = street_task(fixed, cards, place, unseen, foul);
    const std::size_t slots = free_slots(task);
    const std::size_t needed = one_by_one ? slots : dealt;
    need(slots <= LastStreets::most_slots && task.unseen.size() >= needed &&
             (slots == 0 || (dealt >= (one_by_one ? 1 : slots) && dealt <= 3)),
         "at most two free slots, and cards to fill them, at most three at once");
    return searched(owned, task, [&](StreetSearch& search, const Goal& goal) {
        return search.run_exact(goal, task, dealt, one_by_one);
    });
}

OutsCount count_outs(const RulesTable& rules, const ThreeRows& fixed, const nb::bytes& text, std::size_t come,
                     std::size_t samples, std::size_t effort, std::uint64_t seed) {
    CardSet seen = 0;
    const FixedRows rows = fixed_rows(fixed, seen);
    const std::vector<Card> unseen = different_cards(text, seen);
    const std::size_t placed = rows[0].count + rows[1].count + rows[2].count;
    need(come <= max_pool && come <= unseen.size() && placed + come >= board_size && samples > 0 && std::max(samples, effort) <= most_effort,
         "the cards to come must fill the board and be among the unseen ones");
    const nb::gil_scoped_release release;
    thread_local OutsCounter counter;
    return counter.count(rules, rows, unseen, come, samples, effort, seed);
}

}  // namespace

void init_solve(nb::module_& m) {
    m.def("complete", &complete, nb::arg("goal"), nb::arg("rows"), nb::arg("pool"),
          "The best way to finish a board whose rows hold the given cards, from a pool; exact, releases the GIL.");
    m.def("foul_value", [](const OwnedGoal& owned) { return owned.use().foul_value(); }, nb::arg("goal"),
          "Points of a board that fouls, against the goal's known boards.");
    m.def("sampled_placements", &sampled_placements, nb::arg("goal"), nb::arg("rows"), nb::arg("cards"),
          nb::arg("place"), nb::arg("unseen"), nb::arg("foul"), nb::arg("later"), nb::arg("effort"), nb::arg("seed"),
          "What each placement of a street is worth, best first, by finishing about `effort` boards.\n\n`later` cards of `unseen` are "
          "shown to the board afterwards, all at once; `foul` = points of a board that cannot be legal. Releases the GIL.");
    m.def("exact_placements", &exact_placements, nb::arg("goal"), nb::arg("rows"), nb::arg("cards"), nb::arg("place"),
          nb::arg("unseen"), nb::arg("foul"), nb::arg("dealt"), nb::arg("one_by_one"),
          "What each placement that leaves at most two free slots is worth, best first; exact, releases the GIL.\n\nThe free slots are "
          "filled from the `dealt` (at most 3) next cards, or, `one_by_one`, by one card a street.");
    m.def("count_outs", &count_outs, nb::arg("rules"), nb::arg("rows"), nb::arg("unseen"), nb::arg("come"),
          nb::arg("samples"), nb::arg("effort"), nb::arg("seed"),
          "What `come` cards of `unseen` can make of a board: over `samples` draws, or over all of them.\n\nAll are counted where that is no more work than "
          "`effort` samples. Releases the GIL.");
    m.def(
        "full_row_class",
        [](const RulesTable& rules, std::size_t row, const nb::bytes& cards) {
            need(row < row_count, "a row is 0, 1 or 2");
            CardSet seen = 0;
            const FixedRow fixed = fixed_row(cards, row_size[row], seen);
            need(fixed.count == row_size[row], "the row is not full");
            return full_row_class(rules, static_cast<Row>(row), fixed);
        },
        nb::arg("rules"), nb::arg("row"), nb::arg("cards"),
          "Best class of a full row (0 front, 1 middle, 2 back) on its own; classes as in `CountedOuts`.");
}
