// The last streets and the outs of a board by trying every draw and every way to place it: what street() and outs()
// are compared with. Loops without any pruning that share nothing with them but the scorer.
//
// Reads lines, cards as integers:
//   "RULES n…"  the rules table     "LAND value"  of a fantasyland     "FOUL value"
//   "AGAINST 13 cards"  once for each finished board to beat           "UNSEEN cards"
//   "ROWS n cards n cards n cards"  front, middle and back so far      "LATER dealt placed dealt placed …"
//   "STREET placed cards"  prints a line for each placement: the row of each card (3 = discarded), value, chance to foul
//   "OUTS come"  prints draws, legal ones, those with a fantasyland, then for each row pairs "class draws"
// and after each answer a line "."; AGAINST counts for one STREET. Classes: a row's category, 9 a royal flush, 10 five
// of a kind; of a deuce-to-seven middle 0 none, 1 ten-low … 4 seven-low, 5 75432.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "line_protocol.hpp"
#include "triptych/score/showdown.hpp"

namespace every_draw {

using namespace triptych;

struct Street {
    std::size_t dealt;
    std::size_t placed;
};

using Cards = std::vector<Card>;
using Rows = std::array<Cards, row_count>;

struct Worth {
    double value;
    double fouls;
};

struct Query {
    RulesTable rules{};
    double fantasyland = 0;
    double foul = 0;
    std::vector<Hand> opponents;
    Cards unseen;
    Rows rows;
    std::vector<Street> later;
};

std::array<Card, board_size> board_of(const Rows& rows) {
    std::array<Card, board_size> board{};
    for (std::size_t row = 0; row < row_count; ++row) {
        std::copy(rows[row].begin(), rows[row].end(), board.begin() + static_cast<std::ptrdiff_t>(row_start[row]));
    }
    return board;
}

Worth score(const Query& query, const Rows& rows) {
    const auto board = board_of(rows);
    const RowValues values = board_values(query.rules, board.data());
    if (!is_legal(query.rules, values)) return {query.foul, 1};
    const RowPoints royalties = row_royalties(query.rules, values);
    const double fantasyland = next_fantasyland(query.rules, values, royalties, 0, 0) > 0 ? query.fantasyland : 0;
    if (query.opponents.empty()) { return {royalties[0] + royalties[1] + royalties[2] + fantasyland, 0}; }
    std::array<Hand, max_hands> hands = {Hand{HandKind::board, 7, 0, 0, 0, board}};
    std::copy(query.opponents.begin(), query.opponents.end(), hands.begin() + 1);
    for (std::size_t i = 0; i <= query.opponents.size(); ++i) hands[i].owner = static_cast<std::uint8_t>(i);
    DealScore scored;
    score_deal(query.rules, hands.data(), query.opponents.size() + 1, scored);
    int points = 0;
    for (std::size_t i = 0; i < query.opponents.size(); ++i) points += scored.pairs[i].total();
    return {points + fantasyland, 0};
}

// Calls visit(drawn, rest) for every set of `count` cards.
template <typename Visit>
void each_draw(const Cards& cards, std::size_t count, const Visit& visit) {
    std::vector<std::size_t> at(count);
    for (std::size_t i = 0; i < count; ++i) at[i] = i;
    while (true) {
        Cards drawn, rest;
        for (std::size_t i = 0, next = 0; i < cards.size(); ++i) {
            const bool taken = next < count && at[next] == i;
            (taken ? drawn : rest).push_back(cards[i]);
            next += taken;
        }
        visit(drawn, rest);
        std::size_t i = count;
        while (i > 0 && at[i - 1] == cards.size() - count + i - 1) --i;
        if (i == 0) return;
        ++at[i - 1];
        for (; i < count; ++i) at[i] = at[i - 1] + 1;
    }
}

// Calls visit(rows, where) for every way to put `place` of the cards into free slots; `where` = row of each card.
template <typename Visit>
void each_layout(const Rows& rows, const Cards& cards, std::size_t place, std::string& where, const Visit& visit) {
    const std::size_t next = where.size();
    if (next == cards.size()) {
        if (place == 0) visit(rows, where);
        return;
    }
    for (std::size_t row = 0; row < row_count && place > 0; ++row) {
        if (rows[row].size() == row_size[row]) continue;
        Rows more = rows;
        more[row].push_back(cards[next]);
        where.push_back(static_cast<char>('0' + row));
        each_layout(more, cards, place - 1, where, visit);
        where.pop_back();
    }
    where.push_back('3');
    each_layout(rows, cards, place, where, visit);
    where.pop_back();
}

// The mean over every draw of its best layout, street after street; of equal layouts the one that fouls less.
Worth expect(const Query& query, const Rows& rows, const Cards& unseen, std::size_t street) {
    if (street == query.later.size()) return score(query, rows);
    Worth sum{0, 0};
    double draws = 0;
    each_draw(unseen, query.later[street].dealt, [&](const Cards& drawn, const Cards& rest) {
        Worth best{-std::numeric_limits<double>::infinity(), 1};
        std::string where;
        each_layout(rows, drawn, query.later[street].placed, where, [&](const Rows& laid, const std::string&) {
            const Worth worth = expect(query, laid, rest, street + 1);
            if (worth.value > best.value || (worth.value == best.value && worth.fouls < best.fouls)) best = worth;
        });
        sum.value += best.value;
        sum.fouls += best.fouls;
        draws += 1;
    });
    return {sum.value / draws, sum.fouls / draws};
}

int class_of(const RulesTable& rules, Row row, const Cards& cards) {
    std::array<Card, board_size> board{};
    std::copy(cards.begin(), cards.end(), board.begin() + static_cast<std::ptrdiff_t>(row_start[row]));
    int best = 0;
    for (const RowOption& option : row_options(rules, board.data(), row, bit(first_joker) - 1)) {
        int here = static_cast<int>(category(option.value));
        if (row == middle_row && rules.middle_low != 0) {
            here = !is_low(option.value) ? 0 : option.value == best_low ? 5 : 10 - slot(from_low_order(option.value), 1);
        } else if (here == five_of_a_kind) {
            here = 10;
        } else if (is_royal(option.value)) {
            here = 9;
        }
        best = std::max(best, here);
    }
    return best;
}

void count_outs(const Query& query, std::size_t come) {
    std::size_t draws = 0, legal = 0, fantasyland = 0;
    std::array<std::map<int, std::size_t>, row_count> classes;
    each_draw(query.unseen, come, [&](const Cards& drawn, const Cards&) {
        ++draws;
        for (std::size_t row = 0; row < row_count; ++row) {
            int best = 0;
            each_draw(drawn, row_size[row] - query.rows[row].size(), [&](const Cards& taken, const Cards&) {
                Cards whole = query.rows[row];
                whole.insert(whole.end(), taken.begin(), taken.end());
                best = std::max(best, class_of(query.rules, static_cast<Row>(row), whole));
            });
            ++classes[row][best];
        }
        bool can_be_legal = false, can_reach_fantasyland = false;
        std::string where;
        std::size_t free = board_size;
        for (const Cards& row : query.rows) free -= row.size();
        each_layout(query.rows, drawn, free, where, [&](const Rows& laid, const std::string&) {
            const RowValues values = board_values(query.rules, board_of(laid).data());
            if (!is_legal(query.rules, values)) return;
            can_be_legal = true;
            can_reach_fantasyland = can_reach_fantasyland || next_fantasyland(query.rules, values, row_royalties(query.rules, values), 0, 0) > 0;
        });
        legal += can_be_legal;
        fantasyland += can_reach_fantasyland;
    });
    std::cout << draws << ' ' << legal << ' ' << fantasyland << '\n';
    for (const auto& row : classes) {
        for (const auto& [name, count] : row) std::cout << name << ' ' << count << ' ';
        std::cout << '\n';
    }
    std::cout << '.' << std::endl;
}

void solve_street(Query& query, std::size_t place, const Cards& cards) {
    std::string where;
    each_layout(query.rows, cards, place, where, [&](const Rows& laid, const std::string& code) {
        const Worth worth = expect(query, laid, query.unseen, 0);
        std::cout << code << ' ' << worth.value << ' ' << worth.fouls << '\n';
    });
    std::cout << '.' << std::endl;
    query.opponents.clear();
}

Cards read_cards(std::istream& words, std::size_t max_count = board_size * 5) {
    Cards cards;
    for (int card = 0; cards.size() < max_count && words >> card;) cards.push_back(static_cast<Card>(card));
    return cards;
}

inline int run() {
    std::cout.precision(17);
    Query query;
    return for_each_line([&query](const std::string& word, std::istringstream& words) {
        if (word == "RULES") {
            if (!read_rules(read_numbers(words), query.rules)) return false;
        } else if (word == "LAND") {
            words >> query.fantasyland;
        } else if (word == "FOUL") {
            words >> query.foul;
        } else if (word == "AGAINST") {
            query.opponents.push_back(finished_board(read_cards(words)));
        } else if (word == "UNSEEN") {
            query.unseen = read_cards(words);
        } else if (word == "ROWS") {
            for (Cards& row : query.rows) {
                std::size_t count = 0;
                words >> count;
                row = read_cards(words, count);
            }
        } else if (word == "LATER") {
            query.later.clear();
            for (Street street{}; words >> street.dealt >> street.placed;) query.later.push_back(street);
        } else if (word == "STREET" || word == "OUTS") {
            std::size_t count = 0;
            words >> count;
            if (word == "OUTS") count_outs(query, count);
            else solve_street(query, count, read_cards(words));
        } else {
            return false;
        }
        return true;
    });
}

}  // namespace every_draw
