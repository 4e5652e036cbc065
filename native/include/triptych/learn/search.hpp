// Search over the placements of a street: rollouts by the learned value for all players, with the same cards for every
// placement (common random numbers). Most rollouts go to the best candidates (sequential halving; Karnin et al. 2013).
//
// Each rollout samples the others' discards from the belief (belief.hpp); these cards are out of the deck.
//
// Heads-up, the player's own last street is enumerated, not sampled: one street before it, each sample of the other hand is
// averaged over all own draws; on it, all draws of the other hand are enumerated. The result is then exact, unless that hand
// has unseen discards: these are sampled from the belief.
//
// Rollouts can be split into two halves. Each half has its own random stream, so the result depends neither on timing nor on
// whether the halves run at the same time. The caller provides the threads; the kernel starts none.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "triptych/learn/belief.hpp"
#include "triptych/learn/candidate.hpp"
#include "triptych/learn/card_control_variate.hpp"
#include "triptych/learn/opponent_responses.hpp"
#include "triptych/learn/payoff.hpp"
#include "triptych/learn/rollout.hpp"
#include "triptych/learn/sequential_halving.hpp"

namespace triptych::learn {

// Runs two jobs, in parallel or one after the other, and returns when both are done.
using RunInParallel = std::function<void(const std::function<void()>& first, const std::function<void()>& second)>;

class Search {
public:
    // Cost of enumerating the draws of a last street, in rollouts.
    static constexpr std::uint64_t enumeration_cost = 4;
    static constexpr std::uint64_t min_enumerations = 16;           // enough samples to separate candidates in most cases
    static constexpr std::uint64_t opponent_enumeration_cost = 16;  // the same for the other hand's draws
    static constexpr std::uint64_t min_opponent_enumerations = 8;

    // Weight of the prior, in rollouts: so many are as good at separating two placements. Measured on bench/decisions.
    static constexpr double prior_samples = 100;
    static constexpr double lookahead_prior_samples = 200;  // where the prior is the lookahead value
    static constexpr double enumeration_prior_samples = 2;
    static constexpr std::uint64_t max_lookahead_draws = 128;         // of the one-street lookahead
    static constexpr double clear_lead_errors = 0.8;                  // early stop: lead of the best candidate, in its standard errors
    static constexpr std::size_t max_tracked_candidates = 8;          // placements
    static constexpr std::uint64_t rollouts_per_lookahead_draw = 16;  // one lookahead draw per so many rollouts

    Search(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), rollout_(value, rules, shape, strengths),
          belief_(std::make_shared<Belief>(value, rules, shape, strengths)), thorough_belief_(std::make_shared<Belief>(value, rules, shape, strengths)) {}

    // Runs both halves of the rollouts by `run` from now on.
    void use_helper(RunInParallel run) {
        helper_ = std::make_unique<Search>(value_, rules_, shape_, strengths_);
        helper_->belief_ = belief_;
        helper_->thorough_belief_ = thorough_belief_;
        run_in_parallel_ = std::move(run);
    }

    // Starts a task. Returns all placements of the street, by prior, best first.
    std::vector<Candidate> candidates(const SearchTask& task);

    // The belief in the others' discards: the fast one, for bot levels, and the thorough one, for display.
    const Belief& belief() const { return *belief_; }
    const Belief& thorough_belief(const SearchTask& task) {
        update_thorough_belief(task);
        return *thorough_belief_;
    }

    // Whether the result needs no samples: on the last street, when all other boards are finished or, heads-up, when the other
    // hand's draws can be enumerated and it has no unseen discards.
    bool solvable(const SearchTask& task) const { return all_others_finished(task) || (enumerates_opponent_draws(task) && belief_->empty()); }

    // Whether it is the last street and every other board is finished.
    bool all_others_finished(const SearchTask& task) const {
        bool finished = task.street + 1 == shape_.streets;
        for (std::size_t h = 0; h < task.count; ++h) finished = finished && (h == task.me || task.hands[h].board.complete());
        return finished;
    }

