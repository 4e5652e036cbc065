// Cases for the batch environment: random games of any shape, with checks of every observation and reward.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "fuzz_cases/rules.hpp"
#include "triptych/play/batch.hpp"

namespace triptych::fuzz_cases {

inline GameShape random_game(FuzzInput& input, const RulesTable& rules) {
    GameShape shape;
    shape.deal = random_shape(input);
    shape.deal.can_surrender = shape.deal.closed && rules.surrender_points > 0;
    shape.players = shape.deal.hands == 4 && input.once_in(3) ? 2 : shape.deal.hands;
    shape.chain = input.once_in(2);
    shape.button_moves = input.once_in(2);
    shape.chain = shape.chain && deck_suffices(rules, shape);
    return shape;
}

inline void check_batch(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const GameShape shape = random_game(input, rules);
    const std::size_t games = 1 + input.below(3);
    Batch batch(rules, shape, games, input.seed());
    std::array<std::int32_t, max_hands> reward{};
    std::array<std::uint8_t, observation_size> seen{};
    const std::size_t steps = 40 + input.below(200);
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < games; ++i) {
            expect(batch.player(i) < shape.players, "an unknown player is to act");
            batch.observe(i, seen.data());
            unsigned legal = batch.legal(i);
            expect(legal != 0 && legal < 1U << sim_actions, "nothing can be done");
            for (std::size_t skip = input.below(static_cast<std::size_t>(std::popcount(legal))); skip > 0; --skip) legal &= legal - 1;
            batch.step(i, static_cast<unsigned>(std::countr_zero(legal)), reward.data());
            const bool table = static_cast<RowScoring>(rules.scoring) == RowScoring::first_to_11;
            const auto end = reward.begin() + static_cast<std::ptrdiff_t>(shape.players);
            expect(table || std::accumulate(reward.begin(), end, 0) == 0, "points come from nowhere");
        }
    }
    batch.play_random(50);
}

// A game whose owner gives the cards, from a deal that may itself be a fantasyland.
inline void check_game(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const GameShape shape = random_game(input, rules);
    HandBytes fantasylands{};
    HandBytes in_row{};
    std::size_t needed = 0;
    for (std::size_t h = 0; h < shape.deal.hands && !shape.deal.closed; ++h) {
        fantasylands[h] = input.once_in(3) ? static_cast<std::uint8_t>(fantasyland_cards(input)) : 0;
        in_row[h] = fantasylands[h] > 0;
        needed += 17;
    }
    if (needed > shape.deal.deck) fantasylands = in_row = {};
    Game game;
    game.open(shape, fantasylands, in_row);
    std::vector<Card> deck = input.deck(shape.deal.deck - deck_size);
    std::size_t next = 0;
    std::uint32_t deals = game.deals();
    std::array<std::int32_t, max_hands> points{};
    std::array<std::uint8_t, observation_size> seen{};
    for (std::size_t step = 0; step < 400 && !game.over(); ++step) {
        if (game.deals() != deals) {
            deals = game.deals();
            next = 0;
        }
        if (game.wanted() > 0) {
            if (next + game.wanted() > deck.size()) return;
            const Card* cards = deck.data() + next;
            next += game.wanted();
            game.give(cards, shape.deal.closed && rules.natural_count > 0 && best_natural(rules, cards).entry >= 0);
        }
        for (std::size_t h = 0; h < shape.deal.hands; ++h) game.observe(shape, h, seen.data());
        unsigned legal = game.legal();
        expect(legal != 0, "nothing can be done");
        for (std::size_t skip = input.below(static_cast<std::size_t>(std::popcount(legal))); skip > 0; --skip) legal &= legal - 1;
        points = {};
        game.step(rules, shape, static_cast<unsigned>(std::countr_zero(legal)), points.data());
    }
}

}  // namespace triptych::fuzz_cases
