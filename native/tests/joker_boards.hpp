// What rollouts make of boards with jokers is what the scorer makes of each by itself: the finished boards of a last street, those
// of every card or pair in free slots, whose rows are read from a table, and what a board is worth before its last draw.
//
// Reads lines, and prints one for each but the rules: "RULES n…"  the rules table
//   "FINISHED", "SLOTS", "DRAWS"  how many boards were compared, and how many of them differ
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <vector>

#include "line_protocol.hpp"
#include "outcomes.hpp"
#include "triptych/learn/finished_boards.hpp"
#include "triptych/learn/last_draw_value.hpp"
#include "triptych/learn/self_play.hpp"
#include "triptych/learn/slot_values.hpp"

namespace joker_boards {

using namespace triptych;
using namespace triptych::learn;

constexpr std::uint64_t boards = 1000;
constexpr std::size_t dealt = 3;

struct Compared {
    std::uint64_t boards = 0;
    std::uint64_t differ = 0;

    void add(bool same) {
        ++boards;
        differ += same ? 0 : 1;
    }
};

// A board with free slots, and the cards behind it; one or two jokers are among them all.
struct Query {
    BoardInPlay board;
    std::array<std::size_t, row_count> filled{};
    std::vector<std::size_t> slot;
    std::vector<Card> left;

    Query(Random& random, std::size_t free, std::size_t behind) {
        std::vector<Card> cards(deck_size);
        std::iota(cards.begin(), cards.end(), Card{0});
        shuffle(cards, random);
        if (random.below(2) == 0) {  // flushes and straights in sight
            const auto near = [](Card card) { return std::array{suit_of(card), rank_of(card) / 5}; };
            std::stable_sort(cards.begin(), cards.end(), [&](Card a, Card b) { return near(a) < near(b); });
        }
        cards.resize(board_size - free + behind);
        for (std::uint32_t jokers = 1 + random.below(2); jokers > 0; --jokers)
            cards[random.below(static_cast<std::uint32_t>(cards.size()))] = static_cast<Card>(first_joker + jokers - 1);
        filled = row_size;
        for (std::size_t taken = 0; taken < free;) {
            const std::size_t row = random.below(row_count);
            if (filled[row] == 0) continue;
            --filled[row];
            ++taken;
        }
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < filled[row]; ++i, cards.pop_back()) {
                board.rows[row].add(cards.back());
                board.cards[row_start[row] + i] = cards.back();
            }
            for (std::size_t i = filled[row]; i < row_size[row]; ++i) slot.push_back(row_start[row] + i);
        }
        left = cards;
        std::sort(left.begin(), left.end());
    }

    static void shuffle(std::vector<Card>& cards, Random& random) {
        for (std::size_t i = cards.size(); i > 1; --i) std::swap(cards[i - 1], cards[random.below(static_cast<std::uint32_t>(i))]);
    }
};

Compared finished(const RulesTable& rules, Random& random) {
    Compared result;
    const std::size_t placed = 2 + random.below(2);
    const Query query(random, placed, dealt);
    FinishedBoards(rules, query.board, query.left.data(), dealt).each(placed, [&](const FinishedPlacement& finished) {
        result.add(finished.rows == board_values(rules, finished.cards.data()));
    });
    return result;
}

Compared slots(const RulesTable& rules, Random& random) {
    Compared result;
    const std::size_t free = 1 + random.below(2);
    const Query query(random, free, 6);
    SlotValues rows(rules, query.board.cards, query.filled, query.slot, query.left);
    for (std::size_t i = 0; i < query.left.size(); ++i) {
        for (std::size_t j = 0; j < query.left.size(); ++j) {
            if (free == 1 ? i != j : i == j) continue;
            std::array<Card, board_size> cards = query.board.cards;
            cards[query.slot[0]] = query.left[i];
            if (free == 2) cards[query.slot[1]] = query.left[j];
            result.add(rows.with(i, j) == board_values(rules, cards.data()));
        }
    }
    return result;
}

// Of three cards for two slots, by weights at random.
Compared draws(const RulesTable& rules, Random& random) {
    const Query query(random, 2, 6);
    const RandomOutcomes learned(random);
    const auto points = [&](Card first, Card second) {
        std::array<Card, board_size> cards = query.board.cards;
        cards[query.slot[0]] = first;
        cards[query.slot[1]] = second;
        return static_cast<double>(dot(learned.weights, outcome_vector(rules, learned.strengths, cards.data()).data()));
    };
    CardSet unseen = 0;
    double sum = 0;
    double count = 0;
    for (std::size_t a = 0; a < query.left.size(); ++a) {
        unseen |= bit(query.left[a]);
        for (std::size_t b = 0; b < a; ++b) {
            for (std::size_t c = 0; c < b; ++c) {
                const std::array<Card, 3> three = {query.left[a], query.left[b], query.left[c]};
                double most = points(three[0], three[1]);
                for (const Card first : three) {
                    for (const Card second : three) most = first == second ? most : std::max(most, points(first, second));
                }
                sum += most;
                ++count;
            }
        }
    }
    Compared result;
    result.add(std::fabs(LastDrawValue(rules, learned.strengths, learned.weights).expect(query.board, unseen, true) - sum / count) < 1e-3);
    return result;
}

inline int run() {
    RulesTable rules{};
    return for_each_line([&](const std::string& word, std::istringstream& words) {
        if (word == "RULES") return read_rules(read_numbers(words), rules);
        if (word != "FINISHED" && word != "SLOTS" && word != "DRAWS") return false;
        Compared all;
        for (std::uint64_t number = 0; number < boards; ++number) {
            Random random(number, 1);
            const Compared boards_checked = word == "SLOTS" ? slots(rules, random) : word == "DRAWS" ? draws(rules, random) : finished(rules, random);
            all.boards += boards_checked.boards;
            all.differ += boards_checked.differ;
        }
        std::cout << all.boards << ' ' << all.differ << '\n';
        return true;
    });
}

}  // namespace joker_boards