    // Plays `each` rollouts of the chosen candidates and calls `visit(points)` for every one. Consecutive calls with the same
    // seed continue each other, so slices add up to one long run. `for_display`: points are split into their parts, the luck of
    // the cards is subtracted, and opponents' responses are corrected (opponent_responses.hpp); otherwise only points are summed,
    // which is enough to compare placements. `thorough`: use the thorough belief, which only bot levels have no time for.
    template <bool for_display, bool thorough = true, typename Visit>
    void measure(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                 std::uint64_t first, const Visit& visit) {
        if (each > 0 && solvable(task)) return solve(task, candidates);
        if (thorough) update_thorough_belief(task);
        if (enumerates_opponent_draws(task)) return measure_opponent_draws<for_display, thorough>(task, candidates, chosen, each, seed, first, visit);
        const bool counted = enumerates_own_draws(task);
        if (counted) build_last_streets(task, candidates, chosen);
        if (for_display && control_variate_.has_samples()) fit_control_variate(candidates.front());
        const bool response_correction = for_display && responses().applies(task);
        const ExpectedPoints usual = for_display ? responses().average_correction(task) : ExpectedPoints{};
        constexpr std::uint32_t every = OpponentResponses::rollouts_per_correction;
        // Tracking the luck of the last draws adds half to the time: it pays only for few candidates.
        const bool track_luck =
            !counted && chosen.size() <= max_tracked_candidates && (control_variate_.is_recording() || (for_display && control_variate_.is_fitted()));
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            const std::array<CardSet, max_hands> discarded = selected_belief<thorough>().draw(random);
            rollout_.deal_out(task, random, discarded, for_display && !counted, track_luck);
            if (counted) find_opponent_boards(task);
            if (control_variate_.is_recording() || (for_display && control_variate_.is_fitted())) control_variate_.read_deal(task, rollout_);
            ExpectedPoints change = usual;  // that of the best placement, for all: it adds no noise to differences
            if (response_correction && random.below(every) == 0)
                change.add(responses().sample_correction(task, candidates.front().placement, discarded, random), every);
            for (const std::size_t c : chosen)
                visit(counted ? average_own_draws<for_display>(task, candidates[c], change) : play_rollout<for_display>(task, candidates[c], change));
        }
    }

    void measure(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                 std::uint64_t first) {
        measure_shared<true, true>(task, candidates, chosen, each, seed, first);
    }

    // Spends `rollouts` on the `width` best candidates by sequential halving and sorts them by posterior mean, best first. Exact
    // results are computed for all candidates. Only `measure` fills in the parts of the points. `early_stop`: stop once the
    // lead of the best one is clear.
    void run(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t width, std::uint64_t rollouts, std::uint64_t seed,
             bool early_stop = false) {
        early_stop_ = early_stop;
        SequentialHalving halving = race(task, candidates, width, rollouts);
        while (!halving.finished()) {
            step(task, candidates, halving, rollouts, seed);
            if (early_stop && looked_ahead_ && has_clear_leader(task, candidates)) halving.end();
        }
    }

    // Starts the same in steps.
    SequentialHalving race(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t width, std::uint64_t rollouts) {
        const bool exact = solvable(task);
        const bool answers = enumerates_opponent_draws(task);
        const std::uint64_t effort = exact ? 0 : rollouts / cost(task);
        // Where few samples separate candidates, all of them are tried if there is time: the learned value may misjudge some.
        const std::uint64_t enumerable = exact || answers ? candidates.size() : enumerates_own_draws(task) ? effort / min_enumerations : 0;
        auto left = static_cast<std::size_t>(std::min<std::uint64_t>(std::max<std::uint64_t>(width, enumerable), candidates.size()));
        const std::size_t own = left;
        if (left > 0) left = add_variant_candidates(task, candidates, left);
        looked_ahead_ = !exact && !answers && !enumerates_own_draws(task) &&
                        look_ahead(task, candidates, own, left, std::min(max_lookahead_draws, effort / rollouts_per_lookahead_draw));
        if (helper_ != nullptr) helper_->looked_ahead_ = looked_ahead_;
        return SequentialHalving(left, exact || answers ? 1 : halving_rounds(left), effort, answers && !exact ? min_opponent_enumerations : 1);
    }

    // Does as much of it as `max_rollouts` rollouts cost.
    void step(const SearchTask& task, std::vector<Candidate>& candidates, SequentialHalving& halving, std::uint64_t max_rollouts, std::uint64_t seed) {
        const double trust = solvable(task) || enumerates_opponent_draws(task) ? 0
                             : enumerates_own_draws(task)                      ? enumeration_prior_samples
                             : looked_ahead_                                   ? lookahead_prior_samples
                                                                               : prior_samples;
        const auto opponents = static_cast<double>(opponents_of(rules_, task.me, task.count));
        const bool records = !early_stop_ && cost(task) == 1 && !solvable(task) && halving.left() <= CardControlVariate::max_placements &&
                             halving.each() >= CardControlVariate::min_samples;
        if (records && !control_variate_.has_samples() && !control_variate_.is_fitted()) start_recording(candidates, halving.left());
        halving.step(candidates, max_rollouts / cost(task), [&](std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t first) {
            measure_shared<false, false>(task, candidates, chosen, each, seed, first);
        }, [&](const Candidate& candidate) { return candidate.posterior_mean(trust, opponents); });
        if (halving.measured() == 0) stop_recording();
    }

