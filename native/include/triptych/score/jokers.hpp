// What the jokers of a board stand for (Rules §3): every reachable value of each row, then the best legal choice.
//
// A row with one joker reaches at most 26 values, with two at most 182, whatever the card domain, because only the
// ranks and "all one suit or not" matter. `any` lets a joker repeat a card: such a flush keeps its equal ranks (a
// double-ace flush). `not_on_own_board`: jokers stand for different cards, none of them on the board.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "triptych/score/board.hpp"

namespace triptych {

// One reachable value of a row. `cards` = the cards that its only joker may stand for; 0 where it does not matter.
struct RowOption {
    Rank value;
    CardSet cards;
};

// The reachable values of one row, highest first.
class RowOptions {
public:
    void add(Rank value, CardSet cards) { options_[size_++] = {value, cards}; }
    void sort() {
        std::sort(begin(), end(), [](const RowOption& a, const RowOption& b) { return a.value > b.value; });
    }
    RowOption* begin() { return options_.data(); }
    RowOption* end() { return options_.data() + size_; }
    const RowOption* begin() const { return options_.data(); }
    const RowOption* end() const { return options_.data() + size_; }

private:
    std::array<RowOption, 182> options_;
    std::size_t size_ = 0;
};

namespace detail {

// The real cards of a row that holds jokers.
struct JokerRow {
    std::array<int, 5> ranks_of{};
    std::uint32_t weights = 0;  // of those ranks
    std::size_t real = 0;
    std::size_t jokers = 0;
    int suit = -1;  // the one suit of all real cards; -1 when they differ

