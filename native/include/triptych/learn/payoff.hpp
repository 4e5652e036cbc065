// Points of finished boards for the searching player, by parts; the next fantasylands at their value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/last_street_outcomes.hpp"
#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

namespace detail {

inline double stack_limit_effect(const RulesTable& rules, const SearchTask& task, const DealScore& score) {
    DueList points{};
    StackList fantasyland{};
    for (std::size_t pair = 0; pair < max_pairs; ++pair) points[pair] = score.pairs[pair].total();
    for (std::size_t h = 0; h < task.count; ++h) {
        fantasyland[h] = static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(score.hands[h].next_fantasyland)]);
    }
    return task.stacks.change(rules, task.me, task.count, points, fantasyland);
}

// One hand's share of what a pair pays. A foul costs its owner, a natural pays its owner.
inline OwnParts own_of(const DealScore& score, std::size_t a, std::size_t b, const PairScore& pair, bool first) {
    const bool natural = score.hands[a].natural.entry >= 0 || score.hands[b].natural.entry >= 0;
    const int sign = first ? 1 : -1;
    OwnParts own;
    own.rows = std::max(0, sign * pair.rows);
    own.royalties = first ? pair.own_royalties : pair.own_royalties - pair.royalties;
    own.other = natural ? std::max(0, sign * pair.other) : std::min(0, sign * pair.other);
    return own;
}

}  // namespace detail

inline ExpectedPoints payoff(const RulesTable& rules, const SearchTask& task, const std::array<KnownHand, max_hands>& hands) {
    std::array<Hand, max_hands> scored{};
    for (std::size_t h = 0; h < task.count; ++h) {
        scored[h] = {HandKind::board,     all_rows_mask, hands[h].fantasyland_cards, hands[h].fantasyland_in_row, static_cast<std::uint8_t>(h),
                     hands[h].board.cards};
    }
    std::array<RowValues, max_hands> known{};
    for (std::size_t h = 0; h < task.count; ++h) known[h] = values_of(rules, hands[h].board);
    DealScore score;
    score_deal(rules, scored.data(), task.count, score, known.data());
    ExpectedPoints result;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < task.count; ++a) {
        for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
            if (a != task.me && b != task.me) continue;
            const double sign = a == task.me ? 1 : -1;
            result.rows += sign * score.pairs[pair].rows;
            result.royalties += sign * score.pairs[pair].royalties;
            result.other += sign * score.pairs[pair].other;
            result.own.add(detail::own_of(score, a, b, score.pairs[pair], a == task.me));
        }
    }
    result.rows += score.hands[task.me].table_points;
    result.own.rows += score.hands[task.me].table_points;
    const auto worth_of = [&](std::size_t h) {
        return static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(score.hands[h].next_fantasyland)]);
    };
    for (std::size_t h = 0; h < task.count; ++h) {
        const double worth = worth_of(h);
        if (h == task.me) result.fantasyland += worth * static_cast<double>(opponents_of(rules, h, task.count));
        if (play_each_other(rules, h, task.me, task.count - 1)) result.fantasyland -= worth;
    }
    if (task.stacks.known) result.stacks = detail::stack_limit_effect(rules, task, score);
    result.own.fantasyland = worth_of(task.me) * static_cast<double>(opponents_of(rules, task.me, task.count));
    result.fouls = score.hands[task.me].offending != 0 ? 1 : 0;
    result.fantasylands = score.hands[task.me].next_fantasyland > 0 ? 1 : 0;
    return result;
}

}  // namespace triptych::learn
