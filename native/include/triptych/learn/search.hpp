// What every placement of a street is worth: all players' rollouts with the learned choice, the same cards for every
// placement (common random numbers), most of them spent on the best ones (sequential halving; Karnin et al. 2013).
//
// Each rollout draws anew what the others have discarded (belief.hpp); those cards do not come any more.
//
// Heads-up, the own last street is not sampled: before it, each sample of the other hand counts all own draws, and on
// it all draws of the other hand are counted. So the answer is exact, unless that hand has discarded cards unseen:
// then each sample is one of what they may be.
//
// Rollouts may be shared in two halves: each has a stream of its own, so the answer does not depend on the time, nor on
// whether the halves are played at once. That is the caller's matter: the kernel starts no threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "triptych/learn/belief.hpp"
#include "triptych/learn/candidate.hpp"
#include "triptych/learn/card_luck.hpp"
#include "triptych/learn/halving.hpp"
#include "triptych/learn/opponent_responses.hpp"
#include "triptych/learn/playout.hpp"
#include "triptych/learn/points_of.hpp"

namespace triptych::learn {

// Runs two jobs, at once or one after the other, and returns when both are done.
using RunInParallel = std::function<void(const std::function<void()>& first, const std::function<void()>& second)>;

class Search {
public:
    // Counting an ending's draws costs as much as so many rollouts.
    static constexpr std::uint64_t counted_cost = 4;
    static constexpr std::uint64_t counted_each = 16;  // samples that tell such endings apart in most cases
    static constexpr std::uint64_t answered_cost = 16;  // the same of the other hand's draws: they differ little
    static constexpr std::uint64_t answered_least = 8;

    // As many rollouts tell two placements apart as well as the learned value does; found on bench/decisions.
    static constexpr double sampled_trust = 100;
    static constexpr double foreseen_trust = 200;  // the same of the learned value one draw later
    static constexpr double counted_trust = 2;
    static constexpr std::uint64_t most_draws = 128;  // on which it is looked at
    static constexpr double clear_errors = 0.8;  // points between the best two of a race that may stop early, in standard errors of one of them
    static constexpr std::size_t few = 8;             // placements
    static constexpr std::uint64_t each_draw = 16;    // rollouts for which there is one such draw

    Search(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), playout_(value, rules, shape, strengths),
          belief_(std::make_shared<Belief>(value, rules, shape, strengths)), careful_(std::make_shared<Belief>(value, rules, shape, strengths)) {}

    // From now on `run` plays the two halves of the rollouts.
    void use_helper(RunInParallel run) {
        helper_ = std::make_unique<Search>(value_, rules_, shape_, strengths_);
        helper_->belief_ = belief_;
        helper_->careful_ = careful_;
        run_in_parallel_ = std::move(run);
    }

    // Begins with a task: all placements of the street, by the learned value, best first.
    std::vector<Candidate> candidates(const SearchTask& task);

    // What the others may have discarded at the task that it began with, as levels choose by it; and believed with care, as it is shown.
    const Belief& belief() const { return *belief_; }
    const Belief& careful(const SearchTask& task) {
        take_care(task);
        return *careful_;
    }

    // Whether the answer needs no samples: the last street, when the other boards are finished or, heads-up, all that
    // the other hand may still do can be counted and it has discarded nothing unseen.
    bool solvable(const SearchTask& task) const {
        return settled(task) || (answers_draws(task) && belief_->empty());
    }

    // The last street, and every other board is finished.
    bool settled(const SearchTask& task) const {
        bool finished = task.street + 1 == shape_.streets;
        for (std::size_t h = 0; h < task.count; ++h) finished = finished && (h == task.me || task.hands[h].board.complete());
        return finished;
    }

