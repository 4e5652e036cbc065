// How a hand in fantasyland is set while deals are simulated: for the most royalties, and for coming again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/exact/completion.hpp"
#include "triptych/learn/known_hand.hpp"
#include "triptych/learn/self_play.hpp"

namespace triptych::learn {

using FantasylandValues = std::array<float, max_fantasyland_cards + 1>;  // points from each opponent, by cards of the next fantasyland

class FantasylandPolicy {
public:
    explicit FantasylandPolicy(const RulesTable& rules) : rules_(rules) {}

    std::array<Card, board_size> set(const KnownHand& hand, const Card* cards, const FantasylandValues& fantasyland_values) {
        Objective objective;
        objective.rules = &rules_;
        objective.fantasyland_cards = hand.fantasyland_cards;
        objective.fantasyland_in_row = hand.fantasyland_in_row;
        for (std::size_t n = 0; n <= max_fantasyland_cards; ++n) objective.fantasyland_values[n] = static_cast<double>(fantasyland_values[n]);
        const Pool pool = pool_of(cards, hand.fantasyland_cards);
        const Completion& best = completer_.solve(objective, FixedRows{}, pool);
        std::array<Card, board_size> board{};
        std::array<std::size_t, row_count> filled{};
        for (std::size_t i = 0; i < hand.fantasyland_cards; ++i) {
            for (std::size_t row = 0; row < row_count; ++row) {
                if ((best.masks[row] >> i & 1U) != 0) board[row_start[row] + filled[row]++] = pool.cards[i];
            }
        }
        if (!best.legal) std::copy_n(cards, board_size, board.begin());
        return board;
    }

private:
    static Pool pool_of(const Card* cards, std::size_t count) {
        Pool pool;
        for (const bool joker : {false, true}) {
            for (std::size_t i = 0; i < count; ++i) {
                if (is_joker(cards[i]) != joker) continue;
                pool.jokers |= static_cast<std::uint32_t>(joker) << pool.count;
                pool.cards[pool.count++] = cards[i];
            }
        }
        return pool;
    }

    const RulesTable& rules_;
    BoardCompleter completer_;
};

}  // namespace triptych::learn
