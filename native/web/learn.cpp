// Open games: what every placement of a street is worth, in steps. The asker begins an analysis, plays rollouts of it as
// long as it likes, reads the sums, and drops it. Each rollout has a stream of its own, numbered from 0: several workers
// that play different ones have sums to add up, and together the answer of one that plays them all.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "model.hpp"
#include "abi.hpp"
#include "triptych/learn/decision.hpp"
#include "triptych/learn/results.hpp"
#include "triptych/learn/task_check.hpp"

using namespace triptych;
using namespace triptych::learn;
using namespace triptych::web;

namespace {

constexpr std::uint32_t most_named = 8;

// Of each entry that was ever visited: how many further it lies than the last, and its outcomes as small integers, outcome
// by outcome; before them the sizes of a step.
void read_table(Reader& in, ValueTables& value) {
    const std::size_t count = in.within(0, static_cast<std::uint32_t>(value.map().size()), "more entries than the table has");
    const auto steps = in.numbers<float, outcome_count>();
    const std::span<const std::uint8_t> gaps = in.take(count * sizeof(std::uint32_t));
    const std::span<const std::uint8_t> small = in.take(count * outcome_count * sizeof(std::int16_t));
    if (in.refused()) return;
    std::uint64_t entry = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t gap = 0;
        std::memcpy(&gap, &gaps[i * sizeof gap], sizeof gap);
        entry += gap;
        if (entry >= value.map().size()) return in.refuse(wrong_value, "an entry lies behind the table");
        Outcomes mean{};
        for (std::size_t outcome = 0; outcome < outcome_count; ++outcome) {
            std::int16_t number = 0;
            std::memcpy(&number, &small[(outcome * count + i) * sizeof number], sizeof number);
            mean[outcome] = static_cast<float>(number) * steps[outcome];
        }
        value.set_points(entry, mean);
    }
}

PlayedBoard read_board(Reader& in, CardSet& seen) {
    PlayedBoard board;
    for (std::size_t row = 0; row < row_count; ++row) {
        std::size_t at = row_start[row];
        for (const Card card : in.cards(row_size[row], seen)) {
            board.cards[at++] = card;
            board.rows[row].add(card);
        }
    }
    return board;
}

double bound(double most) { return most < 0 ? std::numeric_limits<double>::infinity() : most; }

// What bounds the payments of the deal: nothing, or chips by hand (below zero: nothing bounds them), chips a point by pair,
// chips a point by which all is told, cap, whether who is bust collects nothing, the most chips that anybody loses.
Stacks read_stacks(Reader& in, std::size_t count) {
    Stacks stacks;
    if (in.within(0, 1, "0 or 1 expected") == 0) return stacks;
    for (std::size_t h = 0; h < count; ++h) stacks.chips[h] = bound(in.number<double>());
    for (std::size_t pair = 0; pair < count * (count - 1) / 2; ++pair) stacks.stake[pair] = in.number<double>();
    stacks.point = in.number<double>();
    const auto least = [](double one) { return one >= 1; };
    in.need(stacks.point >= 1 && std::all_of(stacks.stake.begin(), stacks.stake.begin() + static_cast<std::ptrdiff_t>(count * (count - 1) / 2), least),
            "a point is a chip or more");
    stacks.rule.cap = static_cast<PaymentRule::Cap>(in.within(0, 2, "there is no such cap"));
    stacks.rule.bust_stops = in.within(0, 1, "0 or 1 expected") == 1;
    stacks.rule.loss_limit = bound(in.number<double>());
    stacks.begin(count);
    return stacks;
}

class Analysis {
public:
    Analysis(std::shared_ptr<const Model> player, const SearchTask& task, const std::vector<RowMasks>& named)
        : player_(std::move(player)), task_(task), search_(player_->value, player_->rules, player_->shape, player_->strengths),
          field_(search_.candidates(task_, named)) {}
    Analysis(const Analysis&) = delete;

    std::size_t size() const { return field_.size(); }
    bool exact() const { return search_.solvable(task_); }
    const std::vector<Candidate>& field() const { return field_; }
    RowMasks masks(const Candidate& candidate) const { return search_.masks(candidate); }

    void race(std::size_t width, std::uint64_t rollouts) { halving_ = search_.race(task_, field_, width, rollouts); }

    // Whether the race goes on.
    bool step(std::uint64_t most, std::uint64_t seed) {
        search_.step(task_, field_, halving_, most, seed);
        return !halving_.over();
    }

    void forget() {
        for (Candidate& candidate : field_) candidate.forget();
    }

    // `chosen` by the numbers that `candidates` gave.
    void measure(const std::vector<std::size_t>& chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
        search_.measure<true>(task_, field_, places(chosen), each, seed, first, [](double) {});
    }

    template <typename Told>
    void sample(const std::vector<std::size_t>& chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first, const Told& told) {
        std::vector<Candidate> field = field_;
        search_.measure<false>(task_, field, places(chosen), each, seed, first, told);
    }

