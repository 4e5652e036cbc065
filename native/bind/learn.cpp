// Python bindings of the learner: self-play, its tables, and its greedy choice.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/learn/model.hpp"
#include "triptych/learn/self_play_run.hpp"
#include "triptych/score/card_text.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;
using namespace triptych::learn;

namespace {

constexpr double max_weight = 1e9;
constexpr std::uint64_t max_deals = 1'000'000'000;  // of one call
constexpr int max_draws = 1'000'000;
constexpr double max_noise = 1e6;  // points

Outcomes outcomes_of(const std::vector<float>& values) {
    require(values.size() == outcome_count && all_within(values, -max_weight, max_weight), "a wrong number of outcome weights, or no numbers");
    return array_of<outcome_width>(values);
}

StrengthThresholds strengths_of(const std::vector<Rank>& values) {
    require(values.size() == 3 * strength_bins, "a wrong number of row strengths");
    StrengthThresholds strengths{};
    for (std::size_t i = 0; i < values.size(); ++i) strengths[i / strength_bins][i % strength_bins] = values[i];
    return strengths;
}

void make_learner(Learner* self, const RulesTable& rules, const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers,
                  const std::vector<float>& weights, const std::vector<Rank>& strengths, std::uint64_t seed) {
    const DealShape shape = shape_of(dealt, placed, hands, jokers, max_street_cards);
    const StrengthThresholds bins = strengths_of(strengths);
    const Outcomes outcomes = outcomes_of(weights);
    require(hands * shape.dealt_cards() <= shape.deck, "too few cards for so many hands");
    new (self) Learner(rules, shape, bins, outcomes, jokers, seed);
}

void play(Learner& learner, std::uint64_t deals, bool learning, float rate, float decay, float noise, int draws, int others, float spread) {
    require(deals <= max_deals && draws <= max_draws && others <= max_draws, "too many deals at once");
    require(all_within(std::array{rate, decay}, 0, 1) && all_within(std::array{noise, spread}, 0, max_noise), "a rate is a share, and noise some points");
    nb::gil_scoped_release release;
    play_deals(learner, deals, {learning, rate, decay, noise, draws, others, spread});
}

nb::list memory(Learner& learner) {
    nb::list parts;
    for (const std::span<float> part : learner.value().memory()) {
        parts.append(nb::ndarray<nb::numpy, float, nb::ndim<1>>(part.data(), {part.size()}, nb::find(&learner)));
    }
    return parts;
}

Learner with_fantasyland_values(const Learner& learner, const std::vector<float>& value) {
    require(value.size() == max_fantasyland_cards + 1 && all_within(value, -max_weight, max_weight), "one fantasyland value for 0 to 17 cards");
    return learner.with_fantasyland_values(array_of<max_fantasyland_cards + 1>(value));
}

void set_temperature(Learner& learner, const std::vector<float>& temperature) {
    require(temperature.empty() || temperature.size() == learner.shape().streets, "one temperature a street, or none");
    for (const float points : temperature) require(points >= 0 && points < 1e6F, "a temperature is points from 0 on");
    learner.temperature = array_of<max_streets>(temperature);
}

void set_first_answers(Learner& learner, const std::vector<FirstStreetCorrections::Correction>& change) {
    require(change.size() <= FirstStreetCorrections::count, "too many numbers of hands");
    for (const auto& parts : change) require(all_within(parts, -max_weight, max_weight), "what answers change is a number of points");
    learner.first_street_corrections.correction = array_of<FirstStreetCorrections::count>(change);
}

// `visit(card)` for each text of a card that is known.
template <typename Visit>
void each_card(PyObject* texts, const Visit& visit) {
    require(PyTuple_Check(texts) != 0, "cards lie in a tuple");
    for (Py_ssize_t i = 0; i < PyTuple_Size(texts); ++i) {
        PyObject* const text = PyTuple_GetItem(texts, i);
        Py_ssize_t size = 0;
        const char* letters = PyUnicode_Check(text) != 0 ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
        require(letters != nullptr && size == 2 && letters[0] > 0 && letters[1] > 0, "a card is two letters");
        const Card card = card_of_text(letters[0], letters[1]);
        require(card != no_card, "no such card");
        if (card != unknown_card) visit(card);
    }
}

// Takes texts, which Python would read slower than the choice is made: of each hand front, middle, back, cards not in rows, discards.
nb::tuple place(const Learner& learner, std::size_t street, const nb::list& boards, std::size_t me, const nb::tuple& cards, bool looking) {
    const DealShape& shape = learner.shape();
    const std::size_t hands = nb::len(boards);
    require(street < shape.streets && nb::len(cards) == shape.dealt[street], "wrong cards for the street");
    require(hands <= max_hands && me < hands, "wrong number of hands");
    StreetView view(shape, street, hands, me);
    each_card(cards.ptr(), [&](Card card) { require_right(view.draw(card)); });
    require_right(view.drawn_fault());
    for (std::size_t h = 0; h < hands; ++h) {
        PyObject* parts = PyList_GetItem(boards.ptr(), static_cast<Py_ssize_t>(h));
        require(PyTuple_Check(parts) != 0 && PyTuple_Size(parts) == 5, "five parts of each hand");
        for (std::size_t part = 0; part < 5; ++part) {
            each_card(PyTuple_GetItem(parts, static_cast<Py_ssize_t>(part)), [&](Card card) { require_right(view.add(h, part, card)); });
        }
    }
    require_right(view.fault());
    const Placement best = learner.learned().choose(view, looking);
    const auto row = [&](std::size_t which) {
        nb::object texts = nb::steal(PyTuple_New(std::popcount(best.row[which])));
        Py_ssize_t at = 0;
        for (std::size_t i = 0; i < shape.dealt[street]; ++i) {
            if ((best.row[which] >> i & 1U) != 0) PyTuple_SetItem(texts.ptr(), at++, nb::object(cards[i]).release().ptr());
        }
        return texts;
    };
    return nb::make_tuple(row(front_row), row(middle_row), row(back_row));
}

}  // namespace