    // The same number of rollouts for each of the first `width` candidates, in their order. Runs of one seed go on
    // where the last one ended, so slices add up to one long run. `visit(points)` for every rollout. `shown`: the
    // points are taken apart, what was luck of the cards is taken out, and the others answer as in reply.hpp; else they are
    // bare, for what is between placements. `care`: by what is believed with care, which all but levels' choices have time for.
    template <bool shown, bool care = true, typename Visit>
    void measure(const SearchTask& task, std::vector<Candidate>& field, std::span<const std::size_t> chosen, std::uint64_t each,
                 std::uint64_t seed, std::uint64_t first, const Visit& visit) {
        if (each > 0 && solvable(task)) return solve(task, field);
        if (care) take_care(task);
        if (answers_draws(task)) return answer<shown, care>(task, field, chosen, each, seed, first, visit);
        const bool counted = counts_draws(task);
        if (counted) lay_endings(task, field, chosen);
        if (shown && luck_.noted()) learn_luck(field.front());
        const bool answered = shown && responses().applies(task);
        const Expected usual = shown ? responses().usual(task) : Expected{};
        constexpr std::uint32_t every = OpponentResponses::every;
        // What was luck of the last draws takes half as long as all else: that is well spent on the few best alone.
        const bool track_luck = !counted && chosen.size() <= few && (luck_.listening() || (shown && luck_.known()));
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            const std::array<CardSet, max_hands> discarded = believed<care>().draw(random);
            playout_.deal_out(task, random, discarded, shown && !counted, track_luck);
            if (counted) find_others(task);
            if (luck_.listening() || (shown && luck_.known())) luck_.look(task, playout_);
            Expected change = usual;  // as after the best placement, for all: it does not blur what is between them
            if (answered && random.below(every) == 0) change.add(responses().change(task, field.front().placement, discarded, random), every);
            for (const std::size_t c : chosen) visit(counted ? count_draws<shown>(task, field[c], change) : rollout<shown>(task, field[c], change));
        }
    }

    void measure(const SearchTask& task, std::vector<Candidate>& field, std::span<const std::size_t> chosen, std::uint64_t each,
                 std::uint64_t seed, std::uint64_t first) {
        measure_shared<true, true>(task, field, chosen, each, seed, first);
    }

    // Spends `rollouts` on the `width` best candidates, halving the field while the best are told apart; best first, by
    // rollouts and learned value together.
    // An exact answer is given for all of them. What the points come from is left to `measure`. `early_stop`: it ends as soon as one is clearly the best.
    void run(const SearchTask& task, std::vector<Candidate>& field, std::size_t width, std::uint64_t rollouts,
             std::uint64_t seed, bool early_stop = false) {
        early_stop_ = early_stop;
        Halving halving = race(task, field, width, rollouts);
        while (!halving.over()) {
            step(task, field, halving, rollouts, seed);
            if (early_stop && foreseen_ && clear(task, field)) halving.end();
        }
    }

    // The same in steps: begins with the field.
    Halving race(const SearchTask& task, std::vector<Candidate>& field, std::size_t width, std::uint64_t rollouts) {
        const bool exact = solvable(task);
        const bool answers = answers_draws(task);
        const std::uint64_t effort = exact ? 0 : rollouts / cost(task);
        // A field that is soon told apart is tried whole where there is time: the learned value may be wrong about it.
        const std::uint64_t wide = exact || answers ? field.size() : counts_draws(task) ? effort / counted_each : 0;
        auto left = static_cast<std::size_t>(std::min<std::uint64_t>(std::max<std::uint64_t>(width, wide), field.size()));
        const std::size_t own = left;
        if (left > 0) left = invite(task, field, left);
        foreseen_ = !exact && !answers && !counts_draws(task) && foresee(task, field, own, left, std::min(most_draws, effort / each_draw));
        if (helper_ != nullptr) helper_->foreseen_ = foreseen_;
        return Halving(left, exact || answers ? 1 : halvings(left), effort, answers && !exact ? answered_least : 1);
    }

