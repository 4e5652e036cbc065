// Python's door to the learner: self-play, and its tables.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "learner.hpp"

using namespace triptych;
using namespace triptych::bind;

void init_learn(nb::module_& m) {
    m.attr("OUTCOMES") = static_cast<std::size_t>(outcome_count);
    m.attr("STRENGTH_BINS") = strength_bins;
    nb::class_<Learner>(m, "Learner", "The afterstate learner with the rules that it plays by.")
        .def(nb::init<const RulesTable&, const std::vector<int>&, const std::vector<int>&, std::size_t, int, const std::vector<float>&,
                      const std::vector<Rank>&, std::uint64_t>(),
             nb::arg("rules"), nb::arg("dealt"), nb::arg("placed"), nb::kw_only(), nb::arg("hands"), nb::arg("jokers"),
             nb::arg("weights"), nb::arg("strengths"), nb::arg("seed"))
        .def("play", &Learner::play, nb::arg("deals"), nb::kw_only(), nb::arg("learning"), nb::arg("rate"), nb::arg("decay"),
             nb::arg("noise"), nb::arg("draws") = 0, nb::arg("others") = 0, nb::arg("spread") = 0.0F)
        .def("take_stats", &Learner::take_stats)
        .def("last_values", &Learner::last_values)
        .def("last_boards", &Learner::last_boards)
        .def("table", &Learner::table, nb::rv_policy::reference_internal)
        .def("reweigh", &Learner::reweigh)
        .def("memory", &Learner::memory)
        .def("played", &Learner::played)
        .def("go_on", &Learner::go_on, nb::arg("played"))
        .def("weigh", &Learner::weigh, nb::arg("weights"))
        .def("with_lands", &Learner::with_lands, nb::arg("value"))
        .def("set_strengths", &Learner::set_strengths, nb::arg("strengths"))
        .def("set_temperature", &Learner::set_temperature, nb::arg("temperature"))
        .def("set_first_answers", &Learner::set_first_answers, nb::arg("change"));
}
