// What comes from Python, checked, and arrays that go there: shared by the bindings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "triptych/play/deal.hpp"

namespace triptych::bind {

namespace nb = nanobind;

inline constexpr Card joker_end = deck_size + 2;

inline void need(bool right, const char* what) {
    if (!right) throw nb::value_error(what);
}

// Whether all numbers lie between two bounds; what is no number does not.
template <typename Numbers>
bool all_within(const Numbers& numbers, double least, double most) {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto one) { return least <= static_cast<double>(one) && static_cast<double>(one) <= most; });
}

inline void need_cards(std::span<const Card> cards) {
    need(std::all_of(cards.begin(), cards.end(), [](Card card) { return card < joker_end; }), "a card is an int from 0 to 53");
}

inline std::span<const Card> cards_of(const nb::bytes& bytes, std::size_t most = joker_end) {
    need(bytes.size() <= most, "too many cards");
    const std::span cards(reinterpret_cast<const Card*>(bytes.c_str()), bytes.size());
    need_cards(cards);
    return cards;
}

// Cards, each once among themselves and those in `seen`, to which they are added.
inline std::vector<Card> different_cards(const nb::bytes& bytes, CardSet& seen) {
    const std::span<const Card> cards = cards_of(bytes);
    for (const Card card : cards) {
        need((seen & bit(card)) == 0, "a card is given twice");
        seen |= bit(card);
    }
    return {cards.begin(), cards.end()};
}

inline const Card* thirteen(const nb::bytes& bytes) {
    need(bytes.size() == board_size, "13 cards expected");
    return cards_of(bytes).data();
}

inline CardSet set_of(std::span<const Card> cards) {
    CardSet set = 0;
    for (const Card card : cards) set |= bit(card);
    return set;
}

// How a deal goes street by street; a street has at most `most` cards.
inline DealShape shape_of(const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers, std::size_t most) {
    need(dealt.size() == placed.size() && !dealt.empty() && dealt.size() <= max_streets, "wrong streets");
    need(hands >= 2 && hands <= max_hands, "wrong number of hands");
    need(jokers >= 0 && jokers <= 2, "wrong number of jokers");
    DealShape shape;
    shape.hands = hands;
    shape.deck = static_cast<std::uint32_t>(deck_size + jokers);
    shape.streets = dealt.size();
    int lying = 0;
    for (std::size_t i = 0; i < dealt.size(); ++i) {
        need(placed[i] >= 1 && dealt[i] >= placed[i] && dealt[i] <= static_cast<int>(most), "wrong street");
        shape.dealt[i] = static_cast<std::uint8_t>(dealt[i]);
        shape.placed[i] = static_cast<std::uint8_t>(placed[i]);
        lying += placed[i];
    }
    need(lying == board_size, "the streets do not fill the board");
    return shape;
}

// A numpy array's memory, made here and freed by its last user.
template <typename T>
struct Column {
    T* data;
    nb::capsule owner;

    explicit Column(std::size_t size) : data(new T[size]()), owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); }) {}

    nb::ndarray<nb::numpy, T> array(std::initializer_list<std::size_t> shape) const { return {data, shape, owner}; }
};

}  // namespace triptych::bind
