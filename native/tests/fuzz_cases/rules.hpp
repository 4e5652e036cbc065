// Random rules tables within the bounds of rulesets/model.py: combinations that no preset has.
#pragma once

#include <algorithm>

#include "fuzz_cases/fuzz_input.hpp"
#include "triptych/play/deal.hpp"
#include "triptych/score/fantasyland.hpp"
#include "triptych/score/naturals.hpp"

namespace triptych::fuzz_cases {

inline constexpr std::size_t max_points = 1001;

template <typename Points>
void fill_points(FuzzInput& input, Points& points) {
    const std::size_t end = input.once_in(8) ? max_points : 30;
    for (auto& value : points) value = static_cast<std::int32_t>(input.below(end));
    if (!input.once_in(3)) std::sort(points.begin(), points.end());
}

inline std::int32_t fantasyland_cards(FuzzInput& input) { return static_cast<std::int32_t>(13 + input.below(5)); }

inline void random_fantasyland(FuzzInput& input, RulesTable& rules) {
    const auto value = [&] { return static_cast<std::int32_t>(input.below(10) << 20 | input.below(14) << 16 | input.below(14) << 12); };
    const auto least = [&](bool low) {
        if (input.once_in(2)) return 0;
        if (input.once_in(9)) return never_reached;
        return low ? static_cast<std::int32_t>(low_best_possible) - (value() & 0xFFFFF) : value();
    };
    const auto front = [&] { return input.once_in(2) ? 0 : static_cast<std::int32_t>((input.once_in(2) ? 1 : 3) << 20 | input.below(14) << 16); };
    const auto condition = [&](bool same) {
        return FantasylandCondition{front(), least(rules.middle_low != 0), least(false), input.once_in(3) ? static_cast<std::int32_t>(input.below(60)) : 0,
                                    same && input.once_in(2) ? -1 : fantasyland_cards(input)};
    };
    rules.fantasyland_entry_count = static_cast<std::int32_t>(input.below(max_fantasyland_conditions + 1));
    rules.fantasyland_repeat_count = static_cast<std::int32_t>(input.below(max_fantasyland_conditions + 1));
    for (FantasylandCondition& entry : rules.fantasyland_entry) entry = condition(false);
    for (FantasylandCondition& entry : rules.fantasyland_repeat) entry = condition(true);
    rules.fantasyland_repeat_limit = input.once_in(2) ? -1 : static_cast<std::int32_t>(input.below(4));
}

inline void random_naturals(FuzzInput& input, RulesTable& rules) {
    rules.natural_count = static_cast<std::int32_t>(input.below(max_naturals + 1));
    for (std::int32_t i = 0; i < rules.natural_count; ++i) {
        rules.natural_kind[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(input.below(19));
        rules.natural_units[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(input.below(max_points));
    }
    rules.natural_difference = input.once_in(2);
    rules.natural_auto = input.once_in(2);
}

inline RulesTable random_rules(FuzzInput& input) {
    RulesTable rules{};
    rules.strict_order = input.once_in(3);
    rules.wheel_second = input.once_in(3);
    rules.middle_low = input.once_in(3);
    rules.low_any = input.once_in(2);
    rules.suit_ties = input.once_in(3);
    if (rules.suit_ties != 0) rules.suit_height = input.once_in(2) ? std::array<std::int32_t, 4>{0, 3, 2, 1} : std::array<std::int32_t, 4>{1, 0, 2, 3};
    rules.joker_value = static_cast<std::int32_t>(input.below(3));
    rules.joker_off_board = input.once_in(3);
    rules.five_of_a_kind = input.once_in(2);
    rules.foul_points = input.once_in(2) ? -1 : static_cast<std::int32_t>(input.below(max_points));
    rules.foul_pays_royalties = input.once_in(2);
    rules.foul_rows = input.once_in(4);
    rules.foul_still_plays = input.once_in(4);
    rules.scoring = static_cast<std::int32_t>(input.below(7));
    rules.match_more_rows = input.once_in(3);
    rules.scoop_doubles = input.once_in(3);
    rules.home_run_doubles = input.once_in(3);
    fill_points(input, rules.royalty_back);
    fill_points(input, rules.royalty_middle);
    fill_points(input, rules.royalty_front_pair);
    fill_points(input, rules.royalty_front_trips);
    fill_points(input, rules.royalty_low);
    rules.royalty_row_winner = input.once_in(3);
    rules.deuce_of_spades = input.once_in(4);
    rules.one_per_board = input.once_in(4);
    rules.broken_up = input.once_in(3);
    rules.declare_must = input.once_in(5);
    random_naturals(input, rules);
    rules.surrender_points = input.once_in(2) ? 0 : static_cast<std::int32_t>(input.below(max_points));
    random_fantasyland(input, rules);
    return rules;
}

inline Hand random_hand(FuzzInput& input, const Card* cards) {
    Hand hand{};
    hand.kind = input.once_in(3) ? static_cast<HandKind>(input.below(4)) : HandKind::board;
    hand.declared = static_cast<std::uint8_t>(input.below(8));
    hand.fantasyland_cards = input.once_in(3) ? static_cast<std::uint8_t>(fantasyland_cards(input)) : 0;
    hand.fantasyland_in_row = static_cast<std::uint8_t>(input.below(4));
    std::copy_n(cards, board_size, hand.cards.begin());
    return hand;
}

// Streets as a game of rulesets/model.py deals them: Pineapple, classic, Turbo, all at once.
inline DealShape random_shape(FuzzInput& input) {
    DealShape shape;
    const std::size_t game = input.below(4);
    const auto deal = [&](std::uint8_t dealt, std::uint8_t placed) {
        shape.dealt[shape.streets] = dealt;
        shape.placed[shape.streets++] = placed;
    };
    shape.streets = 0;
    if (game == 3) {
        deal(13, 13);
        shape.closed = true;
    } else {
        deal(5, 5);
        const std::size_t left = game == 0 ? 4 : game == 1 ? 8 : 2;
        for (std::size_t i = 0; i < left; ++i) game == 0 ? deal(3, 2) : game == 1 ? deal(1, 1) : deal(4, 4);
    }
    shape.deck = deck_size + static_cast<std::uint32_t>(input.below(3));
    std::size_t cards = 0;
    for (std::size_t i = 0; i < shape.streets; ++i) cards += shape.dealt[i];
    shape.hands = 2 + input.below(std::min<std::size_t>(max_hands, shape.deck / cards) - 1);
    return shape;
}

}  // namespace triptych::fuzz_cases
