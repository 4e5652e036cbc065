// Python bindings of the learner: self-play, and its tables.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "learner.hpp"
#include "results.hpp"

using namespace triptych;
using namespace triptych::bind;

void init_learn(nb::module_& m) {
    m.attr("OUTCOMES") = static_cast<std::size_t>(outcome_count);
    m.attr("STRENGTH_BINS") = strength_bins;
    nb::class_<Learner>(m, "Learner",
                        "The afterstate learner with the rules that it plays by; triptych.bots.learned.bot is its typed face.")
        .def(nb::init<const RulesTable&, const std::vector<int>&, const std::vector<int>&, std::size_t, int, const std::vector<float>&,
                      const std::vector<Rank>&, std::uint64_t>(),
             nb::arg("rules"), nb::arg("dealt"), nb::arg("placed"), nb::kw_only(), nb::arg("hands"), nb::arg("jokers"),
             nb::arg("weights"), nb::arg("strengths"), nb::arg("seed"),
             "A learner that knows nothing. `weights`: points by outcome; `strengths`: row values at the quintiles.")
        .def("play", &Learner::play, nb::arg("deals"), nb::kw_only(), nb::arg("learning"), nb::arg("rate"), nb::arg("decay"),
             nb::arg("noise"), nb::arg("draws") = 0, nb::arg("others") = 0, nb::arg("spread") = 0.0F,
             "Self-play; `noise` and `spread` in points (Gumbel). The n-th deal of a seed has always the same cards.\n\nWith `draws` of "
             "the rest of the deal it learns the placement it chose and `others` beside it; without, from what became of the deal. `decay` "
             "is TD's lambda.")
        .def("pop_stats", &Learner::pop_stats,
             "What was played since the last call.")
        .def("last_values", &Learner::last_values,
             "Row values of the last deal's legal boards, three a board.")
        .def("last_boards", &Learner::last_boards,
             "Cards of the last deal's boards, 13 a hand, front first.")
        .def("table", &Learner::table, nb::rv_policy::reference_internal,
             "The learned numbers themselves, (entries, 24), not a copy; call `refresh_weights` after writing to it.")
        .def("refresh_weights", &Learner::refresh_weights,
             "Work out every entry's points again.")
        .def("memory", &Learner::memory,
             "Return views of all that learning changes, flat; with `played` they are the whole state of a run.")
        .def("played", &Learner::played,
             "Return how many deals were played.")
        .def("resume", &Learner::resume, nb::arg("played"),
             "Play the deals after so many.")
        .def("set_outcome_weights", &Learner::set_outcome_weights, nb::arg("weights"),
             "Choose by other points from now on.")
        .def("with_fantasyland_values", &Learner::with_fantasyland_values, nb::arg("value"),
             "A learner of the same tables for which fantasylands of 0 to 17 cards are worth `value`; it shares them.")
        .def("set_strengths", &Learner::set_strengths, nb::arg("strengths"),
             "Cut the strength bins at other row values from now on.")
        .def("set_temperature", &Learner::set_temperature, nb::arg("temperature"),
             "Say how freely its players choose, points by street; empty: nothing is believed of what they threw away.")
        .def("set_first_answers", &Learner::set_first_answers, nb::arg("change"),
             "Say what others who answer a first street change of rows, royalties, fouls and fantasylands.\n\nOf two hands; of three, of "
             "which one or two answer; of four, of which one to three do. Zeros: not known.");
}
