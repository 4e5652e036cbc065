// Python bindings of the exact solvers: what a board is worth, the best way to finish it, placements, outs. Checks of people's
// input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/exact/fantasyland_solver.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"
#include "triptych/exact/street_solver.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

constexpr double max_points = 1e12;
constexpr std::size_t max_effort = 1'000'000'000;  // samples, finished boards

void require_numbers(const std::vector<double>& numbers, double min = -max_points) {
    require(all_within(numbers, min, max_points), "a number is not finite, or absurd");
}

template <std::size_t size>
std::array<double, size> worths_of(const std::vector<double>& numbers) {
    require(numbers.size() == size, "wrong number of worths");
    require_numbers(numbers);
    return array_of<size>(numbers);
}

Opponent checked_opponent(const RulesTable& rules, std::span<const Card> board) {
    CardSet seen = 0;
    require(different_cards(board, seen).size() == board_size, "13 cards expected");
    return opponent_of(rules, board.data());
}

// A goal with the rules and stakes that it points to.
struct OwnedObjective {
    RulesTable rules;
    TableStakes stakes;
    Objective objective;

    OwnedObjective(const RulesTable& table, int cards, int in_row, const std::vector<double>& values, int unknown) : rules(table) {
        require(values.size() == objective.fantasyland_values.size(), "wrong number of fantasyland values");
        require_numbers(values);
        require(cards >= 0 && in_row >= 0 && unknown >= 0 && unknown <= static_cast<int>(max_opponents),
                "a number of cards, fantasylands or opponents is out of bounds");
        objective.rules = &rules;
        objective.fantasyland_cards = cards;
        objective.fantasyland_in_row = in_row;
        objective.unknown = unknown;
        objective.fantasyland_values = array_of<max_fantasyland_cards + 1>(values);
        int most = cards;
        for_each_fantasyland_size(rules, [&](int size) { most = std::max(most, size); });
        require(most <= static_cast<int>(max_fantasyland_cards), "a fantasyland has at most 17 cards");
    }

    OwnedObjective(const OwnedObjective&) = delete;

    void add_opponent(const nb::bytes& board) {
        require(objective.stakes == nullptr, "opponents come before stakes");
        require(objective.opponent_count < max_opponents, "at most three opponents");
        objective.opponents[objective.opponent_count++] = checked_opponent(rules, cards_of(board));
    }

    // `dues` in position order: (a, b, what a receives from b); those of seat 0 come with its board.
    void set_stakes(const std::vector<double>& stacks, const std::vector<std::tuple<std::size_t, std::size_t, double>>& dues, int cap, bool bust_stops) {
        const std::size_t seats = objective.opponent_count + 1;
        require(stacks.size() == seats && dues.size() == seats * (seats - 1) / 2 && cap >= 0 && cap <= 2,
                "a stack for each seat and a due for each pair expected");
        require_numbers(stacks, 0);
        stakes = {};
        std::copy(stacks.begin(), stacks.end(), stakes.stacks.begin());
        for (const auto& [a, b, amount] : dues) {
            require(a < seats && b < seats && a != b, "no such seat");
            require_numbers({amount});
            stakes.dues[stakes.due_count++] = {a, b, amount};
        }
        stakes.cap = static_cast<TableStakes::Cap>(cap);
        stakes.bust_stops = bust_stops;
        objective.stakes = &stakes;
    }

    void set_worth(const std::vector<double>& front, const std::vector<double>& middle, const std::vector<double>& back) {
        objective.front_worth = worths_of<front_classes>(front);
        objective.middle_worth = worths_of<five_classes>(middle);
        objective.back_worth = worths_of<five_classes>(back);
        objective.has_worth = true;
    }
};

FixedRow fixed_row(const nb::bytes& text, std::size_t size, CardSet& seen) {
    const std::span<const Card> cards = different_cards(text, seen);
    require(cards.size() <= size, "too many cards in a row");
    return FixedRow(cards);
}

using ThreeRows = std::array<nb::bytes, row_count>;

FixedRows fixed_rows(const ThreeRows& rows, CardSet& seen) { return {fixed_row(rows[0], 3, seen), fixed_row(rows[1], 5, seen), fixed_row(rows[2], 5, seen)}; }

FinishedBoard complete(const OwnedObjective& owned, const ThreeRows& fixed, const nb::bytes& text) {
    CardSet seen = 0;
    const FixedRows rows = fixed_rows(fixed, seen);
    const std::span<const Card> cards = different_cards(text, seen);
    require(cards.size() <= max_pool && cards.size() + fixed_cards(rows) >= board_size,
            "a pool holds at least the free slots of the board and at most 20 cards");
    const Pool pool(cards);
    const Objective objective = owned.objective;
    const nb::gil_scoped_release release;
    thread_local BoardCompleter completer;
    return {objective, pool, completer.solve(objective, rows, pool)};
}

