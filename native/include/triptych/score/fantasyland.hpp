// The fantasyland that a legal board leads to: the conditions of the rules, each a minimum of row values and royalties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "triptych/score/board.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

inline constexpr std::int32_t never_reached = std::numeric_limits<std::int32_t>::max();

// The conditions that apply to a board.
struct FantasylandConditions {
    const FantasylandCondition* conditions;
    std::size_t count;

    const FantasylandCondition* begin() const { return conditions; }
    const FantasylandCondition* end() const { return conditions + count; }
};

inline FantasylandConditions entry_conditions(const RulesTable& rules) {
    return {rules.fantasyland_entry.data(), static_cast<std::size_t>(rules.fantasyland_entry_count)};
}
inline FantasylandConditions repeat_conditions(const RulesTable& rules) {
    return {rules.fantasyland_repeat.data(), static_cast<std::size_t>(rules.fantasyland_repeat_count)};
}

// The minimum of a row in a condition.
inline Rank min_value(const FantasylandCondition& condition, std::size_t row) {
    return static_cast<Rank>(row == front_row ? condition.front : row == middle_row ? condition.middle : condition.back);
}

// Cards of the next deal for a legal board; `cards` = fantasyland cards it was dealt now (0: none), the `in_row`-th
// fantasyland in a row. 0 = no fantasyland.
inline int next_fantasyland(const RulesTable& rules, const RowValues& rows, const RowPoints& royalties, int cards, int in_row) {
    if (cards > 0 && rules.fantasyland_repeat_limit >= 0 && in_row > rules.fantasyland_repeat_limit) return 0;
    const int sum = royalties[front_row] + royalties[middle_row] + royalties[back_row];
    int most = 0;
    for (const FantasylandCondition& condition : cards > 0 ? repeat_conditions(rules) : entry_conditions(rules)) {
        const bool met = rows[front_row] >= min_value(condition, front_row) && rows[middle_row] >= min_value(condition, middle_row) &&
                         rows[back_row] >= min_value(condition, back_row) && sum >= condition.royalties;
        if (met) most = std::max(most, condition.cards < 0 ? cards : static_cast<int>(condition.cards));
    }
    return most;
}

// Cards of every fantasyland that the rules name.
template <typename Visit>
void for_each_fantasyland_size(const RulesTable& rules, const Visit& visit) {
    for (const FantasylandCondition& condition : entry_conditions(rules)) visit(condition.cards);
    for (const FantasylandCondition& condition : repeat_conditions(rules)) {
        if (condition.cards >= 0) visit(condition.cards);
    }
}

}  // namespace triptych
