// Open games: what every placement of a street is worth, in steps. The caller begins an analysis, plays rollouts of it as long
// as it likes, reads the sums, and drops it.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "abi.hpp"
#include "triptych/learn/analysis.hpp"
#include "triptych/learn/task_check.hpp"

using namespace triptych;
using namespace triptych::learn;
using namespace triptych::web;

namespace {

constexpr std::uint32_t max_settings = 8;

// The sizes of a step by outcome, the gaps between entries, their outcomes (learn/model.hpp).
void read_table(Reader& in, ValueFunction& value) {
    const std::size_t count = in.within(0, static_cast<std::uint32_t>(value.map().size()), "more entries than the table has");
    const auto steps = in.numbers<float, outcome_count>();
    const auto gaps = in.take(count * sizeof(std::uint32_t));
    const auto outcomes = in.take(count * outcome_count * sizeof(std::int16_t));
    if (!in.refused()) in.require(set_compressed(value, steps, gaps, outcomes), "an entry lies behind the table");
}

BoardInPlay read_board(Reader& in) {
    BoardInPlay board;
    CardSet own = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        for (const Card card : in.cards(row_size[row], own)) board.add(row, card);
    }
    return board;
}

// After how many streets it is known how many cards lay in each row, none or as many as are done; those numbers.
void read_order(Reader& in, const DealShape& shape, KnownHand& hand) {
    const auto streets = in.number<std::uint8_t>();
    if (streets == 0 || in.refused()) return;
    in.require(streets == hand.streets_done, "the order of a hand's cards has other streets");
    const auto sizes = in.take(hand.streets_done * row_count);
    if (in.refused()) return;
    if (const char* fault = set_order(hand, sizes, shape)) in.refuse(wrong_value, fault);
}

double read_bound(Reader& in) {
    const auto bound = in.number<double>();
    return bound < 0 ? std::numeric_limits<double>::infinity() : bound;
}

// What bounds the payments of the deal: nothing, or chips by hand (below zero: nothing bounds them), chips a point by pair, the
// chips that a point of the results stands for, cap, whether a bust hand collects nothing, the most chips that anybody loses.
StackLimits read_stacks(Reader& in, std::size_t count) {
    StackLimits stacks;
    if (!in.flag()) return stacks;
    const auto stakes = std::span(stacks.stake).first(count * (count - 1) / 2);
    for (std::size_t h = 0; h < count; ++h) stacks.chips[h] = read_bound(in);
    for (double& stake : stakes) stake = in.number<double>();
    stacks.point = in.number<double>();
    in.require(stacks.point >= 1 && std::ranges::all_of(stakes, [](double stake) { return stake >= 1; }), "a point is a chip or more");
    stacks.rule.cap = static_cast<PaymentRule::Cap>(in.within(0, 2, "there is no such cap"));
    stacks.rule.bust_stops = in.flag();
    stacks.rule.loss_limit = read_bound(in);
    stacks.begin(count);
    return stacks;
}

// Settings of a fantasyland: which of its cards lie in each row, as bits.
std::vector<RowMasks> read_settings(Reader& in, std::size_t cards) {
    std::vector<RowMasks> settings(in.within(0, max_settings, "too many settings"));
    for (RowMasks& masks : settings) {
        masks = in.numbers<std::uint32_t, row_count>();
        in.require(setting_is_right(masks, cards), "this is not a setting of these cards");
    }
    return settings;
}

// An analysis that a request names, with the player that it goes by.
struct StoredAnalysis {
    std::shared_ptr<const Model> player;
    Analysis search;
};

std::vector<std::size_t> read_placements(Reader& in, const StoredAnalysis* analysis) {
    const std::size_t end = analysis == nullptr ? 0 : analysis->search.size();
    const std::size_t count = in.within(0, static_cast<std::uint32_t>(end), "there are not so many placements");
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count && !in.refused(); ++i) {
        numbers.push_back(in.number<std::uint32_t>());
        in.require(numbers.back() < end, "there is no such placement");
    }
    return numbers;
}

// How many rollouts, a seed, the first rollout's number.
RolloutRange read_numbered(Reader& in) {
    const std::uint64_t count = read_rollouts(in);
    const auto numbers = in.numbers<std::uint64_t, 2>();
    return {count, numbers[0], numbers[1]};
}

}  // namespace

// Rules; how many hands the table was learned with, jokers, streets (cards dealt and placed); the points of each outcome; strengths of
// rows; temperatures by street; corrections for responses to a first street; fantasylands' values by cards; the table. Its number.
TRIPTYCH_REQUEST(keep_player) {
    const RulesTable rules = read_rules(in);
    const DealShape shape = read_shape(in);
    Outcomes weights{};
    std::ranges::copy(in.numbers<float, outcome_count>(), weights.begin());
    StrengthThresholds strengths{};
    for (auto& row : strengths) row = in.numbers<Rank, strength_bins>();
    Temperatures temperature{};
    for (std::size_t i = 0; i < shape.streets; ++i) in.require((temperature[i] = in.number<float>()) >= 0, "a temperature is points from 0 on");
    FirstStreetCorrections first_street_corrections;
    for (FirstStreetCorrections::Correction& change : first_street_corrections.correction) change = in.numbers<float, FirstStreetCorrections::parts>();
    const auto fantasyland_values = in.numbers<float, max_fantasyland_cards + 1>();
    if (in.refused()) return;
    auto player = std::make_shared<Model>(Model{rules, shape, strengths, fantasyland_values, temperature, first_street_corrections,
                                                ValueFunction::points_only(static_cast<int>(shape.deck - deck_size), weights)});
    read_table(in, player->value);
    if (in.complete()) store(in, out, std::move(player));
}

