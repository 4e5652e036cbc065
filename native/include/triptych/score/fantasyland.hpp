// The fantasyland that a legal board brings: the conditions of the rules, each a least value of rows and royalties.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "triptych/score/board.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

inline constexpr std::int32_t never_reached = std::numeric_limits<std::int32_t>::max();

// The conditions that a board is held against.
struct LandList {
    const LandCondition* conditions;
    std::size_t count;

    const LandCondition* begin() const { return conditions; }
    const LandCondition* end() const { return conditions + count; }
};

inline LandList entry_conditions(const RulesTable& rules) {
    return {rules.land_entry.data(), static_cast<std::size_t>(rules.land_entry_count)};
}
inline LandList repeat_conditions(const RulesTable& rules) {
    return {rules.land_repeat.data(), static_cast<std::size_t>(rules.land_repeat_count)};
}

// The lowest value that a condition asks of a row.
inline Rank least_of(const LandCondition& condition, std::size_t row) {
    return static_cast<Rank>(row == front_row ? condition.front : row == middle_row ? condition.middle : condition.back);
}

// Cards of the next deal for a legal board; `cards` = fantasyland cards it was dealt now (0: none), the `in_row`-th
// fantasyland in a row. 0 = no fantasyland.
inline int next_fantasyland(const RulesTable& rules, const RowValues& rows, const RowPoints& royalties, int cards, int in_row) {
    if (cards > 0 && rules.land_repeat_limit >= 0 && in_row > rules.land_repeat_limit) return 0;
    const int sum = royalties[front_row] + royalties[middle_row] + royalties[back_row];
    int most = 0;
    for (const LandCondition& condition : cards > 0 ? repeat_conditions(rules) : entry_conditions(rules)) {
        const bool met = rows[front_row] >= least_of(condition, front_row) && rows[middle_row] >= least_of(condition, middle_row) &&
                         rows[back_row] >= least_of(condition, back_row) && sum >= condition.royalties;
        if (met) most = std::max(most, condition.cards < 0 ? cards : static_cast<int>(condition.cards));
    }
    return most;
}

// Cards of every fantasyland that the rules name.
template <typename Found>
void each_land_size(const RulesTable& rules, const Found& found) {
    for (const LandCondition& condition : entry_conditions(rules)) found(condition.cards);
    for (const LandCondition& condition : repeat_conditions(rules)) {
        if (condition.cards >= 0) found(condition.cards);
    }
}

}  // namespace triptych