void init_learn(nb::module_& m) {
    m.attr("OUTCOMES") = static_cast<std::size_t>(outcome_count);
    m.attr("STRENGTH_BINS") = strength_bins;
    nb::class_<Learner>(m, "Learner", "The afterstate learner with the rules that it plays by; triptych.bots.learned.bot is its typed face.")
        .def("__init__", &make_learner, "rules"_a, "dealt"_a, "placed"_a, nb::kw_only(), "hands"_a, "jokers"_a, "weights"_a, "strengths"_a, "seed"_a,
             "A learner with empty tables. `weights`: points by outcome; `strengths`: row values at the quintiles.")
        .def("play", &play, "deals"_a, nb::kw_only(), "learning"_a, "rate"_a, "decay"_a, "noise"_a, "draws"_a = 0, "others"_a = 0, "spread"_a = 0.0F,
             "Self-play; `noise` and `spread` in points (Gumbel). The n-th deal of a seed has always the same cards.\n\nWith `draws` of the rest of the deal "
             "it learns the placement it chose and `others` beside it; without, from what became of the deal. `decay` is TD's lambda.")
        .def("pop_stats", [](Learner& learner) { return learner.pop_stats(); }, "What was played since the last call.")
        .def("last_values", &Learner::last_values, "Row values of the last deal's legal boards, three a board.")
        .def("last_boards", [](const Learner& learner) { return bytes_of(learner.last_boards()); }, "Cards of the last deal's boards, 13 a hand, front first.")
        .def("table",
             [](Learner& learner) {
        const ValueFunction& value = learner.value();
        return nb::ndarray<nb::numpy, float, nb::ndim<2>>(learner.value().mean().data(), {value.map().size(), outcome_width}, nb::find(&learner));
    }, nb::rv_policy::reference_internal, "The learned numbers themselves, (entries, 24), not a copy; call `refresh_weights` after writing to it.")
        .def("refresh_weights", [](Learner& learner) { learner.value().set_weights(Outcomes(learner.value().weights())); },
             "Work out every entry's points again.")
        .def("memory", &memory, "Return views of all state that learning changes, flat; with `played` they are the whole state of a run.")
        .def("played", [](const Learner& learner) { return learner.played(); }, "Return how many deals were played.")
        .def("resume", [](Learner& learner, std::uint64_t played) { learner.resume(played); }, "played"_a, "Play the deals after so many.")
        .def("set_outcome_weights", [](Learner& learner, const std::vector<float>& weights) { learner.value().set_weights(outcomes_of(weights)); }, "weights"_a,
             "Choose by other points from now on.")
        .def("with_fantasyland_values", &with_fantasyland_values, "value"_a,
             "A learner of the same tables for which fantasylands of 0 to 17 cards are worth `value`; it shares them.")
        .def("set_strengths", [](Learner& learner, const std::vector<Rank>& strengths) { learner.set_strengths(strengths_of(strengths)); }, "strengths"_a,
             "Cut the strength bins at other row values from now on.")
        .def("set_temperature", &set_temperature, "temperature"_a,
             "Say how freely its players choose, points by street; empty: nothing is believed about their discards.")
        .def("set_first_answers", &set_first_answers, "change"_a,
             "Set how others who respond to a first street by a search change rows, royalties, fouls and fantasylands.\n\nFor two hands; for "
             "three, of which one or two respond; for four, of which one to three do. Zeros: not known.");
    m.def(
        "place", &place, "learner"_a, "street"_a, "boards"_a, "me"_a, "cards"_a, "looking"_a,
        "The greedy placement of a hand's `cards`, for front, middle, back, from the texts of a view of all hands.\n\n`looking`: a lookahead of one street separates "
        "close placements, and near the end the rows are compared with the others' open rows.");
}