// `boards`: `each` boards a sample, 13 cards a board; one weight a sample.
UnknownBoard complete_unknown(const OwnedObjective& owned, const nb::bytes& text, const nb::bytes& boards, std::size_t each,
                              const std::vector<double>& weights) {
    require(each >= 1 && each <= max_opponents && !weights.empty() && boards.size() == weights.size() * each * board_size,
            "samples of one to three boards expected");
    require(FantasylandSolver::solves(owned.rules), "higher rows may be worth less under these rules");
    require_numbers(weights, 0);
    std::vector<WeightedOpponents> samples(weights.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i].weight = weights[i];
        for (std::size_t k = 0; k < each; ++k) {
            samples[i].boards[k] = checked_opponent(owned.rules, span_of(boards).subspan((i * each + k) * board_size, board_size));
        }
    }
    CardSet seen = 0;
    const std::span<const Card> cards = different_cards(text, seen);
    require(cards.size() <= max_pool, "at most 20 cards");
    require(cards.size() >= board_size, "at least 13 cards");
    Objective objective = owned.objective;
    objective.opponent_count = each;
    const nb::gil_scoped_release release;
    thread_local FantasylandSolver field;
    const FantasylandSolution best = field.best(objective, samples, Pool(cards));
    return {best.legal, best.value, best.masks, static_cast<std::uint32_t>(best.settings)};
}

StreetQuery street_task(const ThreeRows& fixed, const nb::bytes& text, std::size_t place, const nb::bytes& others, double foul) {
    CardSet seen = 0;
    const FixedRows rows = fixed_rows(fixed, seen);
    const std::span<const Card> cards = different_cards(text, seen);
    const std::span<const Card> unseen = different_cards(others, seen);
    require_numbers({foul});
    require(cards.size() <= 5 && place <= cards.size() && fixed_cards(rows) + place <= board_size, "a street has at most five cards, and no more than fit");
    return {rows, {cards.begin(), cards.end()}, place, {unseen.begin(), unseen.end()}, 0, foul};
}

using Estimates = std::vector<PlacementEstimate>;

template <typename Run>
Estimates searched(const OwnedObjective& owned, const StreetQuery& task, const Run& run) {
    const Objective objective = owned.objective;
    const nb::gil_scoped_release release;
    thread_local StreetSolver search;
    return estimates_of(run(search, objective), task.cards.size());
}

Estimates sampled_placements(const OwnedObjective& owned, const ThreeRows& fixed, const nb::bytes& cards, std::size_t place, const nb::bytes& unseen,
                             double foul, std::size_t later, std::size_t effort, std::uint64_t seed) {
    StreetQuery task = street_task(fixed, cards, place, unseen, foul);
    task.later = later;
    require(effort <= max_effort && later <= max_pool && later <= task.unseen.size() && later >= task.free_slots(),
            "the later cards must fill the board and be among the unseen ones");
    return searched(owned, task, [&](StreetSolver& search, const Objective& objective) { return search.run(objective, task, effort, seed); });
}

Estimates exact_placements(const OwnedObjective& owned, const ThreeRows& fixed, const nb::bytes& cards, std::size_t place, const nb::bytes& unseen, double foul,
                           std::size_t dealt, bool one_by_one) {
    const StreetQuery task = street_task(fixed, cards, place, unseen, foul);
    const std::size_t slots = task.free_slots();
    require(slots <= LastStreetSolver::max_slots && task.unseen.size() >= (one_by_one ? slots : dealt) &&
                (slots == 0 || (dealt >= (one_by_one ? 1 : slots) && dealt <= 3)),
            "at most two free slots, and cards to fill them, at most three at once");
    return searched(owned, task, [&](StreetSolver& search, const Objective& objective) { return search.run_exact(objective, task, dealt, one_by_one); });
}

OutsCount count_outs(const RulesTable& rules, const ThreeRows& fixed, const nb::bytes& text, std::size_t come, std::size_t samples, std::size_t effort,
                     std::uint64_t seed) {
    CardSet seen = 0;
    const FixedRows rows = fixed_rows(fixed, seen);
    const std::span<const Card> cards = different_cards(text, seen);
    require(come <= max_pool && come <= cards.size() && fixed_cards(rows) + come >= board_size && samples > 0 && std::max(samples, effort) <= max_effort,
            "the cards to come must fill the board and be among the unseen ones");
    const std::vector<Card> unseen(cards.begin(), cards.end());
    const nb::gil_scoped_release release;
    thread_local OutsCounter counter;
    return counter.count(rules, rows, unseen, come, samples, effort, seed);
}

