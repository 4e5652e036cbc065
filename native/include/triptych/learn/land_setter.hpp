// How a hand in fantasyland is set while deals are simulated: for the most royalties, and for coming again.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "triptych/exact/completion.hpp"
#include "triptych/learn/search_hand.hpp"
#include "triptych/learn/selfplay.hpp"

namespace triptych::learn {

using LandValues = std::array<float, most_land_cards + 1>;  // points from each opponent, by cards of the next fantasyland

class LandSetter {
public:
    explicit LandSetter(const RulesTable& rules) : rules_(rules) {}

    std::array<Card, board_size> set(const SearchHand& hand, const Card* cards, const LandValues& land_value) {
        Goal goal;
        goal.rules = &rules_;
        goal.land_cards = hand.land_cards;
        goal.land_in_row = hand.land_in_row;
        for (std::size_t n = 0; n <= most_land_cards; ++n) goal.land_value[n] = static_cast<double>(land_value[n]);
        const Pool pool = pool_of(cards, hand.land_cards);
        const Completion& best = completer_.solve(goal, FixedRows{}, pool);
        std::array<Card, board_size> board{};
        std::array<std::size_t, row_count> filled{};
        for (std::size_t i = 0; i < hand.land_cards; ++i) {
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
    Completer completer_;
};

}  // namespace triptych::learn