// A player; the street from 0, the hand to act, its cards, those it does not see (a bit each), whether it believes that others
// chose their discards; the hands in deal order (one alone only in fantasyland): rows, streets done, fantasyland cards, how many in
// a row, the order in which its cards came; what bounds the payments; for a hand in fantasyland settings that are to be among the
// placements. A ListedDecision.
TRIPTYCH_REQUEST(analysis_begin) {
    const auto player = stored<Model>(in);
    if (in.refused()) return;
    const DealShape& shape = player->shape;
    SearchTask task;
    task.street = in.within(0, static_cast<std::uint32_t>(shape.streets - 1), "there is no such street");
    task.me = in.within(0, max_hands - 1, "there is no such hand");
    CardSet drawn = 0;
    const std::span<const Card> cards = in.cards(max_fantasyland_cards, drawn);
    std::copy(cards.begin(), cards.end(), task.cards.begin());
    task.unseen = in.number<CardSet>();
    if (in.flag()) task.temperature = player->temperature;
    task.first_street_corrections = player->first_street_corrections;
    task.fantasyland_values = player->fantasyland_values;
    task.count = in.within(1, max_hands, "one to four hands expected");
    for (std::size_t h = 0; h < task.count && !in.refused(); ++h) {
        KnownHand& hand = task.hands[h];
        hand.board = read_board(in);
        hand.streets_done = in.within(0, static_cast<std::uint32_t>(shape.streets), "there are not so many streets");
        hand.fantasyland_cards = in.small(max_fantasyland_cards, "a fantasyland has at most 17 cards");
        hand.fantasyland_in_row = in.small(255, "too many fantasylands in a row");
        read_order(in, shape, hand);
    }
    task.stacks = read_stacks(in, task.count);
    const bool fantasyland = task.me < task.count && Decision::in_fantasyland(task);
    const std::vector<RowMasks> settings = fantasyland ? read_settings(in, cards.size()) : std::vector<RowMasks>{};
    if (in.refused()) return;
    if (const char* fault = task_fault(task, cards, shape)) in.refuse(wrong_value, fault);
    if (!in.complete()) return;
    const std::shared_ptr<StoredAnalysis> analysis(new StoredAnalysis{player, Analysis(player->learned(), task, settings)});
    const std::uint32_t number = stored_number(in, analysis);
    if (!in.refused()) out.put(ListedDecision{number, analysis->search.exact(), analysis->search.listed()});
}

// An analysis, how many of the best placements, how many rollouts: starts sequential halving.
TRIPTYCH_REQUEST(analysis_race) {
    const auto analysis = stored<StoredAnalysis>(in);
    const std::size_t width = in.within(0, 1U << 20, "too many placements");
    const std::uint32_t rollouts = read_rollouts(in);
    if (in.complete()) analysis->search.race(width, rollouts);
}

// An analysis that was begun to be halved, as much of it as so many rollouts cost, a seed, the same for all of it. Whether it
// goes on.
TRIPTYCH_REQUEST(analysis_step) {
    const auto analysis = stored<StoredAnalysis>(in);
    const std::uint32_t max_count = read_rollouts(in);
    const auto seed = in.number<std::uint64_t>();
    if (in.complete()) out.add(static_cast<std::uint32_t>(analysis->search.step(max_count, seed)));
}

// An analysis: forgets its rollouts; the order stays.
TRIPTYCH_REQUEST(analysis_forget) {
    const auto analysis = stored<StoredAnalysis>(in);
    if (in.complete()) analysis->search.reset_samples();
}

// An analysis, the numbers of placements, how many rollouts for each, a seed, the first rollout's number.
TRIPTYCH_REQUEST(analysis_measure) {
    const auto analysis = stored<StoredAnalysis>(in);
    const std::vector<std::size_t> numbers = read_placements(in, analysis.get());
    const RolloutRange rollouts = read_numbered(in);
    if (in.complete()) analysis->search.measure(analysis->search.places_of(numbers), rollouts);
}

// The same; each rollout's points of each placement, of which the analysis keeps nothing.
TRIPTYCH_REQUEST(analysis_sample) {
    const auto analysis = stored<StoredAnalysis>(in);
    const std::vector<std::size_t> numbers = read_placements(in, analysis.get());
    const RolloutRange rollouts = read_numbered(in);
    in.require(numbers.size() * rollouts.count <= max_rollouts, "too many rollouts at once");
    if (!in.complete()) return;
    analysis->search.sample_points(analysis->search.places_of(numbers), rollouts, [&](double points) { out.add(static_cast<float>(points)); });
}

// An analysis, a placement's number, how many rollouts, a seed, the first rollout's number. A GameCourse.
TRIPTYCH_REQUEST(analysis_course) {
    const auto analysis = stored<StoredAnalysis>(in);
    const std::array<std::size_t, 1> number = {in.number<std::uint32_t>()};
    const RolloutRange rollouts = read_numbered(in);
    if (analysis != nullptr) in.require(number[0] < analysis->search.size(), "there is no such placement");
    if (!in.complete()) return;
    const std::size_t place = analysis->search.places_of(number)[0];
    out.put(GameCourse{analysis->search.street_progress(place, rollouts)});
}

// An analysis. A PlacementList in the present order.
TRIPTYCH_REQUEST(analysis_read) {
    const auto analysis = stored<StoredAnalysis>(in);
    if (in.complete()) out.put(PlacementList{analysis->search.sums()});
}