    // As much of it as `most` rollouts cost.
    void step(const SearchTask& task, std::vector<Candidate>& field, Halving& halving, std::uint64_t most, std::uint64_t seed) {
        const double trust = solvable(task) || answers_draws(task) ? 0 : counts_draws(task) ? counted_trust : foreseen_ ? foreseen_trust : sampled_trust;
        const auto opponents = static_cast<double>(opponents_of(rules_, task.me, task.count));
        const bool noted = !early_stop_ && cost(task) == 1 && !solvable(task) && halving.left() <= CardLuck::placements && halving.each() >= CardLuck::least;
        if (noted && !luck_.noted() && !luck_.known()) listen(field, halving.left());
        halving.step(field, most / cost(task),
            [&](std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t first) {
                measure_shared<false, false>(task, field, chosen, each, seed, first);
            },
            [&](const Candidate& one) { return one.believed(trust, opponents); });
        if (halving.measured() == 0) stop_listening();
    }

    // What it changes that the others answer a placement as `medium` would, one draw of their cards.
    Expected answered(const SearchTask& task, const Placement& placement, std::uint64_t seed, std::uint64_t number) {
        Random random(seed, number);
        const std::array<CardSet, max_hands> discarded = careful(task).draw(random);
        return responses().change(task, placement, discarded, random, OpponentResponses::rollouts);
    }

private:
    // Whether the best of a field that was put in order is far enough before the second.
    bool clear(const SearchTask& task, const std::vector<Candidate>& field) const {
        if (field.size() < 2 || field[0].rollouts == 0) return true;
        const auto opponents = static_cast<double>(opponents_of(rules_, task.me, task.count));
        const double ahead = field[0].believed(foreseen_trust, opponents) - field[1].believed(foreseen_trust, opponents);
        return ahead > clear_errors * field[0].error(static_cast<double>(field[0].rollouts) + foreseen_trust);
    }

    // The learned value misjudges whole kinds of plays together, fantasylands most: where the field is cut, the best of
    // each kind, by the learned value with one hope counted twice, stay in it, right behind the first `left`. Returns
    // how many are in it then.
    std::size_t invite(const SearchTask& task, std::vector<Candidate>& field, std::size_t left) const;

    // Looks one draw ahead, at the first `left` of the field and as many more as `own` of them came in by the learned value: the
    // best of those take the places of these. Guests keep theirs. Returns whether it could.
    bool foresee(const SearchTask& task, std::vector<Candidate>& field, std::size_t own, std::size_t left, std::uint64_t draws) const;

    // What the searching player's own cards brought in the latest rollout, by the learned value: the next draw and the last one. Its
    // mean is close to zero, and it is much of what a rollout is off by.
    double luck_of(const SearchTask& task, const std::array<SearchHand, max_hands>& hands, const Candidate& candidate) const {
        const std::size_t next = task.street + 1;
        const std::size_t last = shape_.streets - 1;
        if (next == last) return static_cast<double>(guide(values_of(rules_, hands[task.me].board)) - candidate.lookahead_value);
        const float drawn = playout_.worth(next) - candidate.lookahead_value;
        if (next + 1 == last) return static_cast<double>(drawn);
        return static_cast<double>(drawn + guide(values_of(rules_, hands[task.me].board)) - playout_.worth(last - 1));
    }

    template <bool shown, bool care>
    void measure_shared(const SearchTask& task, std::vector<Candidate>& field, std::span<const std::size_t> chosen, std::uint64_t each,
                        std::uint64_t seed, std::uint64_t first) {
        const auto alone = [](double) {};
        if (helper_ == nullptr || answers_draws(task) || solvable(task)) {
            return measure<shown, care>(task, field, chosen, each, seed, first, alone);
        }
        if (care) take_care(task);
        if (shown && luck_.noted()) learn_luck(field.front());
        std::vector<Candidate> half = field;
        for (Candidate& candidate : half) candidate.forget();
        const std::uint64_t own = each - each / 2;
        run_in_parallel_([&] { measure<shown, care>(task, field, chosen, own, seed, first, alone); },
              [&] { helper_->measure<shown, care>(task, half, chosen, each / 2, seed, first + own, alone); });
        for (const std::size_t c : chosen) field[c].add(half[c]);
    }

    // Once a task.
    void take_care(const SearchTask& task) {
        if (!careful_->looked()) careful_->look(task, !settled(task), true);
    }

    template <bool care>
    const Belief& believed() const { return care ? *careful_ : *belief_; }

