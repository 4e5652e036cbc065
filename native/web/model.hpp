// Rules with what was learned for them, as analyses and solo games share it, and how a game's streets are read.
#pragma once

#include <array>
#include <cstdint>

#include "bytes.hpp"
#include "triptych/learn/search.hpp"

namespace triptych::web {

inline constexpr std::uint32_t most_rollouts = 1'000'000;

// Rules with the learned table that analyses by them.
struct Model {
    RulesTable rules;
    DealShape shape;
    learn::Strengths strengths{};
    std::array<float, most_land_cards + 1> land_value{};
    std::array<float, max_streets> temperature{};
    learn::FirstAnswers first_answers;
    learn::ValueTables value;

    Card cards() const { return static_cast<Card>(shape.deck); }
};

inline DealShape read_shape(Reader& in) {
    DealShape shape;
    shape.hands = in.within(2, max_hands, "two to four hands expected");
    shape.deck = deck_size + in.within(0, 2, "at most two jokers");
    shape.streets = in.within(1, max_streets, "one to nine streets expected");
    std::size_t dealt = 0;
    std::size_t placed = 0;
    for (std::size_t i = 0; i < shape.streets; ++i) {
        shape.dealt[i] = static_cast<std::uint8_t>(in.within(1, learn::max_street_cards, "a street has one to five cards"));
        shape.placed[i] = static_cast<std::uint8_t>(in.within(1, shape.dealt[i], "a street places some of its cards"));
        dealt += shape.dealt[i];
        placed += shape.placed[i];
    }
    in.need(placed == board_size && dealt * shape.hands <= shape.deck, "the streets do not fill the boards");
    return shape;
}

}  // namespace triptych::web
