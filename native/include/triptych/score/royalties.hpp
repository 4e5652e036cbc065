// Royalties of rows, and the fantasyland that a board brings; from the rules' tables only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "triptych/score/rank.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

// Index into a five-card royalty table: the category, 10 for a royal flush.
constexpr std::size_t royalty_class(Rank value) { return is_royal(value) ? 10 : category(value); }

inline int back_royalty(const RulesTable& rules, Rank back) { return rules.royalty_back[royalty_class(back)]; }

// `middle` is a rank value, or a low order under a deuce-to-seven middle.
inline int middle_royalty(const RulesTable& rules, Rank middle) {
    if (rules.middle_low == 0) return rules.royalty_middle[royalty_class(middle)];
    if (!is_low(middle)) return 0;
    if (middle == best_low) return rules.royalty_low[3];
    const int top = slot(from_low_order(middle), 1);  // 8 = nine-low, 7 = eight-low, 6 = seven-low
    return top <= 8 ? rules.royalty_low[static_cast<std::size_t>(8 - top)] : 0;
}

inline int front_royalty(const RulesTable& rules, Rank front) {
    const auto rank = static_cast<std::size_t>(slot(front, 1) - 1);
    switch (category(front)) {
        case trips: return rules.royalty_front_trips[rank];
        case pair: return rules.royalty_front_pair[rank];
        default: return 0;
    }
}

// Cards of the next deal for a legal board that was not in fantasyland; 0 = none.
inline int fantasyland_entry(const RulesTable& rules, Rank front, Rank middle) {
    const auto rank = static_cast<std::size_t>(slot(front, 1) - 1);
    const int by_front = category(front) == trips  ? rules.land_trips[rank]
                         : category(front) == pair ? rules.land_pair[rank]
                                                   : 0;
    const int by_low = rules.middle_low != 0 && middle == best_low ? rules.land_best_low : 0;
    if (by_front > 0 && by_low > 0) return rules.land_front_and_low;
    return by_front > 0 ? by_front : by_low;
}

// Cards of the next deal for a legal board that was set in fantasyland with `cards`, the `in_row`-th one in a row.
inline int fantasyland_repeat(const RulesTable& rules, Rank front, Rank middle, Rank back, int cards, int in_row) {
    if (rules.land_repeat_limit >= 0 && in_row > rules.land_repeat_limit) return 0;
    const auto reaches = [](Rank value, std::int32_t least) { return least > 0 && value >= static_cast<Rank>(least); };
    const bool repeats =
        reaches(front, rules.land_repeat_front) || reaches(back, rules.land_repeat_back) ||
        (rules.middle_low == 0 ? reaches(middle, rules.land_repeat_middle)
                               : rules.land_repeat_best_low != 0 && middle == best_low);
    if (!repeats) return 0;
    return rules.land_repeat_cards < 0 ? cards : rules.land_repeat_cards;
}

}  // namespace triptych
