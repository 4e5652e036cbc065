// Search over the settings of a fantasyland against finished or growing boards: the others play on by the learned value, with the
// same cards for every setting. Exact where all other boards are finished, or there are none.
//
// Only settings are tried that no other one equals or beats in every row, and those that are named. Alone, the
// royalties and the next fantasyland count.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "triptych/exact/fantasyland_solver.hpp"
#include "triptych/learn/belief.hpp"
#include "triptych/learn/candidate.hpp"
#include "triptych/learn/payoff.hpp"
#include "triptych/learn/sequential_halving.hpp"

namespace triptych::learn {

class FantasylandSearch {
public:
    FantasylandSearch(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : rules_(rules), rollout_(value, rules, shape, strengths), belief_(value, rules, shape, strengths) {}

    // Begins with a task: the settings, by what they bring alone, best first; then those in `named` that are none of them.
    std::vector<Candidate> candidates(const SearchTask& task, std::span<const RowMasks> named);

    const RowMasks& masks(const Candidate& candidate) const { return settings_[candidate.number].masks; }

    bool solvable(const SearchTask& task) const {
        for (std::size_t h = 0; h < task.count; ++h) {
            if (h != task.me && !task.hands[h].board.complete()) return false;
        }
        return true;
    }

    template <typename Visit>
    void measure(const SearchTask& task, std::vector<Candidate>& candidates, std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t seed,
                 std::uint64_t first, const Visit& visit) {
        if (each > 0 && solvable(task)) {
            for (const std::size_t c : chosen) {
                candidates[c].reset();
                visit(candidates[c].add(points(task, task.hands, candidates[c])));
                candidates[c].exact = true;
            }
            return;
        }
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            rollout_.deal_out(task, random, belief_.draw(random));
            for (const std::size_t c : chosen) visit(candidates[c].add(points(task, rollout_.others(), candidates[c])));
        }
    }

    // As Search::race.
    SequentialHalving race(const SearchTask& task, const std::vector<Candidate>& candidates, std::size_t width, std::uint64_t rollouts) const {
        if (solvable(task)) return SequentialHalving(candidates.size(), 1, 0, 1);
        const std::size_t left = std::min(width, candidates.size());
        return SequentialHalving(left, halving_rounds(left), rollouts, 1);
    }

    void step(const SearchTask& task, std::vector<Candidate>& candidates, SequentialHalving& halving, std::uint64_t max_rollouts, std::uint64_t seed) {
        halving.step(candidates, max_rollouts, [&](std::span<const std::size_t> chosen, std::uint64_t each, std::uint64_t first) {
            measure(task, candidates, chosen, each, seed, first, [](double) {});
        }, [](const Candidate& candidate) { return candidate.mean(); });
    }

private:
    struct Setting {
        RowMasks masks;
        std::array<Card, board_size> cards;
        RowValues rows;
        double standalone_points;  // royalties and the next fantasyland
    };

    // Converts masks of the pool's cards to masks of the task's cards.
    RowMasks task_masks(const RowMasks& masks, std::size_t count) const;

    // Where higher rows may be worth less, the one setting that is best against the boards that are finished.
    RowMasks best(const SearchTask& task, const Pool& pool);

    std::size_t opponent_count(const SearchTask& task) const { return task.count == 1 ? 1 : opponents_of(rules_, task.me, task.count); }

    // Where every setting fouls.
    static constexpr RowMasks fouled_setting = {0x7U, 0xF8U, 0x1F00U};

    void add_setting(const SearchTask& task, const RowMasks& masks);

    ExpectedPoints standalone_points(const SearchTask& task, const RowValues& rows) const {
        ExpectedPoints result;
        result.fouls = is_legal(rules_, rows) ? 0 : 1;
        if (result.fouls > 0) return result;
        const KnownHand& mine = task.hands[task.me];
        const RowPoints royalties = row_royalties(rules_, rows);
        const int next = next_fantasyland(rules_, rows, royalties, mine.fantasyland_cards, mine.fantasyland_in_row);
        result.royalties = royalties[0] + royalties[1] + royalties[2];
        result.fantasyland = static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(next)]);
        result.fantasylands = next > 0 ? 1 : 0;
        result.own.royalties = result.royalties;
        result.own.fantasyland = result.fantasyland;
        return result;
    }

    ExpectedPoints points(const SearchTask& task, const std::array<KnownHand, max_hands>& others, const Candidate& candidate) const {
        const Setting& setting = settings_[candidate.number];
        if (task.count == 1) return standalone_points(task, setting.rows);
        std::array<KnownHand, max_hands> hands = others;
        hands[task.me].board.cards = setting.cards;
        return payoff(rules_, task, hands);
    }

    const RulesTable& rules_;
    Rollout rollout_;
    Belief belief_;
    FantasylandSolver field_;
    BoardCompleter completer_;
    std::array<std::size_t, max_pool> task_index_{};
    std::vector<Setting> settings_;
};

}  // namespace triptych::learn
