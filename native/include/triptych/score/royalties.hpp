// Royalties of rows, from the rules' tables only.
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
        case trips:
            return rules.royalty_front_trips[rank];
        case pair:
            return rules.royalty_front_pair[rank];
        default:
            return 0;
    }
}

}  // namespace triptych
