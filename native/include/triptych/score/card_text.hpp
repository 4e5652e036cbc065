// Cards as text: a rank and a suit ("Th"), X1 and X2 for jokers.
#pragma once

#include <array>
#include <cstddef>

#include "triptych/score/cards.hpp"

namespace triptych {

inline constexpr Card unknown_card = 64;  // "??"
inline constexpr Card no_card = 65;       // no text of a card

namespace detail {

inline constexpr auto cards_by_text = [] {
    std::array<std::array<Card, 128>, 128> cards{};
    for (auto& row : cards) row.fill(no_card);
    for (std::size_t card = 0; card < deck_size; ++card) {
        cards[static_cast<std::size_t>("23456789TJQKA"[card / suits])][static_cast<std::size_t>("cdhs"[card % suits])] = static_cast<Card>(card);
    }
    cards['X']['1'] = first_joker;
    cards['X']['2'] = first_joker + 1;
    cards['?']['?'] = unknown_card;
    return cards;
}();

}  // namespace detail

// The card of two ASCII letters.
inline Card card_of_text(char rank, char suit) { return detail::cards_by_text[static_cast<std::size_t>(rank)][static_cast<std::size_t>(suit)]; }

}  // namespace triptych
