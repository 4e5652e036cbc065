// What a result of the kernel is: a struct that lists its parts by name once, in `each`. From these lists come Python's named tuples
// (native/bind/results.hpp), the bytes for browsers (native/web/bytes.hpp) and, by scripts/kernel_types.py, the stub of the Python
// module and the readers of the client.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "triptych/score/board.hpp"
#include "triptych/score/cards.hpp"

namespace triptych {

template <typename Type>
concept Result = requires { Type::name[0]; };

namespace detail {

template <typename Call>
struct PartVisitor {
    const Call& call;
    template <typename Value>
    const PartVisitor& operator()(const char* name, const Value& value) const {
        call(name, value);
        return *this;
    }
};

}  // namespace detail

// `call(name, value)` for each part of a result, in order.
template <Result Type, typename Call>
void each_part(const Type& result, const Call& call) {
    result.each(detail::PartVisitor<Call>{call});
}

// A list of any length, unlike an array.
template <typename Type>
concept List = requires(Type& list) { list.clear(); };

// Some cards, fewer than a pack.
struct CardList {
    std::array<Card, deck_size + 2> card{};
    std::uint8_t size = 0;

    CardList() = default;
    explicit CardList(std::span<const Card> cards) : size(static_cast<std::uint8_t>(cards.size())) { std::copy(cards.begin(), cards.end(), card.begin()); }
    // Those of `cards` whose bits are in the mask.
    CardList(std::span<const Card> cards, std::uint32_t mask) {
        for (std::size_t i = 0; i < cards.size(); ++i) {
            if ((mask >> i & 1U) != 0) add(cards[i]);
        }
    }
    void add(Card next) { card[size++] = next; }
};

using RowCards = std::array<CardList, row_count>;

}  // namespace triptych
