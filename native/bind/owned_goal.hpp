// A goal as Python holds it, and how cards come from there: shared by the solvers' doors.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "triptych/exact/goal.hpp"

namespace triptych::bind {

namespace nb = nanobind;

inline constexpr Card joker_end = 54;

inline constexpr double largest_worth = 1e12;

inline void need_numbers(const std::vector<double>& numbers, double least = -largest_worth) {
    for (const double one : numbers) {
        if (!(least <= one && one <= largest_worth)) throw nb::value_error("a number is not finite, or absurd");
    }
}

// Cards, each once among themselves and those in `seen`, to which they are added.
inline std::vector<Card> cards_of(const nb::bytes& text, CardSet& seen) {
    const auto* data = reinterpret_cast<const Card*>(text.c_str());
    std::vector<Card> cards(data, data + text.size());
    for (Card card : cards) {
        if (card >= joker_end) throw nb::value_error("a card is an int from 0 to 53");
        if ((seen & bit(card)) != 0) throw nb::value_error("a card is given twice");
        seen |= bit(card);
    }
    return cards;
}

inline std::vector<Card> cards_of(const nb::bytes& text) {
    CardSet seen = 0;
    return cards_of(text, seen);
}

template <std::size_t Size>
void copy_worth(const std::vector<double>& from, std::array<double, Size>& to) {
    if (from.size() != Size) throw nb::value_error("wrong number of worths");
    need_numbers(from);
    std::copy(from.begin(), from.end(), to.begin());
}

inline Opponent opponent_of(const RulesTable& rules, const nb::bytes& text) {
    const std::vector<Card> board = cards_of(text);
    if (board.size() != board_size) throw nb::value_error("13 cards expected");
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
        if (land_value.size() != goal.land_value.size()) throw nb::value_error("wrong number of fantasyland values");
        need_numbers(land_value);
        if (land_cards < 0 || land_in_row < 0 || unknown < 0 || unknown > static_cast<int>(max_opponents)) {
            throw nb::value_error("a number of cards, fantasylands or opponents is out of bounds");
        }
        goal.land_cards = land_cards;
        goal.land_in_row = land_in_row;
        goal.unknown = unknown;
        std::copy(land_value.begin(), land_value.end(), goal.land_value.begin());
        int most = land_cards;
        each_land_size(rules, [&](int cards) { most = std::max(most, cards); });
        if (most > static_cast<int>(most_land_cards)) throw nb::value_error("a fantasyland has at most 17 cards");
    }

    Goal use() const {
        Goal copy = goal;
        copy.rules = &rules;
        if (has_stakes) copy.stakes = &stakes;
        return copy;
    }

    void add_opponent(const nb::bytes& text) {
        if (has_stakes) throw nb::value_error("opponents come before stakes");
        if (goal.opponent_count == max_opponents) throw nb::value_error("at most three opponents");
        goal.opponents[goal.opponent_count++] = opponent_of(rules, text);
    }

    // `dues` in position order: (a, b, what a receives from b); those of seat 0 come with its board.
    void set_stakes(const std::vector<double>& stacks, const std::vector<std::tuple<std::size_t, std::size_t, double>>& dues,
                    int cap, bool bust_stops) {
        const std::size_t seats = goal.opponent_count + 1;
        if (stacks.size() != seats || dues.size() != seats * (seats - 1) / 2 || cap < 0 || cap > 2) {
            throw nb::value_error("a stack for each seat and a due for each pair expected");
        }
        need_numbers(stacks, 0);
        stakes = {};
        std::copy(stacks.begin(), stacks.end(), stakes.stacks.begin());
        for (const auto& [a, b, amount] : dues) {
            if (a >= seats || b >= seats || a == b) throw nb::value_error("no such seat");
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
