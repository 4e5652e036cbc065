// The value of the best setting of 13 to 17 cards by trying every one of them: the oracle of the solver. Loops
// without any pruning that share nothing with the solver but the scorer.
//
// Reads lines "RULES n…" (integers of the rules table), "LAND cards in_row value…" (of the next fantasyland: one value,
// or one for each number of cards from 0 to 17),
// "AGAINST 13 cards" (once for each opponent) and "CARDS n…" or "PLAIN n…"; for each of the last two it prints
// "legal value back middle front" and forgets the opponents. Of equal values it takes the highest back, then middle,
// then front, and prints those values too.
//
// PLAIN scores every board with the scorer, one after the other. CARDS scores every row of the pool once and every
// combination of what rows can be worth once, then loops over all settings with those tables: 171,531,360 for 17 cards.
// It knows jokers under `best_legal`, domain `any` only.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "line_protocol.hpp"
#include "triptych/score/showdown.hpp"

namespace every_setting {

using namespace triptych;

struct Query {
    RulesTable rules{};
    int fantasyland_cards = 0;
    int fantasyland_in_row = 0;
    std::array<double, 18> fantasyland_values{};
    std::vector<Hand> opponents;
    std::vector<RowValues> opponent_rows;
};

// What the scorer pays a whole board; `rows` and `legal` are the scorer's too.
double value_of(const Query& query, const std::array<Card, board_size>& board, RowValues& rows, bool& legal) {
    Hand hand{HandKind::board, 7, static_cast<std::uint8_t>(query.fantasyland_cards), static_cast<std::uint8_t>(query.fantasyland_in_row), 0, board};
    rows = board_values(query.rules, board.data());
    legal = is_legal(query.rules, rows);
    if (!legal) return 0;
    const RowPoints royalties = row_royalties(query.rules, rows);
    const int next = next_fantasyland(query.rules, rows, royalties, query.fantasyland_cards, query.fantasyland_in_row);
    const double fantasyland = next > 0 ? query.fantasyland_values[static_cast<std::size_t>(next)] : 0.0;
    if (query.opponents.empty()) { return royalties[0] + royalties[1] + royalties[2] + fantasyland; }
    std::array<Hand, max_hands> hands = {hand};
    std::copy(query.opponents.begin(), query.opponents.end(), hands.begin() + 1);
    for (std::size_t i = 0; i <= query.opponents.size(); ++i) hands[i].owner = static_cast<std::uint8_t>(i);
    DealScore score;
    score_deal(query.rules, hands.data(), query.opponents.size() + 1, score);
    int points = 0;
    for (std::size_t i = 0; i < query.opponents.size(); ++i) points += score.pairs[i].total();
    return points + fantasyland;
}

struct Best {
    bool any = false;
    double value = -std::numeric_limits<double>::infinity();
    RowValues rows{};

    void offer(double offered, const RowValues& by) {
        const auto order = [](const RowValues& values) { return std::tie(values[2], values[1], values[0]); };
        if (offered < value || (offered == value && order(by) <= order(rows))) return;
        any = true;
        value = offered;
        rows = by;
    }

    void print() const { std::cout << any << ' ' << (any ? value : 0) << ' ' << rows[2] << ' ' << rows[1] << ' ' << rows[0] << std::endl; }
};

void lay(const std::vector<Card>& cards, unsigned mask, std::array<Card, board_size>& board, Row row) {
    std::size_t at = row_start[row];
    for (; mask != 0; mask &= mask - 1) board[at++] = cards[static_cast<std::size_t>(std::countr_zero(mask))];
}

// Every set of `size` of the cards in `from`, as masks.
std::vector<unsigned> choices(unsigned from, int size) {
    std::vector<unsigned> result;
    for (unsigned mask = from;; mask = (mask - 1) & from) {
        if (std::popcount(mask) == size) result.push_back(mask);
        if (mask == 0) return result;
    }
}

Best score_each(const Query& query, const std::vector<Card>& cards) {
    const unsigned all = (1U << cards.size()) - 1;
    Best best;
    std::array<Card, board_size> board;
    for (unsigned front : choices(all, 3)) {
        lay(cards, front, board, front_row);
        for (unsigned middle : choices(all & ~front, 5)) {
            lay(cards, middle, board, middle_row);
            for (unsigned back : choices(all & ~front & ~middle, 5)) {
                lay(cards, back, board, back_row);
                bool legal = false;
                RowValues rows;
                const double value = value_of(query, board, rows, legal);
                if (legal) best.offer(value, rows);
            }
        }
    }
    return best;
}

// A value that a row can show, and the number of its worth: rows of one worth pay the same in any company.
struct RowValue {
    Rank value;
    std::uint32_t worth;
};

class Tables {
public:
    Tables(const Query& query, const std::vector<Card>& cards) : query_(query), cards_(cards) {
        const unsigned all = (1U << cards.size()) - 1;
        for (unsigned mask : choices(all, 3)) add(front_row, mask);
        for (unsigned mask : choices(all, 5)) {
            add(middle_row, mask);
            add(back_row, mask);
        }
        known_.assign(worths_[0].size() * worths_[1].size() * worths_[2].size(), 0);
        values_.assign(known_.size(), 0);
    }

