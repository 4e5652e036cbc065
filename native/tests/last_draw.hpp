// The assumption of rollouts about last draws: that their luck, over all possible draws, has mean zero.
//
// Reads lines, and prints one for each but the rules: "RULES n…"  the rules table
//   "LUCK slots jokers"  the largest absolute mean luck of a random board's last draws, and the largest luck of one draw
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
#include "triptych/learn/last_draw_value.hpp"

namespace last_draw {

using namespace triptych;
using namespace triptych::learn;

constexpr std::size_t left_over = 12;  // cards, as in a rollout three-handed
constexpr std::uint64_t boards = 40;

void shuffle(std::vector<Card>& cards, Random& random) {
    for (std::size_t i = cards.size(); i > 1; --i) std::swap(cards[i - 1], cards[random.below(static_cast<std::uint32_t>(i))]);
}

std::vector<Card> real_cards() {
    std::vector<Card> cards(deck_size);
    std::iota(cards.begin(), cards.end(), Card{0});
    return cards;
}

struct Lucks {
    double mean = 0;
    double max = 0;
};

// Of every draw: three cards for two slots, or one for one.
Lucks lucks(LastDrawValue& last, const BoardInPlay& board, const std::vector<Card>& left, std::size_t slots) {
    CardSet unseen = 0;
    for (const Card card : left) unseen |= bit(card);
    std::vector<double> result;
    const auto draw = [&](std::array<Card, 3> cards) { result.push_back(last.luck(board, unseen, cards.data())); };
    for (std::size_t a = 0; a < left.size(); ++a) {
        if (slots == 1) draw({left[a], 0, 0});
        for (std::size_t b = 0; slots == 2 && b < a; ++b) {
            for (std::size_t c = 0; c < b; ++c) draw({left[a], left[b], left[c]});
        }
    }
    Lucks all;
    for (const double luck : result) {
        all.mean += luck / static_cast<double>(result.size());
        all.max = std::max(all.max, std::fabs(luck));
    }
    return all;
}

Lucks luck(const RulesTable& rules, std::size_t slots, std::size_t jokers) {
    Lucks worst;
    for (std::uint64_t number = 0; number < boards; ++number) {
        Random random(number, slots);
        const RandomOutcomes learned(random);
        std::vector<Card> cards = real_cards();
        shuffle(cards, random);
        cards.resize(board_size - slots + left_over - jokers);
        for (std::size_t joker = 0; joker < jokers; ++joker) cards.push_back(static_cast<Card>(first_joker + joker));
        shuffle(cards, random);
        std::array<std::size_t, row_count> free{};
        for (std::size_t slot = 0; slot < slots; ++slot) ++free[random.below(row_count)];
        BoardInPlay board;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i + free[row] < row_size[row]; ++i, cards.pop_back()) {
                board.rows[row].add(cards.back());
                board.cards[row_start[row] + i] = cards.back();
            }
        }
        LastDrawValue last(rules, learned.strengths, learned.weights, true);
        const Lucks board_luck = lucks(last, board, cards, slots);
        worst.mean = std::max(worst.mean, std::fabs(board_luck.mean));
        worst.max = std::max(worst.max, board_luck.max);
    }
    return worst;
}

inline int run() {
    RulesTable rules{};
    return for_each_line([&](const std::string& word, std::istringstream& words) {
        if (word == "RULES") return read_rules(read_numbers(words), rules);
        if (word != "LUCK") return false;
        const std::vector<std::int32_t> query = read_numbers(words);
        const Lucks result = luck(rules, static_cast<std::size_t>(query.at(0)), static_cast<std::size_t>(query.at(1)));
        std::cout << result.mean << ' ' << result.max << '\n';
        return true;
    });
}

}  // namespace last_draw