    // Change of the points when others respond to a placement by a search as strong as `medium`, for one draw of their cards.
    ExpectedPoints response_correction(const SearchTask& task, const Placement& placement, std::uint64_t seed, std::uint64_t number) {
        Random random(seed, number);
        const std::array<CardSet, max_hands> discarded = thorough_belief(task).draw(random);
        return responses().sample_correction(task, placement, discarded, random, OpponentResponses::rollouts);
    }

private:
    // Whether the lead of the best of sorted candidates is large enough to stop.
    bool has_clear_leader(const SearchTask& task, const std::vector<Candidate>& candidates) const {
        if (candidates.size() < 2 || candidates[0].rollouts == 0) return true;
        const auto opponents = static_cast<double>(opponents_of(rules_, task.me, task.count));
        const double ahead =
            candidates[0].posterior_mean(lookahead_prior_samples, opponents) - candidates[1].posterior_mean(lookahead_prior_samples, opponents);
        return ahead > clear_lead_errors * candidates[0].error(static_cast<double>(candidates[0].rollouts) + lookahead_prior_samples);
    }

    // The learned value can misjudge a kind of placement as a whole, above all those that aim for fantasyland. Where candidates are
    // left out, the best of each objective variant (its part of the prior counts twice) are kept after the first `left`.
    // Returns how many candidates are kept.
    std::size_t add_variant_candidates(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t left) const;

    // One-street lookahead for the first `left` candidates and, of the rest, as many as `own` were chosen by prior; the best of
    // both replace the latter. Candidates of variants keep their places. Returns whether a lookahead was possible.
    bool look_ahead(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t own, std::size_t left, std::uint64_t draws) const;

    // Luck of the searching player's own next and last draw in the latest rollout, by the learned value. Its mean is close to
    // zero, and it causes much of a rollout's variance.
    double candidate_luck(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, const Candidate& candidate) const {
        const std::size_t next = task.street + 1;
        const std::size_t last = shape_.streets - 1;
        if (next == last) return static_cast<double>(estimate(values_of(rules_, hands[task.me].board)) - candidate.lookahead_value);
        const float drawn = rollout_.worth(next) - candidate.lookahead_value;
        if (next + 1 == last) return static_cast<double>(drawn);
        return static_cast<double>(drawn + estimate(values_of(rules_, hands[task.me].board)) - rollout_.worth(last - 1));
    }

    template <bool for_display, bool thorough>
    void measure_shared(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                        std::uint64_t first) {
        const auto ignore_points = [](double) {};
        if (helper_ == nullptr || enumerates_opponent_draws(task) || solvable(task)) {
            return measure<for_display, thorough>(task, candidates, chosen, each, seed, first, ignore_points);
        }
        if (thorough) update_thorough_belief(task);
        if (for_display && control_variate_.has_samples()) fit_control_variate(candidates.front());
        std::vector<Candidate> helper_candidates = candidates;
        for (Candidate& candidate : helper_candidates) candidate.reset();
        const std::uint64_t own = each - each / 2;
        run_in_parallel_([&] { measure<for_display, thorough>(task, candidates, chosen, own, seed, first, ignore_points); },
                         [&] { helper_->measure<for_display, thorough>(task, helper_candidates, chosen, each / 2, seed, first + own, ignore_points); });
        for (const std::size_t c : chosen) candidates[c].add(helper_candidates[c]);
    }

    // Computed once per task.
    void update_thorough_belief(const SearchTask& task) {
        if (!thorough_belief_->is_current()) thorough_belief_->update(task, !all_others_finished(task), true);
    }

    template <bool thorough>
    const Belief& selected_belief() const {
        return thorough ? *thorough_belief_ : *belief_;
    }

    // Cost of one sample, in rollouts.
    std::uint64_t cost(const SearchTask& task) const {
        return enumerates_opponent_draws(task) ? opponent_enumeration_cost : enumerates_own_draws(task) ? enumeration_cost : 1;
    }

