// What full rows with jokers can be, by their states: every value, read once a process. It serves rules whose jokers may repeat
// cards of their board: there what one stands for does not depend on the other rows' cards.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "triptych/learn/row_state.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych::learn {

// Every value that a full row can take, highest first; one of a row without jokers.
struct ReachableValues {
    const Rank* first;
    const Rank* last;
    const Rank* begin() const { return first; }
    const Rank* end() const { return last; }

    // The highest that is at most `limit`; 0 = none is.
    Rank highest(Rank limit) const {
        if (*first <= limit) return *first;
        const Rank* result = std::lower_bound(first, last, limit, std::greater<>());
        return result == last ? 0 : *result;
    }
};

// Values of a board's rows with its jokers chosen.
inline RowValues best_legal_values(const RulesTable& rules, const std::array<ReachableValues, row_count>& reach) {
    if (!maximises_from_back(rules)) return joker_row_values(rules, reach[front_row], reach[middle_row], reach[back_row]);
    return values_from_the_back(rules, [&](Row row, Rank limit) { return reach[row].highest(limit); });
}

class JokerRows {
public:
    static bool applies_to(const RulesTable& rules) { return rules.joker_off_board == 0; }

    // By all that such rules say of single rows.
    static const JokerRows& of(const RulesTable& rules) {
        constexpr std::array read = {&of_kind<0>, &of_kind<1>, &of_kind<2>, &of_kind<3>, &of_kind<4>, &of_kind<5>, &of_kind<6>, &of_kind<7>};
        return read[(rules.five_of_a_kind != 0 ? 1U : 0U) | (rules.wheel_second != 0 ? 2U : 0U) | (rules.middle_low != 0 ? 4U : 0U)](rules);
    }

    // Of a full row with jokers.
    ReachableValues reach(Row row, const PartialRow& full) const {
        const Span& span = span_[row][full.state()];
        return {value_.data() + span.begin, value_.data() + span.end};
    }

private:
    static constexpr std::size_t max_jokers = 2;

    struct Span {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    template <int kind>
    static const JokerRows& of_kind(const RulesTable& rules) {
        static const JokerRows rows(rules);
        return rows;
    }

    explicit JokerRows(const RulesTable& rules);

    void add(const RulesTable& rules, Row row);

    // Every set of ranks with so many jokers: of one suit where no two ranks are equal, and of several suits.
    void add(const RulesTable& rules, Row row, std::vector<Card>& real, std::size_t jokers);

    void add(const RulesTable& rules, Row row, const std::vector<Card>& real);

    std::array<std::vector<Span>, row_count> span_;  // by state
    std::vector<Rank> value_;
};

}  // namespace triptych::learn
