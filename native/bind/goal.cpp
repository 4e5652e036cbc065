// Python bindings of what a board is worth, and to fantasylands against boards that are not known. Argument checks of
// people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <vector>

#include "owned_goal.hpp"
#include "results.hpp"
#include "triptych/exact/land_samples.hpp"
#include "triptych/exact/results.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

// `boards`: `each` boards a sample, 13 cards a board; one weight a sample.
UnknownBoard complete_unknown(const OwnedGoal& owned, const nb::bytes& cards, const nb::bytes& boards, std::size_t each,
                              const std::vector<double>& weights) {
    need(each >= 1 && each <= max_opponents && !weights.empty() && boards.size() == weights.size() * each * board_size,
         "samples of one to three boards expected");
    need(LandField::solves(owned.rules), "higher rows may be worth less under these rules");
    need_numbers(weights, 0);
    std::vector<LandSample> samples(weights.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i].weight = weights[i];
        for (std::size_t k = 0; k < each; ++k) {
            samples[i].boards[k] = opponent_of(owned.rules, nb::bytes(boards.c_str() + (i * each + k) * board_size, board_size));
        }
    }
    Pool pool;
    CardSet seen = 0;
    for (const Card card : different_cards(cards, seen)) {
        need(pool.count < max_pool, "at most 20 cards");
        if (is_joker(card)) pool.jokers |= 1U << pool.count;
        pool.cards[pool.count++] = card;
    }
    need(pool.count >= board_size, "at least 13 cards");
    Goal goal = owned.use();
    goal.opponent_count = each;
    LandAnswer best;
    {
        const nb::gil_scoped_release release;
        thread_local LandField field;
        best = field.best(goal, samples, pool);
    }
    return {best.legal, best.value, best.masks, static_cast<std::uint32_t>(best.settings)};
}

}  // namespace

void init_goal(nb::module_& m) {
    nb::class_<OwnedGoal>(m, "Goal",
                          "What a finished legal board is worth: points from known boards, royalties, fantasyland, row strength.")
        .def(nb::init<const RulesTable&, int, int, const std::vector<double>&, int>(), nb::arg("rules"),
             nb::arg("land_cards"), nb::arg("land_in_row"), nb::arg("land_value"), nb::arg("unknown") = 1,
             "Take the board's own fantasyland (0 = none) and the points of a next one of 0 to 17 cards.\n\n`unknown` opponents have "
             "boards that are not known: royalties and worth count once for each.")
        .def("add_opponent", &OwnedGoal::add_opponent, nb::arg("board"),
             "Add a finished board to play against, 13 cards, front first; at most three.")
        .def("set_stakes", &OwnedGoal::set_stakes, nb::arg("stacks"), nb::arg("dues"), nb::arg("cap"), nb::arg("bust_stops"),
             "Let the stacks limit what the opponents pay or win; seat 0 is the board, then the opponents in their order.\n\n`dues`: each "
             "pair of seats (a, b, what a receives from b) in the order of payment; the amounts of seat 0 come with its board. `cap`: 0 "
             "none, 1 the smaller stack at the start, 2 the smaller stack now.")
        .def("set_worth", &OwnedGoal::set_worth, nb::arg("front"), nb::arg("middle"), nb::arg("back"),
             "Set the points of a row by class against boards that are not known.\n\n`front` 27: high card, pairs 2..A, trips 2..A. "
             "`middle` and `back` 11: the categories, royal flush, five of a kind; a deuce-to-seven middle ten-low, nine-low, eight-low, "
             "seven-low, 75432.");
    m.def("complete_unknown", &complete_unknown, nb::arg("goal"), nb::arg("pool"), nb::arg("boards"), nb::arg("each"),
          nb::arg("weights"),
          "The best board of 13 to 20 cards against weighted samples of `each` boards, 13 cards a board; exact.\n\nThe goal knows no "
          "opponents itself. Of equal values the highest back, middle, front. Releases the GIL.");
    m.def("solves_unknown", &LandField::solves, nb::arg("rules"),
          "Whether `complete_unknown` can answer: higher rows are never worth less under these rules.");
}
