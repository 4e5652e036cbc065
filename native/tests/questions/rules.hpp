// Random rules tables within the bounds of rulesets/model.py: combinations that no preset has.
#pragma once

#include <algorithm>

#include "questions/chance.hpp"
#include "triptych/play/deal.hpp"
#include "triptych/score/fantasyland.hpp"
#include "triptych/score/naturals.hpp"

namespace triptych::questions {

inline constexpr std::size_t most_points = 1001;

template <typename Points>
void fill_points(Chance& chance, Points& points) {
    const std::size_t end = chance.once_in(8) ? most_points : 30;
    for (auto& value : points) value = static_cast<std::int32_t>(chance.below(end));
    if (!chance.once_in(3)) std::sort(points.begin(), points.end());
}

inline std::int32_t land_cards(Chance& chance) { return static_cast<std::int32_t>(13 + chance.below(5)); }

inline void random_fantasyland(Chance& chance, RulesTable& rules) {
    const auto value = [&] { return static_cast<std::int32_t>(chance.below(10) << 20 | chance.below(14) << 16 | chance.below(14) << 12); };
    const auto least = [&](bool low) {
        if (chance.once_in(2)) return 0;
        if (chance.once_in(9)) return never_reached;
        return low ? static_cast<std::int32_t>(low_best_possible) - (value() & 0xFFFFF) : value();
    };
    const auto front = [&] { return chance.once_in(2) ? 0 : static_cast<std::int32_t>((chance.once_in(2) ? 1 : 3) << 20 | chance.below(14) << 16); };
    const auto condition = [&](bool same) {
        return LandCondition{front(), least(rules.middle_low != 0), least(false),
                             chance.once_in(3) ? static_cast<std::int32_t>(chance.below(60)) : 0,
                             same && chance.once_in(2) ? -1 : land_cards(chance)};
    };
    rules.land_entry_count = static_cast<std::int32_t>(chance.below(max_land_conditions + 1));
    rules.land_repeat_count = static_cast<std::int32_t>(chance.below(max_land_conditions + 1));
    for (LandCondition& asked : rules.land_entry) asked = condition(false);
    for (LandCondition& asked : rules.land_repeat) asked = condition(true);
    rules.land_repeat_limit = chance.once_in(2) ? -1 : static_cast<std::int32_t>(chance.below(4));
}

inline void random_naturals(Chance& chance, RulesTable& rules) {
    rules.natural_count = static_cast<std::int32_t>(chance.below(max_naturals + 1));
    for (std::int32_t i = 0; i < rules.natural_count; ++i) {
        rules.natural_kind[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(chance.below(19));
        rules.natural_units[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(chance.below(most_points));
    }
    rules.natural_difference = chance.once_in(2);
    rules.natural_auto = chance.once_in(2);
}

inline RulesTable random_rules(Chance& chance) {
    RulesTable rules{};
    rules.strict_order = chance.once_in(3);
    rules.wheel_second = chance.once_in(3);
    rules.middle_low = chance.once_in(3);
    rules.low_any = chance.once_in(2);
    rules.suit_ties = chance.once_in(3);
    if (rules.suit_ties != 0) rules.suit_height = chance.once_in(2) ? std::array<std::int32_t, 4>{0, 3, 2, 1} : std::array<std::int32_t, 4>{1, 0, 2, 3};
    rules.joker_value = static_cast<std::int32_t>(chance.below(3));
    rules.joker_off_board = chance.once_in(3);
    rules.five_of_a_kind = chance.once_in(2);
    rules.foul_points = chance.once_in(2) ? -1 : static_cast<std::int32_t>(chance.below(most_points));
    rules.foul_pays_royalties = chance.once_in(2);
    rules.foul_rows = chance.once_in(4);
    rules.foul_still_plays = chance.once_in(4);
    rules.scoring = static_cast<std::int32_t>(chance.below(7));
    rules.match_more_rows = chance.once_in(3);
    rules.scoop_doubles = chance.once_in(3);
    rules.home_run_doubles = chance.once_in(3);
    fill_points(chance, rules.royalty_back);
    fill_points(chance, rules.royalty_middle);
    fill_points(chance, rules.royalty_front_pair);
    fill_points(chance, rules.royalty_front_trips);
    fill_points(chance, rules.royalty_low);
    rules.royalty_row_winner = chance.once_in(3);
    rules.deuce_of_spades = chance.once_in(4);
    rules.one_per_board = chance.once_in(4);
    rules.broken_up = chance.once_in(3);
    rules.declare_must = chance.once_in(5);
    random_naturals(chance, rules);
    rules.surrender_points = chance.once_in(2) ? 0 : static_cast<std::int32_t>(chance.below(most_points));
    random_fantasyland(chance, rules);
    return rules;
}

inline Hand random_hand(Chance& chance, const Card* cards) {
    Hand hand{};
    hand.kind = chance.once_in(3) ? static_cast<HandKind>(chance.below(4)) : HandKind::board;
    hand.declared = static_cast<std::uint8_t>(chance.below(8));
    hand.land_cards = chance.once_in(3) ? static_cast<std::uint8_t>(land_cards(chance)) : 0;
    hand.land_in_row = static_cast<std::uint8_t>(chance.below(4));
    std::copy_n(cards, board_size, hand.cards.begin());
    return hand;
}

// Streets as a game of rulesets/model.py deals them: Pineapple, classic, Turbo, all at once.
inline DealShape random_shape(Chance& chance) {
    DealShape shape;
    const std::size_t game = chance.below(4);
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
    shape.deck = deck_size + static_cast<std::uint32_t>(chance.below(3));
    std::size_t cards = 0;
    for (std::size_t i = 0; i < shape.streets; ++i) cards += shape.dealt[i];
    shape.hands = 2 + chance.below(std::min<std::size_t>(max_hands, shape.deck / cards) - 1);
    return shape;
}

}  // namespace triptych::questions