    JokerRow(const Card* cards, std::size_t size) {
        bool suited = true;
        for (std::size_t i = 0; i < size; ++i) {
            if (is_joker(cards[i])) {
                ++jokers;
                continue;
            }
            if (real == 0) suit = suit_of(cards[i]);
            suited = suited && suit_of(cards[i]) == suit;
            weights += weight[static_cast<std::size_t>(rank_of(cards[i]))];
            ranks_of[real++] = rank_of(cards[i]);
        }
        if (!suited) suit = -1;
    }
};

// A five-card flush whose ranks may repeat.
inline Rank flush_of_ranks(std::array<int, 5> ascending) {
    unsigned mask = 0;
    for (int rank : ascending) mask |= 1U << rank;
    if (std::popcount(mask) == 5) return rank_of_suited(mask);
    return make_rank(flush, ascending[4] + 1, ascending[3] + 1, ascending[2] + 1, ascending[1] + 1, ascending[0] + 1);
}

inline Rank open_row_value(const JokerRow& row, int first, int second, bool one_suit) {
    if (row.real + row.jokers == 3) {
        return row.jokers == 2 ? rank3(static_cast<Card>(row.ranks_of[0] * 4), static_cast<Card>(first * 4), static_cast<Card>(second * 4))
                               : rank3(static_cast<Card>(row.ranks_of[0] * 4), static_cast<Card>(row.ranks_of[1] * 4), static_cast<Card>(first * 4));
    }
    if (one_suit) {
        std::array<int, 5> ranks_now = row.ranks_of;
        ranks_now[row.real] = first;
        if (row.jokers == 2) ranks_now[row.real + 1] = second;
        std::sort(ranks_now.begin(), ranks_now.end());
        return flush_of_ranks(ranks_now);
    }
    return rank_of_weights(row.weights + weight[static_cast<std::size_t>(first)] + (row.jokers == 2 ? weight[static_cast<std::size_t>(second)] : 0));
}

// Calls `visit(value, cards)` for every value that the row's jokers reach; `free` = cards they may stand for.
template <typename Visit>
void for_each_value(const RulesTable& rules, const JokerRow& row, CardSet free, Visit visit) {
    const bool repeat = rules.joker_off_board == 0;
    const bool may_suit = row.suit >= 0 && row.real + row.jokers == 5;
    const unsigned own = may_suit ? 1U << row.suit : 0U;
    const auto report = [&](int first, int second, bool one_suit, CardSet cards) {
        const Rank value = open_row_value(row, first, second, one_suit);
        if (category(value) == five_of_a_kind && rules.five_of_a_kind == 0) return;
        visit(value, cards);
    };
    for (int first = 0; first < ranks; ++first) {
        const unsigned a = suits_of_rank(free, first);
        if (row.jokers == 1) {
            if ((a & own) != 0) report(first, 0, true, CardSet{a & own} << (4 * first));
            if ((a & ~own) != 0) report(first, 0, false, CardSet{a & ~own} << (4 * first));
            continue;
        }
        for (int second = 0; second <= first; ++second) {
            const unsigned b = suits_of_rank(free, second);
            if (a == 0 || b == 0) continue;
            if (!repeat && first == second && std::popcount(a) < 2) continue;
            if ((a & own) != 0 && (b & own) != 0 && (repeat || first != second)) report(first, second, true, 0);
            if (((a | b) & ~own) != 0) report(first, second, false, 0);
        }
    }
}

}  // namespace detail

// `visit(value, cards)` for every value that a row can take; one for a row without jokers. `free` = cards they may stand for.
template <typename Visit>
void for_each_row_value(const RulesTable& rules, const Card* board, Row row, CardSet free, const Visit& visit) {
    const Card* cards = board + row_start[row];
    const auto compared = [&](Rank value) { return row == front_row ? value : row == middle_row ? middle_value(rules, value) : five_card_value(rules, value); };
    const detail::JokerRow open(cards, row_size[row]);
    if (open.jokers == 0) return visit(compared(row == front_row ? rank3(cards) : rank5(cards)), CardSet{0});
    detail::for_each_value(rules, open, free, [&](Rank value, CardSet set) { visit(compared(value), set); });
}

inline constexpr Rank any_value = 0xFFFFFFFF;

// The highest of them that is at most `limit`; 0 = none is.
Rank highest_value(const RulesTable& rules, const Card* board, Row row, CardSet free, Rank limit);

// Whether the best legal choice is, from the back up, the highest value of each row that the row below it stands above.
inline bool maximises_from_back(const RulesTable& rules) {
    return rules.joker_value == static_cast<RulesTable::Int>(JokerValue::best_legal) && rules.joker_off_board == 0 && rules.middle_low == 0;
}

// Values of a board's rows where it is. `highest(row, limit)` as above.
template <typename Highest>
RowValues values_from_the_back(const RulesTable& rules, const Highest& highest) {
    const Rank apart = rules.strict_order != 0 ? 1 : 0;
    const Rank back = highest(back_row, any_value);
    const Rank middle = highest(middle_row, back - apart);
    const Rank front = middle == 0 ? 0 : highest(front_row, middle - apart);
    if (front == 0) return {highest(front_row, any_value), highest(middle_row, any_value), back};
    return {front, middle, back};
}

// Every value of a row in a list.
RowOptions row_options(const RulesTable& rules, const Card* board, Row row, CardSet free);

namespace detail {

// Two jokers in two rows must be able to stand for different cards.
inline bool different(const RowOption& a, const RowOption& b) { return a.cards == 0 || b.cards == 0 || std::popcount(a.cards | b.cards) >= 2; }
inline bool different(Rank, Rank) { return true; }  // values alone: where jokers may repeat cards

inline Rank value_of(const RowOption& option) { return option.value; }
inline Rank value_of(Rank value) { return value; }

struct Choice {
    RowValues rows{};
    int royalties = -1;
    bool exists = false;
};

template <typename Options, typename Accept>
void for_each_choice(const RulesTable& rules, const Options& fronts, const Options& middles, const Options& backs, Accept accept) {
    const bool apart = rules.joker_off_board != 0;
    for (const auto& back : backs)
        for (const auto& middle : middles) {
            if (apart && !different(back, middle)) continue;
            for (const auto& front : fronts) {
                if (apart && !(different(back, front) && different(middle, front))) continue;
                if (accept(RowValues{value_of(front), value_of(middle), value_of(back)})) return;
            }
        }
}

}  // namespace detail

// Values of a board's rows, of those that each can take, highest first, with its jokers chosen by `rows.joker_value`; a board
// without a legal choice fouls and shows each row at its best.
template <typename Options>
RowValues joker_row_values(const RulesTable& rules, const Options& fronts, const Options& middles, const Options& backs) {
    detail::Choice choice;
    const auto value = static_cast<JokerValue>(rules.joker_value);
    if (value == JokerValue::best_total) {
        detail::for_each_choice(rules, fronts, middles, backs, [&](const RowValues& rows) {
            if (!is_legal(rules, rows)) return false;
            const RowPoints points = row_royalties(rules, rows);
            const int total = points[0] + points[1] + points[2];
            if (total > choice.royalties) choice = {rows, total, true};  // the first of equals is the highest
            return false;
        });
    } else if (value == JokerValue::best_legal) {
        detail::for_each_choice(rules, fronts, middles, backs, [&](const RowValues& rows) {
            if (!is_legal(rules, rows)) return false;
            choice = {rows, 0, true};
            return true;
        });
    }
    if (!choice.exists) {
        detail::for_each_choice(rules, fronts, middles, backs, [&](const RowValues& rows) {
            choice = {rows, 0, true};
            return true;
        });
    }
    return choice.rows;
}

RowValues joker_row_values(const RulesTable& rules, const Card* board);

// Values of any board's rows, with or without jokers.
inline RowValues board_values(const RulesTable& rules, const Card* board) {
    for (int i = 0; i < board_size; ++i) {
        if (is_joker(board[i])) return joker_row_values(rules, board);
    }
    return row_values(rules, board);
}

}  // namespace triptych
