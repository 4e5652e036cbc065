// The extension module `triptych._kernel`. Each file of this folder adds its part by one init_x.
#include <nanobind/nanobind.h>

#include "results.hpp"
#include "triptych/closed/results.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"
#include "triptych/learn/results.hpp"
#include "triptych/learn/selfplay.hpp"
#include "triptych/play/results.hpp"
#include "triptych/score/results.hpp"

namespace nb = nanobind;
using namespace triptych;

namespace {

template <typename... Types>
nb::tuple add_results(nb::module_& m) {
    nb::list all;
    (bind::add_result<Types>(m, all), ...);
    return nb::tuple(all);
}

}  // namespace

void init_analysis(nb::module_& m);
void init_choosing(nb::module_& m);
void init_closed(nb::module_& m);
void init_env(nb::module_& m);
void init_fair(nb::module_& m);
void init_goal(nb::module_& m);
void init_learn(nb::module_& m);
void init_rank(nb::module_& m);
void init_score(nb::module_& m);
void init_solve(nb::module_& m);

NB_MODULE(_kernel, m) {
    // Compiled rules live in caches until the interpreter ends; that is no leak to tell a user about.
    nb::set_leak_warnings(false);
    m.def("version", [] { return TRIPTYCH_VERSION; },
          "Version of the package that this kernel was built for.");
    m.attr("RESULTS") = add_results<HeldNatural, BrokenUp, RowBounds, BoundedRows, BoardScore, HandScore, PairScore, ScoredDeal, FinishedBoard,
                                    UnknownBoard, PlacementEstimate, OutsCount, ClosedBoard, ClosedRanking, ClosedChoice, ClosedPlay,
                                    learn::StreetOutcome, learn::PointParts, learn::DiscardChances, learn::SearchedPlacement,
                                    learn::PlayStats, learn::GameCourse, learn::ListedPlacement, learn::ListedDecision,
                                    learn::PlacementSums, learn::PlacementList, SoloHand, SoloView, SoloStep>(m);
    init_analysis(m);
    init_choosing(m);
    init_closed(m);
    init_env(m);
    init_fair(m);
    init_goal(m);
    init_learn(m);
    init_rank(m);
    init_score(m);
    init_solve(m);
}
