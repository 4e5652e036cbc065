// The extension module `triptych._kernel`. Each other file of this folder adds its part by one init_x.
#include <nanobind/nanobind.h>

#include <cstddef>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/closed/results.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"
#include "triptych/fair/decks.hpp"
#include "triptych/fair/sha256.hpp"
#include "triptych/learn/results.hpp"
#include "triptych/learn/self_play.hpp"
#include "triptych/play/results.hpp"
#include "triptych/score/results.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

template <typename... Types>
nb::tuple add_results(nb::module_& m) {
    nb::list all;
    (add_result<Types>(m, all), ...);
    return nb::tuple(all);
}

nb::bytes deck_roots(const nb::bytes& seeds, std::size_t size) {
    require(seeds.size() % fair::digest_size == 0, "seeds have 32 bytes a deck");
    require(size >= 1 && size <= 256, "a deck has 1 to 256 cards");
    return bytes_of(fair::deck_roots({span_of(seeds).begin(), span_of(seeds).end()}, size));
}

}  // namespace

void init_analysis(nb::module_& m);
void init_closed(nb::module_& m);
void init_env(nb::module_& m);
void init_learn(nb::module_& m);
void init_score(nb::module_& m);
void init_solve(nb::module_& m);

NB_MODULE(_kernel, m) {
    // Compiled rules live in caches until the interpreter ends; this is not a leak.
    nb::set_leak_warnings(false);
    m.def("version", [] { return TRIPTYCH_VERSION; }, "Version of the package that this kernel was built for.");
    m.def("deck_roots", &deck_roots, "seeds"_a, "size"_a,
          "Roots of the Merkle trees of decks, 32 bytes each.\n\n`seeds` has 32 bytes a deck, which has `size` cards, 1 to 256.");
    m.attr("RESULTS") = add_results<HeldNatural, BrokenUp, RowBounds, BoundedRows, BoardScore, HandScore, PairScore, ScoredDeal, FinishedBoard, UnknownBoard,
                                    PlacementEstimate, OutsCount, ClosedBoard, ClosedRanking, ClosedChoice, ClosedPlay, learn::StreetOutcome, learn::PointParts,
                                    learn::DiscardChances, learn::SearchedPlacement, learn::PlayStats, learn::GameCourse, learn::ListedPlacement,
                                    learn::ListedDecision, learn::PlacementSums, learn::PlacementList, SoloHand, SoloView, SoloStep>(m);
    init_analysis(m);
    init_closed(m);
    init_env(m);
    init_learn(m);
    init_score(m);
    init_solve(m);
}
