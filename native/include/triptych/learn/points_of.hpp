// What finished boards bring the searching player, taken apart; the next fantasylands at their value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/endings.hpp"
#include "triptych/learn/playout.hpp"

namespace triptych::learn {

namespace detail {

inline double changed_by_stacks(const RulesTable& rules, const SearchTask& task, const DealScore& score) {
    DueList points{};
    StackList land{};
    for (std::size_t pair = 0; pair < max_pairs; ++pair) points[pair] = score.pairs[pair].total();
    for (std::size_t h = 0; h < task.count; ++h) {
        land[h] = static_cast<double>(task.land_value[static_cast<std::size_t>(score.hands[h].next_land)]);
    }
    return task.stacks.change(rules, task.me, task.count, points, land);
}

}  // namespace detail

inline Expected points_of(const RulesTable& rules, const SearchTask& task, const std::array<SearchHand, max_hands>& hands) {
    std::array<Hand, max_hands> scored{};
    for (std::size_t h = 0; h < task.count; ++h) {
        scored[h] = {HandKind::board, every_row, hands[h].land_cards, hands[h].land_in_row, static_cast<std::uint8_t>(h), hands[h].board.cards};
    }
    std::array<RowValues, max_hands> known{};
    for (std::size_t h = 0; h < task.count; ++h) known[h] = values_of(rules, hands[h].board);
    DealScore score;
    score_deal(rules, scored.data(), task.count, score, known.data());
    Expected found;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < task.count; ++a) {
        for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
            if (a != task.me && b != task.me) continue;
            const double sign = a == task.me ? 1 : -1;
            found.rows += sign * score.pairs[pair].rows;
            found.royalties += sign * score.pairs[pair].royalties;
            found.other += sign * score.pairs[pair].other;
        }
    }
    found.rows += score.hands[task.me].table_points;
    for (std::size_t h = 0; h < task.count; ++h) {
        const auto worth = static_cast<double>(task.land_value[static_cast<std::size_t>(score.hands[h].next_land)]);
        if (h == task.me) found.land += worth * static_cast<double>(opponents_of(rules, h, task.count));
        if (play_each_other(rules, h, task.me, task.count - 1)) found.land -= worth;
    }
    if (task.stacks.known) found.stacks = detail::changed_by_stacks(rules, task, score);
    found.fouls = score.hands[task.me].offending != 0 ? 1 : 0;
    found.lands = score.hands[task.me].next_land > 0 ? 1 : 0;
    return found;
}

}  // namespace triptych::learn