    // Whether PairPayoff covers the deal, heads-up, and the last street is small enough to enumerate.
    bool is_enumerable(const SearchTask& task) const {
        const std::size_t last = shape_.streets - 1;
        return task.count == 2 && !task.stacks.places.paid() && PairPayoff::covers(rules_) && shape_.placed[last] <= LastStreetOutcomes::max_slots &&
               shape_.dealt[last] <= LastStreetOutcomes::max_dealt;
    }

    bool enumerates_own_draws(const SearchTask& task) const { return task.street + 2 == shape_.streets && is_enumerable(task); }

    // Heads-up on the last street, while the other hand still has to draw.
    bool enumerates_opponent_draws(const SearchTask& task) const {
        if (task.street + 1 != shape_.streets || !is_enumerable(task)) return false;
        const KnownHand& other = task.hands[1 - task.me];
        return other.fantasyland_cards == 0 && other.streets_done + 1 == shape_.streets;
    }

    BoardInPlay placed(const SearchTask& task, const Placement& placement) const {
        BoardInPlay board = task.hands[task.me].board;
        board.place(placement, task.cards.data(), shape_.dealt[task.street]);
        return board;
    }

    // The opponent's hand, heads-up.
    static std::uint8_t other_of(const SearchTask& task) { return static_cast<std::uint8_t>(1 - task.me); }

    static std::array<std::size_t, row_count> filled(const BoardInPlay& board) {
        return {board.rows[front_row].size, board.rows[middle_row].size, board.rows[back_row].size};
    }

    float estimate(const RowValues& rows) const { return final_points(value_.weights(), rules_, strengths_, rows); }

    // Exact points of every candidate on the last street.
    void solve(const SearchTask& task, std::vector<Candidate>& candidates) {
        Random none;
        rollout_.deal_out(task, none);
        const bool finished = rollout_.last_cards() == nullptr;
        const PairPayoff payoffs(rules_, task.fantasyland_values, task.stacks, stack_effects_);
        if (!finished) build_opponent_last_street(task, payoffs);
        for (Candidate& candidate : candidates) {
            candidate.reset();
            if (finished) {
                play_rollout<false>(task, candidate);
            } else {
                average_opponent_draws<true>(task, payoffs, task.unseen, candidate);
            }
            candidate.exact = true;
        }
    }

