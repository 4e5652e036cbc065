// One decision under search, whichever it is: a street of a growing board, or a whole fantasyland.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "triptych/learn/fantasyland_search.hpp"
#include "triptych/learn/search.hpp"
#include "triptych/learn/sequential_halving.hpp"
#include "triptych/learn/street_progress.hpp"

namespace triptych::learn {

class Decision {
public:
    Decision(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), street_(value, rules, shape, strengths) {}

    static bool in_fantasyland(const SearchTask& task) { return task.hands[task.me].fantasyland_cards > 0; }

    void use_helper(RunInParallel run) { street_.use_helper(std::move(run)); }

    // Begins with a task. `named`: settings of a fantasyland that are to be among the placements.
    std::vector<Candidate> candidates(const SearchTask& task, std::span<const RowMasks> named = {}) {
        if (!in_fantasyland(task)) return street_.candidates(task);
        fantasyland_.emplace(value_, rules_, shape_, strengths_);
        return fantasyland_->candidates(task, named);
    }

    RowMasks masks(const Candidate& candidate) const {
        if (fantasyland_) return fantasyland_->masks(candidate);
        return {candidate.placement.row[0], candidate.placement.row[1], candidate.placement.row[2]};
    }

    // Progress of a placement street by street; empty for a fantasyland, which is set at once.
    Streets street_progress(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed, std::uint64_t first) const {
        if (in_fantasyland(task)) return {};
        return StreetProgress(value_, rules_, shape_, strengths_).compute(task, candidate.placement, each, seed, first);
    }

    // The belief in the others' discards is available for streets only.
    const Belief& belief() const { return street_.belief(); }
    const Belief& thorough_belief(const SearchTask& task) { return in_fantasyland(task) ? street_.belief() : street_.thorough_belief(task); }

    bool solvable(const SearchTask& task) const { return fantasyland_ ? fantasyland_->solvable(task) : street_.solvable(task); }

    void run(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t width, std::uint64_t rollouts, std::uint64_t seed,
             bool early_stop = false) {
        if (!fantasyland_) return street_.run(task, candidates, width, rollouts, seed, early_stop);
        SequentialHalving halving = race(task, candidates, width, rollouts);
        while (!halving.finished()) step(task, candidates, halving, rollouts, seed);
    }

    // The same in steps, each as much of it as `max_rollouts` rollouts cost.
    SequentialHalving race(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t width, std::uint64_t rollouts) {
        return fantasyland_ ? fantasyland_->race(task, candidates, width, rollouts) : street_.race(task, candidates, width, rollouts);
    }

    void step(const SearchTask& task, std::vector<Candidate>& candidates, SequentialHalving& halving, std::uint64_t max_rollouts, std::uint64_t seed) {
        fantasyland_ ? fantasyland_->step(task, candidates, halving, max_rollouts, seed) : street_.step(task, candidates, halving, max_rollouts, seed);
    }

    template <bool for_display, typename Visit>
    void measure(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                 std::uint64_t first, const Visit& visit) {
        if (fantasyland_) fantasyland_->measure(task, candidates, chosen, each, seed, first, visit);
        else street_.measure<for_display>(task, candidates, chosen, each, seed, first, visit);
    }

    void measure(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                 std::uint64_t first) {
        if (fantasyland_) fantasyland_->measure(task, candidates, chosen, each, seed, first, [](double) {});
        else street_.measure(task, candidates, chosen, each, seed, first);
    }

    // Corrections for others' responses, one per draw of their cards; none after a fantasyland.
    std::vector<ExpectedPoints> response_corrections(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed) {
        std::vector<ExpectedPoints> result;
        for (std::uint64_t i = 0; i < each && !in_fantasyland(task); ++i) result.push_back(street_.response_correction(task, candidate.placement, seed, i));
        return result;
    }

private:
    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    Search street_;
    std::optional<FantasylandSearch> fantasyland_;
};

}  // namespace triptych::learn