    std::span<const learn::Reached> course(std::size_t number, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
        course_ = search_.course(task_, field_[places({number})[0]], each, seed, first);
        return std::span(course_).first(player_->shape.streets);
    }

private:
    std::vector<std::size_t> places(const std::vector<std::size_t>& chosen) const {
        std::vector<std::size_t> at(field_.size());
        for (std::size_t i = 0; i < field_.size(); ++i) at[field_[i].number] = i;
        std::vector<std::size_t> found;
        for (const std::size_t number : chosen) found.push_back(at[number]);
        return found;
    }

    std::shared_ptr<const Model> player_;
    SearchTask task_;
    learn::Decision search_;
    learn::Streets course_{};
    std::vector<Candidate> field_;
    Halving halving_{0, 0, 0, 0};
};

std::vector<std::size_t> read_chosen(Reader& in, const Analysis* analysis) {
    const std::size_t end = analysis == nullptr ? 0 : analysis->size();
    const std::size_t count = in.within(0, static_cast<std::uint32_t>(end), "there are not so many placements");
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count && !in.refused(); ++i) {
        chosen.push_back(in.number<std::uint32_t>());
        in.need(chosen.back() < end, "there is no such placement");
    }
    return chosen;
}

// After how many streets it is told how many cards lay in each row, none or as many as are done; those numbers.
void read_order(Reader& in, const DealShape& shape, SearchHand& hand) {
    const auto streets = in.number<std::uint8_t>();
    if (streets == 0 || in.refused()) return;
    in.need(streets == hand.streets_done, "the order of a hand's cards has other streets");
    for (std::size_t s = 0; s < hand.streets_done; ++s) hand.laid[s] = in.numbers<std::uint8_t, row_count>();
    hand.in_order = true;
    in.need(comes_in_order(hand, shape), "a hand's cards cannot have come in this order");
}

}  // namespace

// Rules; how many hands the table was learned with, jokers, streets (cards dealt and placed); the points of each outcome;
// strengths of rows; temperatures by street; what answers to a first street change; fantasylands' values by cards; the table.
// Its number.
TRIPTYCH_QUESTION(keep_player) {
    const RulesTable rules = read_rules(in);
    const DealShape shape = read_shape(in);
    Outcomes weights{};
    for (std::size_t i = 0; i < outcome_count; ++i) weights[i] = in.number<float>();
    Strengths strengths{};
    for (auto& row : strengths) row = in.numbers<Rank, strength_bins>();
    std::array<float, max_streets> temperature{};
    for (std::size_t i = 0; i < shape.streets; ++i) in.need((temperature[i] = in.number<float>()) >= 0, "a temperature is points from 0 on");
    FirstAnswers first_answers;
    for (FirstAnswers::Change& change : first_answers.change) change = in.numbers<float, FirstAnswers::parts>();
    const auto land_value = in.numbers<float, most_land_cards + 1>();
    if (in.refused()) return;
    auto player = std::make_shared<Model>(Model{
        rules, shape, strengths, land_value, temperature, first_answers, ValueTables::of_points(static_cast<int>(shape.deck - deck_size), weights)});
    read_table(in, player->value);
    if (in.complete()) store(in, out, std::move(player));
}

// Settings of a fantasyland: which of its cards lie in each row, as bits.
std::vector<RowMasks> read_settings(Reader& in, std::size_t cards) {
    std::vector<RowMasks> settings(in.within(0, most_named, "too many settings"));
    for (RowMasks& masks : settings) {
        std::uint32_t used = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            masks[row] = in.number<std::uint32_t>();
            in.need(masks[row] >> cards == 0 && (used & masks[row]) == 0 && std::popcount(masks[row]) == static_cast<int>(row_size[row]),
                    "this is no setting of these cards");
            used |= masks[row];
        }
    }
    return settings;
}

