// Checked arguments from Python, and arrays that go there: shared by the bindings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "triptych/play/deal.hpp"

namespace triptych::bind {

namespace nb = nanobind;

inline void require(bool condition, const char* reason) {
    if (!condition) throw nb::value_error(reason);
}

// For what is wrong with something; null where nothing is.
inline void require_right(const char* fault) { require(fault == nullptr, fault); }

// Whether all numbers lie between two bounds; NaN does not.
template <typename Numbers>
bool all_within(const Numbers& numbers, double min, double max) {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto number) { return min <= static_cast<double>(number) && static_cast<double>(number) <= max; });
}

inline void require_cards(std::span<const Card> cards) {
    require(std::all_of(cards.begin(), cards.end(), [](Card card) { return card < joker_end; }), "a card is an int from 0 to 53");
}

inline std::span<const std::uint8_t> span_of(const nb::bytes& bytes) { return {static_cast<const std::uint8_t*>(bytes.data()), bytes.size()}; }
inline nb::bytes bytes_of(const std::vector<std::uint8_t>& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

inline std::span<const Card> cards_of(const nb::bytes& bytes, std::size_t max = joker_end) {
    require(bytes.size() <= max, "too many cards");
    require_cards(span_of(bytes));
    return span_of(bytes);
}

// Cards, each once among themselves and those in `seen`, to which they are added.
inline std::span<const Card> different_cards(std::span<const Card> cards, CardSet& seen) {
    require_cards(cards);
    for (const Card card : cards) {
        require((seen & bit(card)) == 0, "a card is given twice");
        seen |= bit(card);
    }
    return cards;
}
inline std::span<const Card> different_cards(const nb::bytes& bytes, CardSet& seen) { return different_cards(cards_of(bytes), seen); }

inline const Card* board_cards(const nb::bytes& bytes) {
    require(bytes.size() == board_size, "13 cards expected");
    return cards_of(bytes).data();
}

template <std::size_t size, typename Number>
std::array<Number, size> array_of(const std::vector<Number>& numbers) {
    std::array<Number, size> array{};
    std::copy(numbers.begin(), numbers.end(), array.begin());
    return array;
}

// How a deal goes street by street; a street has at most `max_cards`.
inline DealShape shape_of(const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers, std::size_t max_cards) {
    require(dealt.size() == placed.size() && !dealt.empty() && dealt.size() <= max_streets, "wrong streets");
    require(hands >= 2 && hands <= max_hands, "wrong number of hands");
    require(jokers >= 0 && jokers <= 2, "wrong number of jokers");
    DealShape shape;
    shape.hands = hands;
    shape.deck = static_cast<std::uint32_t>(deck_size + jokers);
    shape.streets = dealt.size();
    for (std::size_t i = 0; i < dealt.size(); ++i) {
        require(placed[i] >= 1 && dealt[i] >= placed[i] && dealt[i] <= static_cast<int>(max_cards), "wrong street");
        shape.dealt[i] = static_cast<std::uint8_t>(dealt[i]);
        shape.placed[i] = static_cast<std::uint8_t>(placed[i]);
    }
    require(shape.placed_cards() == board_size, "the streets do not fill the board");
    return shape;
}

// A numpy array's memory, to be filled here and freed by its last user.
template <typename T>
struct Column {
    T* data;
    nb::capsule owner;

    explicit Column(std::size_t size) : data(new T[size]), owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); }) {}

    nb::ndarray<nb::numpy, T> array(std::initializer_list<std::size_t> shape) const { return {data, shape, owner}; }
};

}  // namespace triptych::bind
