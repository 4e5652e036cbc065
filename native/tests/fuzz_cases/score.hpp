// Cases for the scorer: rows, boards in progress, whole deals.
#pragma once

#include <algorithm>

#include "fuzz_cases/rules.hpp"
#include "triptych/score/partial.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych::fuzz_cases {

inline void check_rank(FuzzInput& input) {
    std::vector<Card> cards = input.deck(0);
    const Rank five = rank5(cards.data());
    const Rank three = rank3(cards.data() + 5);
    std::reverse(cards.begin(), cards.begin() + 5);
    std::reverse(cards.begin() + 5, cards.begin() + 8);
    expect(rank5(cards.data()) == five && rank3(cards.data() + 5) == three, "a row depends on the order of its cards");
    expect(category(five) <= straight_flush && category(three) <= trips, "an unknown category");
    expect(from_low_order(low_order(five)) <= low_best_possible, "a low order out of bounds");
}

// What a row can become holds what it becomes, and a board that can be legal is not condemned.
inline void check_bounds(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const auto jokers = input.below(3);
    const std::vector<Card> cards = input.deck(jokers);
    std::array<Card, board_size> board{};
    std::copy_n(cards.begin(), board_size, board.begin());
    std::array<std::size_t, row_count> known{};
    CardSet own = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        known[row] = input.below(row_size[row] + 1);
        for (std::size_t i = 0; i < known[row]; ++i) own |= bit(board[row_start[row] + i]);
    }
    std::array<RowBounds, row_count> bounds{};
    for (std::size_t row = 0; row < row_count; ++row) {
        bounds[row] = row_bounds(rules, static_cast<Row>(row), board.data() + row_start[row], known[row], cards_to_come(own, jokers > 0));
    }
    const unsigned condemned = certainly_fouled_rows(rules, bounds);
    const RowValues values = board_values(rules, board.data());
    for (std::size_t row = 0; row < row_count; ++row) {
        expect(bounds[row].least <= values[row] && values[row] <= bounds[row].most, "a row outside its bounds");
    }
    expect(!is_legal(rules, values) || condemned == 0, "a board is condemned that became legal");
}

// A deal scored from the other end of the table pays the same with the signs changed.
inline void check_deal(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const std::vector<Card> cards = input.deck(input.below(3));
    const std::size_t count = 2 + input.below(3);
    std::array<Hand, max_hands> hands{};
    for (std::size_t i = 0; i < count; ++i) {
        hands[i] = random_hand(input, cards.data() + i * board_size);
        hands[i].owner = static_cast<std::uint8_t>(input.once_in(8) ? 0 : i);
    }
    DealScore score;
    score_deal(rules, hands.data(), count, score);
    std::array<Hand, max_hands> turned{};
    std::reverse_copy(hands.begin(), hands.begin() + static_cast<std::ptrdiff_t>(count), turned.begin());
    DealScore mirror;
    score_deal(rules, turned.data(), count, mirror);
    const auto place = [&](std::size_t a, std::size_t b) { return a * (2 * count - a - 1) / 2 + b - a - 1; };
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            const int turned_back = mirror.pairs[place(count - 1 - b, count - 1 - a)].total();
            expect(score.pairs[place(a, b)].total() == -turned_back, "a pair is not the mirror image of itself");
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const HandScore& hand_score = score.hands[i];
        expect(hand_score.rows == mirror.hands[count - 1 - i].rows, "a board depends on its seat");
        expect(hand_score.next_fantasyland == 0 || hand_score.offending == 0, "a foul brings fantasyland");
    }
}

}  // namespace triptych::fuzz_cases
