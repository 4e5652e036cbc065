// A decision under search: its placements with their rollouts so far. It can be searched in slices and stopped between them.
// Each rollout has a random stream of its own, numbered from 0: searches that play different ones have sums to add up, and
// together the result of one that plays them all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "triptych/learn/decision.hpp"
#include "triptych/learn/model.hpp"
#include "triptych/learn/results.hpp"

namespace triptych::learn {

// So many rollouts of a seed, by the numbers of their streams.
struct RolloutRange {
    std::uint64_t count;
    std::uint64_t seed;
    std::uint64_t first;
};

class Analysis {
public:
    // `settings`: of a fantasyland, which are to be among the placements. `run_in_parallel` plays two halves of the rollouts. What
    // was learned must outlive it.
    Analysis(const Learned& learned, const SearchTask& task, std::span<const RowMasks> settings, RunInParallel run_in_parallel = {})
        : task_(task), streets_(learned.shape.streets), search_(learned.value, learned.rules, learned.shape, learned.strengths) {
        card_count_ = Decision::in_fantasyland(task) ? task.hands[task.me].fantasyland_cards : learned.shape.dealt[task.street];
        if (run_in_parallel) search_.use_helper(std::move(run_in_parallel));
        placements_ = search_.candidates(task_, settings);
    }
    Analysis(const Analysis&) = delete;

    std::size_t size() const { return placements_.size(); }

    // Whether the result has no error: all that is left to chance can be enumerated.
    bool exact() const { return search_.solvable(task_); }

    // Spends rollouts on the `width` best placements, halving them, and sorts them; all of them when exact. `early_stop`: it ends
    // as soon as one is clearly the best.
    void run(std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool early_stop) {
        search_.run(task_, placements_, width, rollouts, seed, early_stop);
    }

    // The same in steps, each as much of it as `max_rollouts` rollouts cost. Returns whether it goes on.
    void race(std::size_t width, std::uint64_t rollouts) { halving_ = search_.race(task_, placements_, width, rollouts); }
    bool step(std::uint64_t max_rollouts, std::uint64_t seed) {
        search_.step(task_, placements_, halving_, max_rollouts, seed);
        return !halving_.finished();
    }

    // Forgets all rollouts; the order of the placements stays.
    void reset_samples() {
        for (Candidate& candidate : placements_) candidate.reset();
    }

    // Rollouts for each of the placements at some places of the present order.
    void measure(std::span<const std::size_t> places, const RolloutRange& rollouts) {
        search_.measure(task_, placements_, places, rollouts.count, rollouts.seed, rollouts.first);
    }

    // The same for the first `width` placements, and for others by their places.
    void measure(std::size_t width, const std::vector<std::size_t>& others, const RolloutRange& rollouts) {
        std::vector<std::size_t> places(std::min(width, size()));
        std::iota(places.begin(), places.end(), std::size_t{0});
        for (const std::size_t place : others) {
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
        }
        measure(places, rollouts);
    }

    // `visit(points)` for each such rollout of each placement, of which the analysis keeps nothing.
    template <typename Visit>
    void sample_points(std::span<const std::size_t> places, const RolloutRange& rollouts, const Visit& visit) {
        std::vector<Candidate> copies = placements_;
        search_.measure<false>(task_, copies, places, rollouts.count, rollouts.seed, rollouts.first, visit);
    }

    // What is certain after each street of the game, on average over such rollouts of the placement at a place.
    std::vector<StreetOutcome> street_progress(std::size_t place, const RolloutRange& rollouts) const {
        const Streets streets = search_.street_progress(task_, placements_[place], rollouts.count, rollouts.seed, rollouts.first);
        return street_outcomes(std::span(streets).first(streets_), rollouts.count);
    }

    // Every discard of others that is not seen; none when nothing is believed of them. `thorough`: as it is shown to people, not as bot levels
    // believe it.
    std::vector<DiscardChances> discard_belief(bool thorough) {
        std::vector<DiscardChances> discards;
        for (const Belief::Slot& slot : (thorough ? search_.thorough_belief(task_) : search_.belief()).slots()) {
            discards.push_back({static_cast<std::uint32_t>(slot.hand), static_cast<std::uint32_t>(slot.street), {slot.chance.begin(), slot.chance.end()}});
        }
        return discards;
    }

    // What the first placement's points change by when others respond with a search, for so many draws of their cards.
    std::vector<PointParts> response_corrections(std::uint64_t each, std::uint64_t seed) {
        std::vector<PointParts> corrections;
        for (const ExpectedPoints& change : search_.response_corrections(task_, placements_.front(), each, seed)) {
            corrections.push_back({change.rows, change.royalties, change.other, change.fantasyland});
        }
        return corrections;
    }

    // The placements in their present order: before rollouts, with mean points, as sums.
    std::vector<ListedPlacement> listed() const {
        std::vector<ListedPlacement> placements;
        for (const Candidate& candidate : placements_) {
            const RowMasks masks = search_.masks(candidate);
            placements.push_back({{CardList(cards(), masks[0]), CardList(cards(), masks[1]), CardList(cards(), masks[2])}, candidate.prior});
        }
        return placements;
    }
    std::vector<SearchedPlacement> searched() const {
        std::vector<SearchedPlacement> placements;
        placements.reserve(placements_.size());
        for (const Candidate& candidate : placements_) placements.emplace_back(candidate, search_.masks(candidate), cards());
        return placements;
    }
    std::vector<PlacementSums> sums() const {
        std::vector<PlacementSums> placements;
        for (const Candidate& candidate : placements_) placements.emplace_back(candidate);
        return placements;
    }

    // Where placements lie in the present order, by their numbers in the first one.
    std::vector<std::size_t> places_of(std::span<const std::size_t> numbers) const {
        std::vector<std::size_t> place(placements_.size());
        for (std::size_t i = 0; i < placements_.size(); ++i) place[placements_[i].number] = i;
        std::vector<std::size_t> places;
        for (const std::size_t number : numbers) places.push_back(place[number]);
        return places;
    }

private:
    std::span<const Card> cards() const { return {task_.cards.data(), card_count_}; }

    SearchTask task_;
    std::size_t streets_;
    std::size_t card_count_ = 0;
    Decision search_;
    std::vector<Candidate> placements_;
    SequentialHalving halving_{0, 0, 0, 0};
};

}  // namespace triptych::learn