std::size_t class_of_full_row(const RulesTable& rules, std::size_t row, const nb::bytes& cards) {
    require(row < row_count, "a row is 0, 1 or 2");
    CardSet seen = 0;
    const FixedRow fixed = fixed_row(cards, row_size[row], seen);
    require(fixed.count == row_size[row], "the row is not full");
    return full_row_class(rules, static_cast<Row>(row), fixed);
}

}  // namespace

void init_solve(nb::module_& m) {
    nb::class_<OwnedObjective>(m, "Objective", "What a finished legal board is worth: points from known boards, royalties, fantasyland, row strength.")
        .def(nb::init<const RulesTable&, int, int, const std::vector<double>&, int>(), "rules"_a, "fantasyland_cards"_a, "fantasyland_in_row"_a,
             "fantasyland_values"_a, "unknown"_a = 1,
             "Take the board's own fantasyland (0 = none) and the points of a next one of 0 to 17 cards.\n\n`unknown` opponents have boards that are not "
             "known: royalties and worth count once for each.")
        .def("add_opponent", &OwnedObjective::add_opponent, "board"_a, "Add a finished board to play against, 13 cards, front first; at most three.")
        .def("set_stakes", &OwnedObjective::set_stakes, "stacks"_a, "dues"_a, "cap"_a, "bust_stops"_a,
             "Let the stacks limit what the opponents pay or win; seat 0 is the board, then the opponents in their order.\n\n`dues`: each pair of seats (a, b, "
             "what a receives from b) in the order of payment; the amounts of seat 0 come with its board. `cap`: 0 none, 1 the smaller stack at the start, 2 "
             "the smaller stack now.")
        .def("set_worth", &OwnedObjective::set_worth, "front"_a, "middle"_a, "back"_a,
             "Set the points of a row by class against boards that are not known.\n\n`front` 27: high card, pairs 2..A, trips 2..A. `middle` and `back` 11: "
             "the categories, royal flush, five of a kind; a deuce-to-seven middle ten-low, nine-low, eight-low, seven-low, 75432.");
    m.def("complete_unknown", &complete_unknown, "goal"_a, "pool"_a, "boards"_a, "each"_a, "weights"_a,
          "The best board of 13 to 20 cards against weighted samples of `each` boards, 13 cards a board; exact.\n\nThe goal knows no opponents itself. Of "
          "equal values the highest back, middle, front. Releases the GIL.");
    m.def("solves_unknown", &FantasylandSolver::solves, "rules"_a,
          "Whether `complete_unknown` can answer: higher rows are never worth less under these rules.");
    m.def("complete", &complete, "goal"_a, "rows"_a, "pool"_a,
          "The best way to finish a board whose rows hold the given cards, from a pool; exact, releases the GIL.");
    m.def("foul_value", [](const OwnedObjective& owned) { return owned.objective.foul_value(); }, "goal"_a,
          "Points of a board that fouls, against the goal's known boards.");
    m.def("sampled_placements", &sampled_placements, "goal"_a, "rows"_a, "cards"_a, "place"_a, "unseen"_a, "foul"_a, "later"_a, "effort"_a, "seed"_a,
          "What each placement of a street is worth, best first, by finishing about `effort` boards.\n\n`later` cards of `unseen` are shown to the board "
          "afterwards, all at once; `foul` = points of a board that cannot be legal. Releases the GIL.");
    m.def("exact_placements", &exact_placements, "goal"_a, "rows"_a, "cards"_a, "place"_a, "unseen"_a, "foul"_a, "dealt"_a, "one_by_one"_a,
          "What each placement that leaves at most two free slots is worth, best first; exact, releases the GIL.\n\nThe free slots are filled from the `dealt` "
          "(at most 3) next cards, or, `one_by_one`, by one card a street.");
    m.def("count_outs", &count_outs, "rules"_a, "rows"_a, "unseen"_a, "come"_a, "samples"_a, "effort"_a, "seed"_a,
          "What `come` cards of `unseen` can make of a board: over `samples` draws, or over all of them.\n\nAll are counted where that is no more work than "
          "`effort` samples. Releases the GIL.");
    m.def("full_row_class", &class_of_full_row, "rules"_a, "row"_a, "cards"_a,
          "Best class of a full row (0 front, 1 middle, 2 back) on its own; classes as in `CountedOuts`.");
}
