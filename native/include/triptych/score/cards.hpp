// Cards as small integers: rank * 4 + suit, rank 0..12 for 2..A, suit 0..3 for c d h s; jokers 52 and 53.
#pragma once

#include <cstdint>
#include <span>

namespace triptych {

using Card = std::uint8_t;

inline constexpr int ranks = 13;
inline constexpr int suits = 4;
inline constexpr int deck_size = 52;
inline constexpr int board_size = 13;
inline constexpr Card first_joker = 52;
inline constexpr Card joker_end = deck_size + 2;
inline constexpr Card deuce_of_spades = 3;

constexpr int rank_of(Card card) { return card >> 2; }
constexpr int suit_of(Card card) { return card & 3; }
constexpr bool is_joker(Card card) { return card >= first_joker; }

// A set of cards, one bit a card; jokers have bits 52 and 53.
using CardSet = std::uint64_t;

constexpr CardSet bit(Card card) { return CardSet{1} << card; }

constexpr CardSet set_of(std::span<const Card> cards) {
    CardSet set = 0;
    for (const Card card : cards) set |= bit(card);
    return set;
}

// The four suits of a rank inside a card set, as a nibble.
constexpr unsigned suits_of_rank(CardSet set, int rank) { return static_cast<unsigned>(set >> (rank * 4)) & 15U; }

}  // namespace triptych