    Best best() {
        const unsigned all = (1U << cards_.size()) - 1;
        Best result;
        std::vector<Filled> backs;
        for (unsigned eight : choices(all, 8)) {
            backs.clear();
            for (unsigned back : choices(all & ~eight, 5)) backs.push_back(filled(back_row, back));
            for (unsigned three : choices(eight, 3)) {
                const Filled front = filled(front_row, three);
                const Filled middle = filled(middle_row, eight & ~three);
                for (const Filled& back : backs) try_setting(front, middle, back, result);
            }
        }
        return result;
    }

private:
    // A row of some cards, and what it can show: one value without jokers, else all, the highest first.
    static constexpr Rank nothing = 0;  // below every row

    struct Filled {
        unsigned mask;
        const RowValue* begin;
        const RowValue* end;
    };

    Filled filled(Row row, unsigned mask) const {
        const auto [first, count] = spans_[row][mask];
        const RowValue* begin = row_values_[row].data() + first;
        return {mask, begin, begin + count};
    }

    // With jokers: the highest back, then the highest middle, then the highest front that are legal (Rules §3).
    void try_setting(const Filled& front, const Filled& middle, const Filled& back, Best& result) {
        for (const RowValue* low = back.begin; low != back.end; ++low)
            for (const RowValue* mid = middle.begin; mid != middle.end; ++mid) {
                if (!is_legal(query_.rules, {nothing, mid->value, low->value})) continue;  // whatever the front
                for (const RowValue* top = front.begin; top != front.end; ++top) {
                    const RowValues rows = {top->value, mid->value, low->value};
                    if (!is_legal(query_.rules, rows)) continue;
                    const std::size_t at = (top->worth * worths_[1].size() + mid->worth) * worths_[2].size() + low->worth;
                    if (known_[at] == 0) score(at, front.mask, middle.mask, back.mask);
                    if (values_[at] >= result.value) result.offer(values_[at], rows);
                    return;
                }
            }
    }

    void score(std::size_t at, unsigned front, unsigned middle, unsigned back) {
        std::array<Card, board_size> board;
        lay(cards_, front, board, front_row);
        lay(cards_, middle, board, middle_row);
        lay(cards_, back, board, back_row);
        RowValues rows;
        bool legal = false;
        values_[at] = value_of(query_, board, rows, legal);
        known_[at] = 1;
    }

    void add(Row row, unsigned mask) {
        if (spans_[row].empty()) spans_[row].resize(std::size_t{1} << cards_.size());
        std::array<Card, board_size> board{};
        lay(cards_, mask, board, row);
        constexpr CardSet real_cards = bit(first_joker) - 1;
        std::vector<RowValue>& options = row_values_[row];
        const std::size_t first = options.size();
        const bool deuce = query_.rules.deuce_of_spades != 0 && holds_deuce(mask);
        for (const RowOption& option : row_options(query_.rules, board.data(), row, real_cards)) {
            if (options.size() > first && options.back().value == option.value) continue;
            options.push_back({option.value, worth(row, option.value, deuce)});
        }
        spans_[row][mask] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(options.size() - first)};
    }

    bool holds_deuce(unsigned mask) const {
        for (; mask != 0; mask &= mask - 1) {
            if (cards_[static_cast<std::size_t>(std::countr_zero(mask))] == deuce_of_spades) return true;
        }
        return false;
    }

    // All that a row's value decides: its royalty, which conditions of a repeat it meets, how it fares against each
    // opponent.
    std::uint32_t worth(Row row, Rank value, bool deuce) {
        std::vector<int> of = {deuce};
        for (const FantasylandCondition& condition : repeat_conditions(query_.rules)) of.push_back(value >= min_value(condition, row));
        of.push_back(row == front_row    ? front_royalty(query_.rules, value)
                     : row == middle_row ? middle_royalty(query_.rules, value)
                                         : back_royalty(query_.rules, value));
        for (const RowValues& theirs : query_.opponent_rows) { of.push_back(value > theirs[row] ? 1 : value < theirs[row] ? -1 : 0); }
        return worths_[row].emplace(of, static_cast<std::uint32_t>(worths_[row].size())).first->second;
    }

    const Query& query_;
    const std::vector<Card>& cards_;
    std::array<std::vector<RowValue>, row_count> row_values_;
    std::array<std::vector<std::pair<std::uint32_t, std::uint32_t>>, row_count> spans_;  // by mask: first, count
    std::array<std::map<std::vector<int>, std::uint32_t>, row_count> worths_;
    std::vector<char> known_;
    std::vector<double> values_;
};

inline int run() {
    Query query;
    return for_each_line([&query](const std::string& word, std::istringstream& words) {
        if (word == "LAND") {
            words >> query.fantasyland_cards >> query.fantasyland_in_row;
            std::vector<double> values;
            for (double value = 0; words >> value;) values.push_back(value);
            if (values.size() == query.fantasyland_values.size()) std::copy(values.begin(), values.end(), query.fantasyland_values.begin());
            else query.fantasyland_values.fill(values.at(0));
            return true;
        }
        const std::vector<std::int32_t> numbers = read_numbers(words);
        const std::vector<Card> cards(numbers.begin(), numbers.end());
        if (word == "RULES") {
            if (!read_rules(numbers, query.rules)) return false;
        } else if (word == "AGAINST") {
            query.opponents.push_back(finished_board(cards));
            query.opponent_rows.push_back(board_values(query.rules, query.opponents.back().cards.data()));
        } else if (word == "CARDS" || word == "PLAIN") {
            (word == "PLAIN" ? score_each(query, cards) : Tables(query, cards).best()).print();
            query.opponents.clear();
            query.opponent_rows.clear();
        } else {
            return false;
        }
        return true;
    });
}

}  // namespace every_setting
