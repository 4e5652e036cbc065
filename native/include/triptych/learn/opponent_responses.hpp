// Best-response correction. In rollouts the others respond by the learned value alone, while the placement before them was
// found by a search: the player who acts first would profit from their next mistake. So some rollouts measure what changes when
// each of them searches too. Mistakes on later streets are the same for everybody.
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
    // Measured by bench/calibration, and chosen by the time that they take.
    static constexpr std::size_t width = 8;                       // candidates of a response
    static constexpr float margin = 4;                            // points behind the best prior; candidates further behind are skipped
    static constexpr std::uint64_t rollouts = 2'000;              // of each response, as many as `medium` has, after a one-street lookahead
    static constexpr std::uint64_t rollouts_with_discards = 700;  // with more than two hands and discards, to limit the time
    static constexpr int continuations = 256;                     // rollouts after the response
    static constexpr std::uint32_t rollouts_per_correction =
        48;  // one rollout in so many, at random, measures it: about the least error per time where responses vary most

    OpponentResponses(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths);
    ~OpponentResponses();

    // Number of others who still act on this street.
    std::size_t players_to_act(const SearchTask& task) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += is_yet_to_act(task, h) ? 1 : 0;
        return count;
    }

    // Whether rollouts measure it. On the first street responses are costliest and vary most, but their mean is known. Without
    // that mean, with more than two hands or with jokers, the same error would take far more than a second.
    bool applies(const SearchTask& task) const {
        if (task.street == 0 && (task.count > 2 || shape_.deck > std::uint32_t{deck_size} || average_correction(task).total() != 0)) return false;
        return players_to_act(task) > 0;
    }

    // The known mean of the correction on the first street. The others' boards are empty then, so it hardly depends on the cards: it
    // varies by about 0.1 points between positions (bench/answers.py). All of it counts as the others' own parts. Short stacks,
    // which would make it smaller, are ignored.
    ExpectedPoints average_correction(const SearchTask& task) const {
        const std::size_t responders = players_to_act(task);
        if (task.street != 0 || responders == 0) return {};
        const FirstStreetCorrections::Correction& correction = task.first_street_corrections.of(task.count, responders);
        ExpectedPoints result;
        result.rows = static_cast<double>(correction[0]);
        result.royalties = static_cast<double>(correction[1]);
        result.other = static_cast<double>(correction[2]);
        result.fantasyland = static_cast<double>(correction[3]);
        return result;
    }

    ExpectedPoints sample_correction(const SearchTask& task, const Placement& placement, const std::array<CardSet, max_hands>& discarded, Random& random) {
        return sample_correction(task, placement, discarded, random, task.count > 2 && has_discards() ? rollouts_with_discards : rollouts);
    }

    // Change of the searching player's points for one draw of the others' cards; `discarded`: the others' discards. The chances of
    // a foul and of fantasyland are not corrected. `max_rollouts`: rollouts of each response.
    ExpectedPoints sample_correction(const SearchTask& task, const Placement& placement, std::array<CardSet, max_hands> discarded, Random& random,
                                     std::uint64_t max_rollouts);

private:
    bool has_discards() const {
        for (std::size_t s = 0; s < shape_.streets; ++s) {
            if (shape_.dealt[s] > shape_.placed[s]) return true;
        }
        return false;
    }

    bool is_yet_to_act(const SearchTask& task, std::size_t h) const {
        if (h == task.me || task.hands[h].fantasyland_cards > 0 || task.hands[h].streets_done > task.street) return false;
        return task.street + 1 < shape_.streets || h != rollout_.last_to_act(task);  // that hand already plays its best end
    }

    void place(SearchTask& task, std::size_t h, const Placement& placement) const;

    static Card draw_card(CardSet& left, Random& random);

    // Cards unseen by a hand that was dealt the cards `own`.
    CardSet unseen_by(const SearchTask& task, CardSet own) const;

    // The response that a hand finds by search. Where no candidate comes near the greedy choice, that is the response, except on the
    // last street, where the learned value ignores the other boards.
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