    // What a measurement costs, in rollouts.
    std::uint64_t cost(const SearchTask& task) const { return answers_draws(task) ? answered_cost : counts_draws(task) ? counted_cost : 1; }

    // Heads-up by rules whose boards pay each other simply, with a last street small enough to be counted.
    bool countable(const SearchTask& task) const {
        const std::size_t last = shape_.streets - 1;
        return task.count == 2 && !task.stacks.places.paid() && Duel::covers(rules_) && shape_.placed[last] <= Endings::most_slots &&
               shape_.dealt[last] <= Endings::most_dealt;
    }

    bool counts_draws(const SearchTask& task) const { return task.street + 2 == shape_.streets && countable(task); }

    // Heads-up on the last street, with the other hand still to be dealt its own.
    bool answers_draws(const SearchTask& task) const {
        if (task.street + 1 != shape_.streets || !countable(task)) return false;
        const SearchHand& other = task.hands[1 - task.me];
        return other.land_cards == 0 && other.streets_done + 1 == shape_.streets;
    }

    PlayedBoard placed(const SearchTask& task, const Placement& placement) const {
        PlayedBoard board = task.hands[task.me].board;
        board.place(placement, task.cards.data(), shape_.dealt[task.street]);
        return board;
    }

    // The other hand of two.
    static std::uint8_t other_of(const SearchTask& task) { return static_cast<std::uint8_t>(1 - task.me); }

    static std::array<std::size_t, row_count> filled(const PlayedBoard& board) {
        return {board.rows[front_row].size, board.rows[middle_row].size, board.rows[back_row].size};
    }

    float guide(const RowValues& rows) const { return final_points(value_.weights(), rules_, strengths_, rows); }

    // The exact points of every candidate on the last street.
    void solve(const SearchTask& task, std::vector<Candidate>& field) {
        Random none;
        playout_.deal_out(task, none);
        const bool finished = playout_.last_cards() == nullptr;
        const Duel duel(rules_, task.land_value, task.stacks, changes_);
        if (!finished) lay_answers(task, duel);
        for (Candidate& candidate : field) {
            candidate.forget();
            if (finished) {
                rollout<false>(task, candidate);
            } else {
                answer_all<true>(task, duel, task.unseen, candidate);
            }
            candidate.exact = true;
        }
    }