    // Averages over all draws of the other hand's last street, for each of `each` samples of its discards.
    template <bool for_display, bool thorough, typename Visit>
    void measure_opponent_draws(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each,
                                std::uint64_t seed, std::uint64_t first, const Visit& visit) {
        const PairPayoff payoffs(rules_, task.fantasyland_values, task.stacks, stack_effects_);
        build_opponent_last_street(task, payoffs);
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            const CardSet to_come = task.unseen & ~selected_belief<thorough>().draw(random)[1 - task.me];
            for (const std::size_t c : chosen) visit(average_opponent_draws<for_display>(task, payoffs, to_come, candidates[c]));
        }
    }

    void build_opponent_last_street(const SearchTask& task, const PairPayoff& payoffs) {
        const BoardInPlay& board = task.hands[1 - task.me].board;
        opponent_last_street_.build(rules_, payoffs, board.cards, filled(board), task.unseen, other_of(task), false, [](const RowValues&) { return 0.0F; });
    }

    template <bool for_display>
    double average_opponent_draws(const SearchTask& task, const PairPayoff& payoffs, CardSet to_come, Candidate& candidate) {
        const FinalBoard mine = payoffs.finish(board_values(rules_, placed(task, candidate.placement).cards.data()), static_cast<std::uint8_t>(task.me));
        const std::size_t dealt = shape_.dealt[shape_.streets - 1];
        if constexpr (!for_display) return candidate.add(-opponent_last_street_.points(payoffs, to_come, dealt, {&mine, 1}));
        ExpectedPoints result = opponent_last_street_.expect(payoffs, to_come, dealt, {&mine, 1});
        result.fouls = mine.legal ? 0 : 1;
        result.fantasylands = mine.fantasyland > 0 ? 1 : 0;
        return candidate.add(result, -1);
    }

    void build_last_streets(const SearchTask& task, const std::vector<Candidate>& candidates, std::span<const std::size_t> chosen) {
        const PairPayoff payoffs(rules_, task.fantasyland_values, task.stacks, stack_effects_);
        const bool opponent_acts_later = rollout_.last_to_act(task) != task.me;
        for (const std::size_t c : chosen) {
            LastStreetOutcomes& last_street = last_streets_[candidates[c].number];
            if (last_street.built()) continue;
            const BoardInPlay board = placed(task, candidates[c].placement);
            last_street.build(rules_, payoffs, board.cards, filled(board), task.unseen, static_cast<std::uint8_t>(task.me), opponent_acts_later,
                              [&](const RowValues& rows) { return estimate(rows); });
        }
    }

    // The boards that the other hand can finish with in this order of the cards.
    void find_opponent_boards(const SearchTask& task) {
        const PairPayoff payoffs(rules_, task.fantasyland_values, task.stacks, stack_effects_);
        const KnownHand& other = rollout_.others()[1 - task.me];
        opponent_boards_.clear();
        const auto add = [&](const RowValues& rows) {
            opponent_boards_.push_back(payoffs.finish(rows, other_of(task), other.fantasyland_cards, other.fantasyland_in_row));
        };
        if (rollout_.last_cards() == nullptr) return add(values_of(rules_, other.board));
        const std::size_t last = shape_.streets - 1;
        FinishedBoards(rules_, other.board, rollout_.last_cards(), shape_.dealt[last]).each(shape_.placed[last], [&](const FinishedPlacement& finished) {
            add(finished.rows);
        });
    }

    template <bool for_display>
    double average_own_draws(const SearchTask& task, Candidate& candidate, ExpectedPoints change) {
        const PairPayoff payoffs(rules_, task.fantasyland_values, task.stacks, stack_effects_);
        const std::size_t dealt = shape_.dealt[shape_.streets - 1];
        const CardSet available = task.unseen & ~rollout_.used();
        LastStreetOutcomes& last_street = last_streets_[candidate.number];
        if constexpr (!for_display) return candidate.add(last_street.points(payoffs, available, dealt, opponent_boards_));
        change.add(last_street.expect(payoffs, available, dealt, opponent_boards_), 1);
        return candidate.add(change);
    }

    // Records one round of the race to fit the control variate.
    void start_recording(const std::vector<Candidate>& candidates, std::size_t left) {
        std::vector<std::size_t> numbers;
        for (std::size_t c = 0; c < left; ++c) numbers.push_back(candidates[c].number);
        control_variate_.start_recording(numbers);
        if (helper_ != nullptr) helper_->control_variate_.start_recording(numbers);
    }

    void stop_recording() {
        control_variate_.stop_recording();
        if (helper_ != nullptr) helper_->control_variate_.stop_recording();
    }

    void fit_control_variate(const Candidate& best) {
        control_variate_.fit(helper_ != nullptr ? &helper_->control_variate_ : nullptr, best.number);
        if (helper_ != nullptr) helper_->control_variate_.copy_fit(control_variate_);
    }

    template <bool for_display>
    double play_rollout(const SearchTask& task, Candidate& candidate, ExpectedPoints change = {}) {
        const double share = 1 / static_cast<double>(rollout_.turns());
        rollout_.finish_turns(task, candidate.placement, [&](const std::array<KnownHand, max_hands>& hands) {
            change.add(payoff(rules_, task, hands), share);
            if (!for_display && looked_ahead_) candidate.luck += candidate_luck(task, hands, candidate);
        });
        if (control_variate_.is_recording()) control_variate_.record(change, rollout_);
        if (for_display && control_variate_.is_fitted()) control_variate_.subtract_luck(candidate.number, change, rollout_);
        return candidate.add(change);
    }

    OpponentResponses& responses() {
        if (responses_ == nullptr) responses_ = std::make_unique<OpponentResponses>(value_, rules_, shape_, strengths_);
        return *responses_;
    }

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    Rollout rollout_;
    std::shared_ptr<Belief> belief_;                // for bot levels
    std::shared_ptr<Belief> thorough_belief_;       // for display
    std::vector<LastStreetOutcomes> last_streets_;  // by a candidate's number
    LastStreetOutcomes opponent_last_street_;
    CardControlVariate control_variate_;
    StackEffectCache stack_effects_;
    bool early_stop_ = false;    // for a bot's choice: nothing is displayed
    bool looked_ahead_ = false;  // whether candidates have lookahead values
    std::vector<FinalBoard> opponent_boards_;
    std::unique_ptr<OpponentResponses> responses_;  // created on first use
    std::unique_ptr<Search> helper_;                // runs the second half
    RunInParallel run_in_parallel_;
};

}  // namespace triptych::learn