// A player; the street from 0, the hand to act, its cards, those it does not see (a bit each), whether it believes that
// others chose what they threw away; the hands in deal order (one alone only in fantasyland): rows, streets done,
// fantasyland cards, how many in a row, the order in which its cards came; what bounds the payments; for a hand in fantasyland settings that are to be among
// the placements. A ListedDecision.
TRIPTYCH_QUESTION(analysis_begin) {
    const auto player = stored<Model>(in);
    if (in.refused()) return;
    const DealShape& shape = player->shape;
    SearchTask task;
    task.street = in.within(0, static_cast<std::uint32_t>(shape.streets - 1), "there is no such street");
    task.me = in.within(0, max_hands - 1, "there is no such hand");
    CardSet drawn = 0;
    const std::vector<Card> cards = in.cards(most_land_cards, drawn);
    std::copy(cards.begin(), cards.end(), task.cards.begin());
    task.unseen = in.number<CardSet>();
    if (in.within(0, 1, "0 or 1 expected") == 1) task.temperature = player->temperature;
    task.first_answers = player->first_answers;
    task.land_value = player->land_value;
    task.count = in.within(1, max_hands, "one to four hands expected");
    for (std::size_t h = 0; h < task.count && !in.refused(); ++h) {
        SearchHand& hand = task.hands[h];
        CardSet own = 0;
        hand.board = read_board(in, own);
        hand.streets_done = in.within(0, static_cast<std::uint32_t>(shape.streets), "there are not so many streets");
        hand.land_cards = static_cast<std::uint8_t>(in.within(0, most_land_cards, "a fantasyland has at most 17 cards"));
        hand.land_in_row = static_cast<std::uint8_t>(in.within(0, 255, "too many fantasylands in a row"));
        read_order(in, shape, hand);
    }
    task.stacks = read_stacks(in, task.count);
    const bool land = task.me < task.count && learn::Decision::in_land(task);
    const std::vector<RowMasks> named = land ? read_settings(in, cards.size()) : std::vector<RowMasks>{};
    if (in.refused()) return;
    if (const char* fault = task_fault(task, cards, shape)) in.refuse(wrong_value, fault);
    if (!in.complete()) return;
    const auto analysis = std::make_shared<Analysis>(player, task, named);
    const std::uint32_t number = stored_number(in, analysis);
    if (in.refused()) return;
    ListedDecision listed{number, analysis->exact(), {}};
    for (const Candidate& candidate : analysis->field()) {
        const RowMasks masks = analysis->masks(candidate);
        listed.placements.push_back({{CardList(cards, masks[0]), CardList(cards, masks[1]), CardList(cards, masks[2])}, candidate.prior});
    }
    out.put(listed);
}

// An analysis, how many of the best placements, how many rollouts: begins to halve the field while the best are told apart.
TRIPTYCH_QUESTION(analysis_race) {
    const auto analysis = stored<Analysis>(in);
    const std::size_t width = in.within(0, 1U << 20, "too many placements");
    const std::uint32_t rollouts = in.within(0, most_rollouts, "too many rollouts at once");
    if (in.complete()) analysis->race(width, rollouts);
}

// An analysis that was begun to be halved, as much of it as so many rollouts cost, a seed, the same for all of it. Whether
// it goes on.
TRIPTYCH_QUESTION(analysis_step) {
    const auto analysis = stored<Analysis>(in);
    const std::uint32_t most = in.within(0, most_rollouts, "too many rollouts at once");
    const auto seed = in.number<std::uint64_t>();
    if (in.complete()) out.add(static_cast<std::uint32_t>(analysis->step(most, seed)));
}

// An analysis: forgets its rollouts; the order stays.
TRIPTYCH_QUESTION(analysis_forget) {
    const auto analysis = stored<Analysis>(in);
    if (in.complete()) analysis->forget();
}

// An analysis, the numbers of placements, how many rollouts for each, a seed, the first rollout's number.
TRIPTYCH_QUESTION(analysis_measure) {
    const auto analysis = stored<Analysis>(in);
    const std::vector<std::size_t> chosen = read_chosen(in, analysis.get());
    const std::uint32_t each = in.within(0, most_rollouts, "too many rollouts at once");
    const auto seed = in.number<std::uint64_t>();
    const auto first = in.number<std::uint64_t>();
    if (in.complete()) analysis->measure(chosen, each, seed, first);
}

// The same; each rollout's points of each placement, of which the analysis keeps nothing.
TRIPTYCH_QUESTION(analysis_sample) {
    const auto analysis = stored<Analysis>(in);
    const std::vector<std::size_t> chosen = read_chosen(in, analysis.get());
    const std::uint32_t each = in.within(0, most_rollouts, "too many rollouts at once");
    const auto seed = in.number<std::uint64_t>();
    const auto first = in.number<std::uint64_t>();
    in.need(chosen.size() * each <= most_rollouts, "too many rollouts at once");
    if (!in.complete()) return;
    analysis->sample(chosen, each, seed, first, [&](double points) { out.add(static_cast<float>(points)); });
}

// An analysis, a placement's number, how many rollouts, a seed, the first rollout's number. A GameCourse.
TRIPTYCH_QUESTION(analysis_course) {
    const auto analysis = stored<Analysis>(in);
    const std::uint32_t number = in.number<std::uint32_t>();
    const std::uint32_t each = in.within(0, most_rollouts, "too many rollouts at once");
    const auto seed = in.number<std::uint64_t>();
    const auto first = in.number<std::uint64_t>();
    if (analysis != nullptr) in.need(number < analysis->size(), "there is no such placement");
    if (!in.complete()) return;
    out.put(GameCourse{street_outcomes(analysis->course(number, each, seed, first), each)});
}

// An analysis. A PlacementList in the present order.
TRIPTYCH_QUESTION(analysis_read) {
    const auto analysis = stored<Analysis>(in);
    if (!in.complete()) return;
    PlacementList list;
    for (const Candidate& candidate : analysis->field()) list.placements.emplace_back(candidate);
    out.put(list);
}
