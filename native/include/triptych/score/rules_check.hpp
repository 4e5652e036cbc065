// Checks that the kernel can score by a rules table that comes from outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/score/board.hpp"
#include "triptych/score/cards.hpp"
#include "triptych/score/naturals.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

inline constexpr std::int32_t max_rule_points = 1'000'000;  // of any rule: sums of them stay far below what an int holds

namespace detail {

constexpr bool between(std::int32_t value, std::int32_t least, std::int32_t most) { return least <= value && value <= most; }

inline bool valid_fantasyland_conditions(const FantasylandConditionArray& conditions, std::int32_t count, std::int32_t least) {
    if (!between(count, 0, max_fantasyland_conditions)) return false;
    return std::all_of(conditions.begin(), conditions.begin() + count,
                       [&](const FantasylandCondition& condition) { return condition.cards == least || between(condition.cards, 13, 17); });
}

}  // namespace detail

// Whether every number is one that the rules can have. Values of rows may be large; whatever is points is not.
inline bool rules_are_right(const RulesTable& rules) {
    std::array<std::int32_t, rules_size> numbers{};
    std::copy_n(reinterpret_cast<const std::int32_t*>(&rules), rules_size, numbers.begin());
    const auto kinds = [](std::int32_t kind) { return detail::between(kind, 0, static_cast<std::int32_t>(NaturalKind::thirteen_of_one_colour)); };
    const auto few = [](const auto& points) {
        return std::all_of(points.begin(), points.end(), [](std::int32_t number) { return number <= max_rule_points; });
    };
    return std::all_of(numbers.begin(), numbers.end(), [](std::int32_t number) { return number >= -1; }) &&
           detail::between(rules.scoring, 0, static_cast<std::int32_t>(RowScoring::custom)) &&
           detail::between(rules.joker_value, 0, static_cast<std::int32_t>(JokerValue::best_row)) && detail::between(rules.natural_count, 0, max_naturals) &&
           detail::valid_fantasyland_conditions(rules.fantasyland_entry, rules.fantasyland_entry_count, 13) &&
           detail::valid_fantasyland_conditions(rules.fantasyland_repeat, rules.fantasyland_repeat_count, -1) &&
           std::ranges::all_of(rules.natural_kind, kinds) &&
           std::ranges::all_of(rules.suit_height, [](std::int32_t height) { return detail::between(height, 0, suits - 1); }) && few(rules.royalty_back) &&
           few(rules.royalty_middle) && few(rules.royalty_front_pair) && few(rules.royalty_front_trips) && few(rules.royalty_low) && few(rules.natural_units) &&
           few(rules.custom_points) && few(std::array{rules.foul_points, rules.custom_bonus, rules.surrender_points, rules.fantasyland_repeat_limit});
}

// Whether rows of a board can have such values: royalties are read from tables by them.
inline bool values_are_right(const RulesTable& rules, const RowValues& values) {
    const auto five = [](Rank value) { return category(value) <= five_of_a_kind; };
    const Rank front = values[front_row];
    const Rank middle = values[middle_row];
    const bool right_front = category(front) == high_card || (category(front) <= trips && slot(front, 1) >= 1 && slot(front, 1) <= ranks);
    const bool right_middle = rules.middle_low == 0 ? five(middle) : !is_low(middle) || middle <= best_low;
    return right_front && right_middle && five(values[back_row]);
}

}  // namespace triptych
