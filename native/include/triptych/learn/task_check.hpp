// Checks of tasks that come from outside, for Python and the browser. The searches themselves check
// nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

// What is wrong with a hand by itself; null where nothing is. A board that lies there holds whole streets; one in fantasyland nothing or all.
inline const char* hand_fault(const KnownHand& hand, const DealShape& shape) {
    if (hand.streets_done > shape.streets) return "there are not so many streets";
    const std::size_t cards = placed_count(hand.board);
    if (hand.fantasyland_cards == 0) return cards == placed_after(shape, hand.streets_done) ? nullptr : "a hand is not between two streets";
    if (hand.fantasyland_cards < board_size || hand.fantasyland_cards > max_fantasyland_cards) return "a fantasyland has 13 to 17 cards";
    return cards == 0 || hand.board.complete() ? nullptr : "an impossible fantasyland";
}

// What is wrong with a decision whose hand is given `cards`; null where nothing is.
inline const char* task_fault(const SearchTask& task, std::span<const Card> cards, const DealShape& shape) {
    if (task.count < 1 || task.count > max_hands || task.me >= task.count) return "there is no such hand";
    if (task.street >= shape.streets) return "there is no such street";
    const KnownHand& mine = task.hands[task.me];
    const bool fantasyland = mine.fantasyland_cards > 0;
    if (!fantasyland && task.count < 2) return "only a fantasyland is set alone";
    const CardSet pack = (CardSet{1} << shape.deck) - 1;
    CardSet seen = 0;
    std::size_t count = 0;
    std::size_t needed = 0;
    for (std::size_t h = 0; h < task.count; ++h) {
        const KnownHand& hand = task.hands[h];
        const bool me = h == task.me;
        if (const char* fault = hand_fault(hand, shape)) return fault;
        // Hands act in turn, street by street: the others are on the street of the acting hand, or have just placed it. A hand in
        // fantasyland can be analysed at any time; then `street` is one that all others have reached.
        const bool in_turn = fantasyland ? hand.streets_done >= task.street : hand.streets_done == task.street || (!me && hand.streets_done == task.street + 1);
        if (hand.fantasyland_cards == 0 && !in_turn) return "a hand is streets before or behind the one that acts";
        if (me && fantasyland && placed_count(hand.board) > 0) return "an impossible fantasyland";
        seen |= placed_cards(hand.board);
        count += placed_count(hand.board);
        if (!me) needed += still_dealt(shape, hand, hand.streets_done);
        else if (!fantasyland) needed += still_dealt(shape, hand, task.street + 1);
    }
    if (cards.size() != (fantasyland ? mine.fantasyland_cards : shape.dealt[task.street])) return "wrong cards for the street";
    for (const Card card : cards) seen |= bit(card);
    count += cards.size();
    if (static_cast<std::size_t>(std::popcount(seen)) != count) return "a card is given twice";
    if ((seen & ~pack) != 0 || (task.unseen & ~pack) != 0 || (task.unseen & seen) != 0) return "a card is not in the pack, or seen and unseen";
    if (needed > static_cast<std::size_t>(std::popcount(task.unseen))) return "too few unseen cards";
    if (!std::all_of(task.fantasyland_values.begin(), task.fantasyland_values.end(), [](float value) { return std::isfinite(value); }))
        return "a fantasyland's value is not a number";
    return nullptr;
}

// Whether a setting takes each card once, and as many of `cards` as each row holds.
inline bool setting_is_right(const RowMasks& masks, std::size_t cards) {
    std::uint32_t used = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        if (masks[row] >> cards != 0 || (used & masks[row]) != 0 || std::popcount(masks[row]) != static_cast<int>(row_size[row])) return false;
        used |= masks[row];
    }
    return true;
}

}  // namespace triptych::learn
