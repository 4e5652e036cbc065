// Python's door to what a board is worth, and to fantasylands against boards that are not known. Argument checks of
// people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <vector>

#include "owned_goal.hpp"
#include "triptych/exact/land_samples.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

// What Python is given: each field by its name, as the stub says it.
struct UnknownBoard {
    bool legal;
    double value;
    nb::tuple masks;  // cards of the pool by row
    std::size_t settings;
};

// `boards`: `each` boards a sample, 13 cards a board; one weight a sample.
UnknownBoard complete_unknown(const OwnedGoal& owned, const nb::bytes& cards, const nb::bytes& boards, std::size_t each,
                              const std::vector<double>& weights) {
    if (each < 1 || each > max_opponents || weights.empty() || boards.size() != weights.size() * each * board_size) {
        throw nb::value_error("samples of one to three boards expected");
    }
    if (!LandField::solves(owned.rules)) throw nb::value_error("higher rows may be worth less under these rules");
    need_numbers(weights, 0);
    std::vector<LandSample> samples(weights.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i].weight = weights[i];
        for (std::size_t k = 0; k < each; ++k) {
            samples[i].boards[k] = opponent_of(owned.rules, nb::bytes(boards.c_str() + (i * each + k) * board_size, board_size));
        }
    }
    Pool pool;
    for (Card card : cards_of(cards)) {
        if (pool.count == max_pool) throw nb::value_error("at most 20 cards");
        if (is_joker(card)) pool.jokers |= 1U << pool.count;
        pool.cards[pool.count++] = card;
    }
    if (pool.count < board_size) throw nb::value_error("at least 13 cards");
    Goal goal = owned.use();
    goal.opponent_count = each;
    LandAnswer best;
    {
        const nb::gil_scoped_release release;
        thread_local LandField field;
        best = field.best(goal, samples, pool);
    }
    return {best.legal, best.value, nb::make_tuple(best.masks[0], best.masks[1], best.masks[2]), best.settings};
}

}  // namespace

void init_goal(nb::module_& m) {
    nb::class_<OwnedGoal>(m, "Goal", "What a finished board is worth.")
        .def(nb::init<const RulesTable&, int, int, const std::vector<double>&, int>(), nb::arg("rules"),
             nb::arg("land_cards"), nb::arg("land_in_row"), nb::arg("land_value"), nb::arg("unknown") = 1)
        .def("add_opponent", &OwnedGoal::add_opponent, nb::arg("board"), "Adds a finished board to play against.")
        .def("set_stakes", &OwnedGoal::set_stakes, nb::arg("stacks"), nb::arg("dues"), nb::arg("cap"), nb::arg("bust_stops"),
             "Stacks that limit what the opponents pay or win.")
        .def("set_worth", &OwnedGoal::set_worth, nb::arg("front"), nb::arg("middle"), nb::arg("back"),
             "Points of each class of row against boards that are not known.");
    nb::class_<UnknownBoard>(m, "UnknownBoard")
        .def_ro("legal", &UnknownBoard::legal)
        .def_ro("value", &UnknownBoard::value)
        .def_ro("masks", &UnknownBoard::masks)
        .def_ro("settings", &UnknownBoard::settings);
    m.def("complete_unknown", &complete_unknown, nb::arg("goal"), nb::arg("pool"), nb::arg("boards"), nb::arg("each"),
          nb::arg("weights"), "The best board against a distribution of opponents.");
    m.def("solves_unknown", &LandField::solves, nb::arg("rules"), "Whether `complete_unknown` can answer under these rules.");
}
