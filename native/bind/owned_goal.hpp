// A goal as Python holds it: shared by the bindings of the solvers.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "input.hpp"
#include "triptych/exact/goal.hpp"

namespace triptych::bind {

namespace nb = nanobind;

inline constexpr double largest_worth = 1e12;

inline void need_numbers(const std::vector<double>& numbers, double least = -largest_worth) {
    need(all_within(numbers, least, largest_worth), "a number is not finite, or absurd");
}

template <std::size_t Size>
void copy_worth(const std::vector<double>& from, std::array<double, Size>& to) {
    need(from.size() == Size, "wrong number of worths");
    need_numbers(from);
    std::copy(from.begin(), from.end(), to.begin());
}

inline Opponent opponent_of(const RulesTable& rules, const nb::bytes& text) {
    CardSet seen = 0;
    const std::vector<Card> board = different_cards(text, seen);
    need(board.size() == board_size, "13 cards expected");
    return opponent_of(rules, board.data());
}

// A goal and the table of rules that it points into, together.
struct OwnedGoal {
    RulesTable rules;
    Goal goal;
    TableStakes stakes;
    bool has_stakes = false;

    OwnedGoal(const RulesTable& table, int land_cards, int land_in_row, const std::vector<double>& land_value,
              int unknown)
        : rules(table) {
        need(land_value.size() == goal.land_value.size(), "wrong number of fantasyland values");
        need_numbers(land_value);
        need(land_cards >= 0 && land_in_row >= 0 && unknown >= 0 && unknown <= static_cast<int>(max_opponents),
             "a number of cards, fantasylands or opponents is out of bounds");
        goal.land_cards = land_cards;
        goal.land_in_row = land_in_row;
        goal.unknown = unknown;
        std::copy(land_value.begin(), land_value.end(), goal.land_value.begin());
        int most = land_cards;
        each_land_size(rules, [&](int cards) { most = std::max(most, cards); });
        need(most <= static_cast<int>(most_land_cards), "a fantasyland has at most 17 cards");
    }

    Goal use() const {
        Goal copy = goal;
        copy.rules = &rules;
        if (has_stakes) copy.stakes = &stakes;
        return copy;
    }

    void add_opponent(const nb::bytes& text) {
        need(!has_stakes, "opponents come before stakes");
        need(goal.opponent_count < max_opponents, "at most three opponents");
        goal.opponents[goal.opponent_count++] = opponent_of(rules, text);
    }

    // `dues` in position order: (a, b, what a receives from b); those of seat 0 come with its board.
    void set_stakes(const std::vector<double>& stacks, const std::vector<std::tuple<std::size_t, std::size_t, double>>& dues,
                    int cap, bool bust_stops) {
        const std::size_t seats = goal.opponent_count + 1;
        need(stacks.size() == seats && dues.size() == seats * (seats - 1) / 2 && cap >= 0 && cap <= 2,
             "a stack for each seat and a due for each pair expected");
        need_numbers(stacks, 0);
        stakes = {};
        std::copy(stacks.begin(), stacks.end(), stakes.stacks.begin());
        for (const auto& [a, b, amount] : dues) {
            need(a < seats && b < seats && a != b, "no such seat");
            need_numbers({amount});
            stakes.dues[stakes.due_count++] = {a, b, amount};
        }
        stakes.cap = static_cast<TableStakes::Cap>(cap);
        stakes.bust_stops = bust_stops;
        has_stakes = true;
    }

    void set_worth(const std::vector<double>& front, const std::vector<double>& middle,
                   const std::vector<double>& back) {
        copy_worth(front, goal.front_worth);
        copy_worth(middle, goal.middle_worth);
        copy_worth(back, goal.back_worth);
        goal.has_worth = true;
    }
};

}  // namespace triptych::bind
