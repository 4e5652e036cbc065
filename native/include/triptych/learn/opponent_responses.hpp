// What the others answer on the street of a decision. In rollouts they answer by the learned value alone, while the
// placement before was searched for: who acts first would be promised what the next slip of the others brings. So some
// rollouts look at what would come of it if each of them searched as well. Slips after that are everybody's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "triptych/learn/payoff.hpp"

namespace triptych::learn {

class Search;

class OpponentResponses {
public:
    // Found by bench/calibration and the time that it takes.
    static constexpr std::size_t width = 8;         // placements that an answer is chosen from, at most
    static constexpr float margin = 4;              // points behind the best; those further behind are not tried
    static constexpr std::uint64_t rollouts = 2'000;  // by which each hand chooses at most, as `medium` does, after a look one draw ahead
    static constexpr std::uint64_t rollouts_with_discards = 700;       // the same with more than two hands and discards: there the same error would take too long
    static constexpr int continuations = 256;       // that tell what it brings
    static constexpr std::uint32_t rollouts_per_correction = 48;      // rollouts of which one looks at it, by chance: where answers vary most, about as many as give the least error in the same time

    OpponentResponses(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths);
    ~OpponentResponses();

    // How many others still act on this street.
    std::size_t players_to_act(const SearchTask& task) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += is_yet_to_act(task, h) ? 1 : 0;
        return count;
    }

    // Whether rollouts look at it. On the first street answers are dearest and vary most, but what they bring on average is known; where
    // that is not, with more than two hands or with jokers, the same error would take far more than a second.
    bool applies(const SearchTask& task) const {
        if (task.street == 0 && (task.count > 2 || shape_.deck > std::uint32_t{deck_size} || average_correction(task).total() != 0)) return false;
        return players_to_act(task) > 0;
    }

    // What is known of it without a look. Before a first street the others' boards are empty, so it hardly depends on the cards: between
    // positions it varies by a tenth of a point or so (bench/answers.py). All of it
    // counts as what the others bring. Short stacks, which would leave less of it, are not looked at.
    ExpectedPoints average_correction(const SearchTask& task) const {
        const std::size_t responders = players_to_act(task);
        if (task.street != 0 || responders == 0) return {};
        const FirstStreetCorrections::Correction& correction = task.first_street_corrections.of(task.count, responders);
        ExpectedPoints result;
        result.rows = static_cast<double>(correction[0]);
        result.royalties = static_cast<double>(correction[1]);
        result.other = static_cast<double>(correction[2]);
        result.land = static_cast<double>(correction[3]);
        return result;
    }

    ExpectedPoints sample_correction(const SearchTask& task, const Placement& placement, const std::array<CardSet, max_hands>& discarded, Random& random) {
        return sample_correction(task, placement, discarded, random, task.count > 2 && has_discards() ? rollouts_with_discards : rollouts);
    }

    // By how much the searching player's points change, one draw of the others' cards; `discarded`: what they discarded.
    // Its chances of a foul and of fantasyland are left as they are. `max_rollouts`: rollouts by which each hand chooses.
    ExpectedPoints sample_correction(const SearchTask& task, const Placement& placement, std::array<CardSet, max_hands> discarded, Random& random, std::uint64_t max_rollouts);

private:
    bool has_discards() const {
        for (std::size_t s = 0; s < shape_.streets; ++s) {
            if (shape_.dealt[s] > shape_.placed[s]) return true;
        }
        return false;
    }

    bool is_yet_to_act(const SearchTask& task, std::size_t h) const {
        if (h == task.me || task.hands[h].land_cards > 0 || task.hands[h].streets_done > task.street) return false;
        return task.street + 1 < shape_.streets || h != rollout_.last_to_act(task);  // who takes the best that is paid
    }

    void place(SearchTask& task, std::size_t h, const Placement& placement) const;

    static Card draw_card(CardSet& left, Random& random);

    // What a hand does not see that holds or held these cards itself.
    CardSet unseen_by(const SearchTask& task, CardSet own) const;

    // What a hand finds best that holds or held these cards itself and sees what lies open. Where nothing else comes near
    // the learned choice, that is the `greedy_choice` itself; but on the last street the learned value knows no other boards.
    Placement best_response(const SearchTask& next, CardSet own, const Placement& greedy_choice, Random& random, std::uint64_t max_rollouts);

    void add(ExpectedPoints& sum, const SearchTask& task, const SearchTask& next, const std::array<CardSet, max_hands>& discarded, const Placement& response,
             const Placement& greedy_choice, Random& random);

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    std::unique_ptr<Search> search_;
    Rollout rollout_;
};

}  // namespace triptych::learn
