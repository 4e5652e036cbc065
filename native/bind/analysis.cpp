// Python bindings of the search over rollouts, of luck estimates and of stack limits.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/learn/analysis.hpp"
#include "triptych/learn/draw_luck.hpp"
#include "triptych/learn/model.hpp"
#include "triptych/learn/task_check.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;
using namespace triptych::learn;

namespace {

constexpr std::uint64_t max_rollouts = 1'000'000'000;  // of one call
constexpr std::uint64_t max_samples = 10'000'000;      // whose points are returned
constexpr double max_number = 1e12;                    // of chips, points and prizes
constexpr double min_stack = 1e-6;
constexpr double unbounded = std::numeric_limits<double>::infinity();

IcmModel places_of(const std::vector<double>& prizes, const std::vector<double>& elsewhere, std::size_t count) {
    require(count + elsewhere.size() <= IcmModel::max_players, "too many players for places");
    require(all_within(prizes, 0, max_number), "no prize is below zero");
    require(all_within(elsewhere, min_stack, max_number), "who is still in has chips");
    return {prizes, elsewhere};
}

std::vector<double> icm_values(const std::vector<double>& now, const std::vector<double>& before, const std::vector<double>& prizes) {
    require(now.size() == before.size() && !now.empty(), "chips now and before of the same players expected");
    require(all_within(now, 0, max_number) && all_within(before, 0, max_number), "a stack is zero or more");
    const IcmModel places = places_of(prizes, {}, now.size());
    const auto worth = places.worth(array_of<IcmModel::max_players>(now), array_of<IcmModel::max_players>(before), now.size());
    return {worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(now.size())};
}

// Chips by hand, chips a point by pair, the chips that a point of the results stands for, cap, whether a bust hand collects
// nothing, the most chips that anybody loses, prizes by place, chips of players who sit elsewhere.
using StackParts = std::tuple<std::vector<double>, std::vector<double>, double, int, bool, double, std::vector<double>, std::vector<double>>;

StackLimits stacks_of(const StackParts& parts, std::size_t count) {
    const auto& [chips, stake, point, cap, bust_stops, loss_limit, prizes, elsewhere] = parts;
    require(chips.size() == count && stake.size() == count * (count - 1) / 2 && cap >= 0 && cap <= 2,
            "a stack for each hand and a stake for each pair expected");
    require(all_within(chips, 0, unbounded) && all_within(stake, 1, max_number) && all_within(std::array{point}, 1, max_number),
            "a stack is zero or more, and a point a chip or more");
    require(all_within(std::array{loss_limit}, 0, unbounded), "nobody loses less than nothing");
    StackLimits stacks{.rule = {static_cast<PaymentRule::Cap>(cap), bust_stops, loss_limit},
                       .chips = array_of<max_stacks>(chips),
                       .stake = array_of<max_dues>(stake),
                       .point = point,
                       .places = places_of(prizes, elsewhere, count)};
    stacks.begin(count);
    return stacks;
}

std::vector<double> limited_fantasyland_values(const StackParts& parts, std::size_t me, std::vector<double> values) {
    const std::size_t count = std::get<0>(parts).size();
    require(all_within(values, -max_number, max_number), "a fantasyland's value is not a number");
    require(count >= 2 && count <= max_hands && me < count, "wrong number of hands");
    const StackLimits stacks = stacks_of(parts, count);
    for (double& value : values) value = value > 0 ? stacks.paid(me, count, value) : value;
    return values;
}

// Front, middle, back, streets done, cards of its fantasyland, fantasylands in a row.
using HandParts = std::tuple<nb::bytes, nb::bytes, nb::bytes, std::size_t, std::uint8_t, std::uint8_t>;

KnownHand hand_of(const HandParts& parts, const DealShape& shape) {
    const auto& [front, middle, back, streets_done, fantasyland_cards, fantasyland_in_row] = parts;
    require(streets_done <= shape.streets, "there are not so many streets");
    KnownHand hand{.streets_done = streets_done, .fantasyland_cards = fantasyland_cards, .fantasyland_in_row = fantasyland_in_row};
    const std::array<const nb::bytes*, row_count> rows = {&front, &middle, &back};
    for (std::size_t row = 0; row < row_count; ++row) {
        for (const Card card : cards_of(*rows[row], row_size[row])) hand.board.add(row, card);
    }
    return hand;
}

std::vector<double> luck(const Learner& learner, std::size_t street, std::size_t me, const std::vector<HandParts>& hands,
                         const std::vector<nb::bytes>& fantasylands, const nb::bytes& cards, std::uint64_t left, const std::vector<float>& values,
                         std::uint64_t orders, std::uint64_t seed) {
    const DealShape& shape = learner.shape();
    require(hands.size() >= 2 && hands.size() <= max_hands && me < hands.size() && fantasylands.size() == hands.size(), "wrong number of hands");
    require(street < shape.streets && values.size() == max_fantasyland_cards + 1 && orders > 0 && orders <= max_rollouts,
            "wrong street, fantasyland values or orders");
    require(all_within(values, -max_number, max_number), "a fantasyland's value is not a number");
    DrawQuery task{.count = hands.size(), .me = me, .street = street, .left = left, .fantasyland_values = array_of<max_fantasyland_cards + 1>(values)};
    std::vector<std::span<const Card>> dealt;
    for (std::size_t h = 0; h < task.count; ++h) {
        task.hands[h] = hand_of(hands[h], shape);
        dealt.push_back(cards_of(fantasylands[h], max_fantasyland_cards));
    }
    const std::span<const Card> drawn = cards_of(cards, max_fantasyland_cards);
    require_right(set_dealt(task, dealt, drawn, learner.rules(), shape));
    DrawLuckEstimator estimator(learner.value(), learner.rules(), shape, learner.strengths());
    nb::gil_scoped_release release;
    const PointsByHand gain = estimator.estimate_gain(task, drawn, orders, seed);
    return {gain.begin(), gain.begin() + static_cast<std::ptrdiff_t>(task.count)};
}

// Runs the second job on a thread of its own.
void run_in_parallel(const std::function<void()>& first, const std::function<void()>& second) {
    std::future<void> done = std::async(std::launch::async, second);
    first();
    done.get();
}

// Which of a fantasyland's cards lie in the rows of a board.
RowMasks masks_of(const std::vector<nb::bytes>& rows, std::span<const Card> cards) {
    require(rows.size() == row_count, "front, middle and back expected");
    RowMasks masks{};
    for (std::size_t row = 0; row < row_count; ++row) {
        require(rows[row].size() == row_size[row], "thirteen cards expected");
        const CardSet own = set_of(cards_of(rows[row], row_size[row]));
        for (std::size_t i = 0; i < cards.size(); ++i) masks[row] |= static_cast<std::uint32_t>(own >> cards[i] & 1U) << i;
    }
    require(setting_is_right(masks, cards.size()), "this is not a setting of these cards");
    return masks;
}

void require_few(std::uint64_t rollouts) { require(rollouts <= max_rollouts, "too many rollouts at once"); }

void make_analysis(Analysis* self, const Learner& learner, std::size_t street, std::size_t me, const std::vector<HandParts>& hands, const nb::bytes& cards,
                   std::uint64_t unseen, const std::vector<float>& fantasyland_values, bool shared, bool believing, const std::optional<StackParts>& stacks,
                   const std::vector<std::vector<nb::bytes>>& named, const std::vector<nb::bytes>& orders) {
    const DealShape& shape = learner.shape();
    require(fantasyland_values.size() == max_fantasyland_cards + 1, "one fantasyland value for 0 to 17 cards");
    require(!hands.empty() && hands.size() <= max_hands && me < hands.size() && (orders.empty() || orders.size() == hands.size()), "wrong number of hands");
    SearchTask task{.count = hands.size(),
                    .me = me,
                    .street = street,
                    .unseen = unseen,
                    .fantasyland_values = array_of<max_fantasyland_cards + 1>(fantasyland_values),
                    .temperature = believing ? learner.temperature : Temperatures{},
                    .first_street_corrections = learner.first_street_corrections};
    const std::span<const Card> own = cards_of(cards, max_fantasyland_cards);
    std::copy(own.begin(), own.end(), task.cards.begin());
    for (std::size_t h = 0; h < task.count; ++h) {
        task.hands[h] = hand_of(hands[h], shape);
        if (orders.empty() || orders[h].size() == 0) continue;
        require_right(set_order(task.hands[h], span_of(orders[h]), shape));
    }
    require_right(task_fault(task, own, shape));
    if (stacks) task.stacks = stacks_of(*stacks, task.count);
    std::vector<RowMasks> settings;
    for (const auto& rows : named) settings.push_back(masks_of(rows, own));
    new (self) Analysis(learner.learned(), task, settings, shared ? RunInParallel(run_in_parallel) : RunInParallel());
}

void run(Analysis& analysis, std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool early_stop) {
    require_few(rollouts);
    nb::gil_scoped_release release;
    analysis.run(width, rollouts, seed, early_stop);
}

void measure(Analysis& analysis, std::size_t width, std::uint64_t each, std::uint64_t seed, std::uint64_t first, const std::vector<std::size_t>& also) {
    require_few(each);
    for (const std::size_t place : also) require(place < analysis.size(), "there is no such placement");
    nb::gil_scoped_release release;
    analysis.measure(width, also, {each, seed, first});
}

nb::ndarray<nb::numpy, float, nb::ndim<2>> sample_points(Analysis& analysis, const std::vector<std::size_t>& chosen, std::uint64_t each, std::uint64_t seed,
                                                         std::uint64_t first) {
    require(each <= max_samples && chosen.size() <= analysis.size(), "too many rollouts at once");
    for (const std::size_t place : chosen) require(place < analysis.size(), "there is no such placement");
    auto* points = new std::vector<float>();
    nb::capsule owner(points, [](void* data) noexcept { delete static_cast<std::vector<float>*>(data); });
    {
        nb::gil_scoped_release release;
        points->reserve(chosen.size() * each);
        analysis.sample_points(chosen, {each, seed, first}, [&](double value) { points->push_back(static_cast<float>(value)); });
    }
    return {points->data(), {chosen.empty() ? 0 : points->size() / chosen.size(), chosen.size()}, owner};
}

std::vector<StreetOutcome> street_progress(const Analysis& analysis, std::size_t at, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
    require(at < analysis.size() && each > 0, "there is no such placement, or no rollouts");
    require_few(each);
    return analysis.street_progress(at, {each, seed, first});
}

std::vector<PointParts> response_corrections(Analysis& analysis, std::uint64_t each, std::uint64_t seed) {
    require_few(each);
    nb::gil_scoped_release release;
    return analysis.response_corrections(each, seed);
}

}  // namespace
void init_analysis(nb::module_& m) {
    m.def("limited_fantasyland_values", &limited_fantasyland_values, "stacks"_a, "me"_a, "value"_a,
          "Points that a hand may expect from each opponent of fantasylands worth `value`, as far as stacks reach.");
    m.def("icm_values", &icm_values, "now"_a, "before"_a, "prizes"_a,
          "The expected prize of each of up to twelve players by their chips (Malmuth-Harville).\n\nPlayers without chips are out, placed behind the others "
          "by the chips before; equal chips share their places.");
    m.def("luck", &luck, "learner"_a, "street"_a, "me"_a, "hands"_a, "fantasylands"_a, "cards"_a, "left"_a, "fantasyland_values"_a, nb::kw_only(), "orders"_a,
          "seed"_a,
          "Return the luck of a draw for each hand, in points, the next fantasylands at their value.\n\nHand `me` drew `cards`, of a street or of its whole "
          "fantasyland; `left`: a bit for each card in the deck after it. `hands` as `Analysis` takes them, of whole streets; `fantasylands`: the cards of the "
          "fantasylands that are dealt already, by hand, else empty. The deal is played to its end in so many `orders` of the deck, and with other cards in "
          "the draw's place. Raises ValueError for what cannot be.");
    nb::class_<Analysis>(m, "Analysis", "One decision under search by rollouts.")
        .def("__init__", &make_analysis, "learner"_a, "street"_a, "me"_a, "hands"_a, "cards"_a, "unseen"_a, "fantasyland_values"_a, nb::kw_only(),
             "shared"_a = false, "believing"_a = true, "stacks"_a = nb::none(), "named"_a = std::vector<std::vector<nb::bytes>>(),
             "orders"_a = std::vector<nb::bytes>(), nb::keep_alive<1, 2>(),
             "Hands as (front, middle, back, streets done, fantasyland cards, fantasylands in a row), in deal order.\n\n`believing`: the learner's "
             "temperatures say what others discarded; else any unseen card may still come. A hand in fantasyland sets all its cards, and may be the only one; "
             "`named`: settings, front, middle and back, that are to be among the placements. `orders`: by hand how many cards lay in each row after each "
             "street done, a byte each; none of a hand, or none at all, where that is not known.")
        .def("run", &run, "width"_a, "rollouts"_a, "seed"_a, nb::kw_only(), "early_stop"_a = false,
             "Spend rollouts on the `width` best placements, halving their number, and sort them; all when exact.\n\n`early_stop`: it ends as soon as one is "
             "clearly the best.")
        .def("reset_samples", &Analysis::reset_samples, "Forget all rollouts; the order of the placements stays.")
        .def("measure", &measure, "width"_a, "each"_a, "seed"_a, "first"_a, "also"_a = std::vector<std::size_t>(),
             "Give each of the first `width` placements the rollouts `first` to `first + each - 1` of a seed.\n\n`also`: further ones, by their places in the "
             "present order.")
        .def("sample_points", &sample_points, "chosen"_a, "each"_a, "seed"_a, "first"_a,
             "Return the points of such rollouts of the chosen placements, shape (each, chosen); none when exact.\n\nThe table does not know of them.")
        .def("street_progress", &street_progress, "at"_a, "each"_a, "seed"_a, "first"_a,
             "Return what is certain after each street of the game, on average over rollouts of the placement at a place.\n\nThe chance of a foul, that of "
             "fantasyland, and the royalties; nothing before the position's own street.")
        .def("response_corrections", &response_corrections, "each"_a, "seed"_a,
             "Return how points change, by parts, when others who still act respond to the first placement by a search.\n\nRows, royalties, fouls and "
             "fantasylands, of so many draws of the others' cards.")
        .def("discard_belief", &Analysis::discard_belief, nb::kw_only(), "thorough"_a = false,
             "Return how likely each card, of 54, lies there, for each unseen discard of others.\n\nEmpty when nothing is believed of them. `thorough`: as "
             "what is shown believes it, not as levels do.")
        .def("exact", &Analysis::exact, "Return whether the answer has no error: all that is left to chance can be counted.")
        .def("table", &Analysis::searched, "Placements, in the order that `run` left.");
}
