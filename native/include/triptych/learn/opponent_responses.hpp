// What the others answer on the street of a decision. In rollouts they answer by the learned value alone, while the
// placement before was searched for: who acts first would be promised what the next slip of the others brings. So some
// rollouts look at what would come of it if each of them searched as well. Slips after that are everybody's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "triptych/learn/points_of.hpp"

namespace triptych::learn {

class Search;

class OpponentResponses {
public:
    // Found by bench/calibration and the time that it takes.
    static constexpr std::size_t width = 8;         // placements that an answer is chosen from, at most
    static constexpr float margin = 4;              // points behind the best; those further behind are not tried
    static constexpr std::uint64_t rollouts = 2'000;  // by which each hand chooses at most, as `medium` does, after a look one draw ahead
    static constexpr std::uint64_t fewer = 700;       // the same with more than two hands and discards: there the same error would take too long
    static constexpr int continuations = 256;       // that tell what it brings
    static constexpr std::uint32_t every = 48;      // rollouts of which one looks at it, by chance: where answers vary most, about as many as give the least error in the same time

    OpponentResponses(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths);
    ~OpponentResponses();

    // How many others still act on this street.
    std::size_t come(const SearchTask& task) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += answers(task, h) ? 1 : 0;
        return count;
    }

    // Whether rollouts look at it. On the first street answers are dearest and vary most, but what they bring on average is known; where
    // that is not, with more than two hands or with jokers, the same error would take far more than a second.
    bool applies(const SearchTask& task) const {
        if (task.street == 0 && (task.count > 2 || shape_.deck > std::uint32_t{deck_size} || usual(task).total() != 0)) return false;
        return come(task) > 0;
    }

    // What is known of it without a look. Before a first street the others' boards are empty, so it hardly depends on the cards: between
    // positions it varies by a tenth of a point or so (bench/answers.py). All of it
    // counts as what the others bring. Short stacks, which would leave less of it, are not looked at.
    Expected usual(const SearchTask& task) const {
        const std::size_t answering = come(task);
        if (task.street != 0 || answering == 0) return {};
        const FirstAnswers::Change& change = task.first_answers.of(task.count, answering);
        Expected found;
        found.rows = static_cast<double>(change[0]);
        found.royalties = static_cast<double>(change[1]);
        found.other = static_cast<double>(change[2]);
        found.land = static_cast<double>(change[3]);
        return found;
    }

    Expected change(const SearchTask& task, const Placement& placement, const std::array<CardSet, max_hands>& discarded, Random& random) {
        return change(task, placement, discarded, random, task.count > 2 && hides() ? fewer : rollouts);
    }

    // By how much the searching player's points change, one draw of the others' cards; `discarded`: what they discarded.
    // Its chances of a foul and of fantasyland are left as they are. `most`: rollouts by which each hand chooses.
    Expected change(const SearchTask& task, const Placement& placement, std::array<CardSet, max_hands> discarded, Random& random, std::uint64_t most);

private:
    bool hides() const {
        for (std::size_t s = 0; s < shape_.streets; ++s) {
            if (shape_.dealt[s] > shape_.placed[s]) return true;
        }
        return false;
    }

    bool answers(const SearchTask& task, std::size_t h) const {
        if (h == task.me || task.hands[h].land_cards > 0 || task.hands[h].streets_done > task.street) return false;
        return task.street + 1 < shape_.streets || h != playout_.last_to_act(task);  // who takes the best that is paid
    }

    void place(SearchTask& task, std::size_t h, const Placement& placement) const;

    static Card take(CardSet& left, Random& random);

    // What a hand does not see that holds or held these cards itself.
    CardSet unseen_by(const SearchTask& task, CardSet own) const;

    // What a hand finds best that holds or held these cards itself and sees what lies open. Where nothing else comes near
    // the learned choice, that is the `slip` itself; but on the last street the learned value knows no other boards.
    Placement best(const SearchTask& next, CardSet own, const Placement& slip, Random& random, std::uint64_t most);

    void add(Expected& sum, const SearchTask& task, const SearchTask& next, const std::array<CardSet, max_hands>& discarded, const Placement& answer,
             const Placement& slip, Random& random);

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    std::unique_ptr<Search> search_;
    Playout playout_;
};

}  // namespace triptych::learn