    // All draws of the other hand's last street, for each of so many beliefs of what it discarded.
    template <bool shown, bool care, typename Visit>
    void answer(const SearchTask& task, std::vector<Candidate>& field, std::span<const std::size_t> chosen, std::uint64_t each,
                std::uint64_t seed, std::uint64_t first, const Visit& visit) {
        const Duel duel(rules_, task.land_value, task.stacks, changes_);
        lay_answers(task, duel);
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            const CardSet to_come = task.unseen & ~believed<care>().draw(random)[1 - task.me];
            for (const std::size_t c : chosen) visit(answer_all<shown>(task, duel, to_come, field[c]));
        }
    }

    void lay_answers(const SearchTask& task, const Duel& duel) {
        const PlayedBoard& board = task.hands[1 - task.me].board;
        others_ends_.build(rules_, duel, board.cards, filled(board), task.unseen, other_of(task), false, [](const RowValues&) { return 0.0F; });
    }

    template <bool shown>
    double answer_all(const SearchTask& task, const Duel& duel, CardSet to_come, Candidate& candidate) {
        const Finish mine = duel.finish(board_values(rules_, placed(task, candidate.placement).cards.data()), static_cast<std::uint8_t>(task.me));
        const std::size_t dealt = shape_.dealt[shape_.streets - 1];
        if constexpr (!shown) return candidate.add(-others_ends_.points(duel, to_come, dealt, {&mine, 1}));
        Expected found = others_ends_.expect(duel, to_come, dealt, {&mine, 1});
        found.fouls = mine.legal ? 0 : 1;
        found.lands = mine.land > 0 ? 1 : 0;
        return candidate.add(found, -1);
    }

    void lay_endings(const SearchTask& task, const std::vector<Candidate>& field, std::span<const std::size_t> chosen) {
        const Duel duel(rules_, task.land_value, task.stacks, changes_);
        const bool blind = playout_.last_to_act(task) != task.me;
        for (const std::size_t c : chosen) {
            Endings& endings = endings_[field[c].number];
            if (endings.built()) continue;
            const PlayedBoard board = placed(task, field[c].placement);
            endings.build(rules_, duel, board.cards, filled(board), task.unseen, static_cast<std::uint8_t>(task.me), blind, [&](const RowValues& rows) { return guide(rows); });
        }
    }

    // The boards that the other hand may end with in this order of the cards.
    void find_others(const SearchTask& task) {
        const Duel duel(rules_, task.land_value, task.stacks, changes_);
        const SearchHand& other = playout_.others()[1 - task.me];
        others_.clear();
        const auto add = [&](const RowValues& rows) {
            others_.push_back(duel.finish(rows, other_of(task), other.land_cards, other.land_in_row));
        };
        if (playout_.last_cards() == nullptr) return add(values_of(rules_, other.board));
        const std::size_t last = shape_.streets - 1;
        FinishedBoards(rules_, other.board, playout_.last_cards(), shape_.dealt[last]).each(shape_.placed[last], [&](const Finished& one) { add(one.rows); });
    }

    template <bool shown>
    double count_draws(const SearchTask& task, Candidate& candidate, Expected change) {
        const Duel duel(rules_, task.land_value, task.stacks, changes_);
        const std::size_t dealt = shape_.dealt[shape_.streets - 1];
        const CardSet available = task.unseen & ~playout_.used();
        Endings& endings = endings_[candidate.number];
        if constexpr (!shown) return candidate.add(endings.points(duel, available, dealt, others_));
        change.add(endings.expect(duel, available, dealt, others_), 1);
        return candidate.add(change);
    }

    // The rollouts of one round of the race tell what luck of the cards is worth.
    void listen(const std::vector<Candidate>& field, std::size_t left) {
        std::vector<std::size_t> numbers;
        for (std::size_t c = 0; c < left; ++c) numbers.push_back(field[c].number);
        luck_.listen(numbers);
        if (helper_ != nullptr) helper_->luck_.listen(numbers);
    }

    void stop_listening() {
        luck_.stop();
        if (helper_ != nullptr) helper_->luck_.stop();
    }

    void learn_luck(const Candidate& best) {
        luck_.fit(helper_ != nullptr ? &helper_->luck_ : nullptr, best.number);
        if (helper_ != nullptr) helper_->luck_.share(luck_);
    }

    template <bool shown>
    double rollout(const SearchTask& task, Candidate& candidate, Expected change = {}) {
        const double share = 1 / static_cast<double>(playout_.turns());
        playout_.finish_turns(task, candidate.placement, [&](const std::array<SearchHand, max_hands>& hands) {
            change.add(points_of(rules_, task, hands), share);
            if (!shown && foreseen_) candidate.luck += luck_of(task, hands, candidate);
        });
        if (luck_.listening()) luck_.note(change, playout_);
        if (shown && luck_.known()) luck_.take(candidate.number, change, playout_);
        return candidate.add(change);
    }

    OpponentResponses& responses() {
        if (responses_ == nullptr) responses_ = std::make_unique<OpponentResponses>(value_, rules_, shape_, strengths_);
        return *responses_;
    }

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    Playout playout_;
    std::shared_ptr<Belief> belief_;   // what levels choose by
    std::shared_ptr<Belief> careful_;  // what is shown and told apart
    std::vector<Endings> endings_;     // by a candidate's number
    Endings others_ends_;
    CardLuck luck_;
    StackChanges changes_;
    bool early_stop_ = false;   // a level's choice, of which nothing is shown
    bool foreseen_ = false;  // whether the field's values are those of one draw later
    std::vector<Finish> others_;
    std::unique_ptr<OpponentResponses> responses_;  // made when first asked
    std::unique_ptr<Search> helper_;            // plays the second half
    RunInParallel run_in_parallel_;
};

}  // namespace triptych::learn
