// Cases for the closed solver: samples of opponents, hand pools, best responses, whole deals.
#pragma once

#include <algorithm>
#include <cmath>

#include "fuzz_cases/rules.hpp"
#include "triptych/closed/strategy_match.hpp"

namespace triptych::fuzz_cases {

// Opponents as samples of one to three hands; the best of all settings is the first of the ranking.
inline void check_table(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const std::size_t seats = 1 + input.below(max_closed_seats);
    const std::size_t samples = 1 + input.below(input.once_in(4) ? 70 : 3);
    const std::vector<Card> cards = input.deck(input.below(3));
    OpponentHands pool;
    OpponentSamples::Seats places(seats);
    for (std::size_t i = 0; i < samples * seats; ++i) {
        const std::vector<Card> others = input.deck(0);
        places[i % seats].push_back(static_cast<std::uint32_t>(pool.hands.size()));
        pool.hands.push_back(closed_hand(rules, random_hand(input, others.data())));
    }
    pool.sort();
    std::vector<double> stakes;
    for (std::size_t i = 0; i < seats; ++i) stakes.push_back(static_cast<double>(input.below(4)));
    OpponentSamples table;
    table.set(rules, pool, places, stakes);
    static ClosedSolver solver;
    expect(std::isfinite(solver.value(table, cards.data()).points), "a setting without points");
    expect(std::isfinite(solver.value_without_board(table, table.surrender())), "a surrender without points");
    expect(std::isfinite(solver.value_without_board(table, table.natural(best_natural(rules, cards.data())))), "a natural without points");
    const bool pruned = ClosedSettings::prunes(rules, std::any_of(cards.begin(), cards.begin() + board_size, is_joker));
    if (!input.once_in(pruned ? 2 : 16)) return;  // all 72,072 settings take long
    const ClosedValue best = solver.best(table, cards.data());
    const auto board = board_of(best.setting, cards.data());
    const ClosedValue again = solver.value(table, board.data());
    expect(std::fabs(again.points - best.points) < 1e-6, "the best setting is worth something else");
    if (!input.once_in(8)) return;
    std::vector<ClosedValue> values;
    solver.rank(table, cards.data(), values);
    expect(values.size() == closed_settings, "not all settings are ranked");
    expect(std::fabs(values.front().points - best.points) < 1e-6, "another setting is better");
}

inline std::vector<Hand> random_hands(FuzzInput& input, std::size_t count) {
    std::vector<Hand> hands;
    for (std::size_t i = 0; i < count; ++i) hands.push_back(random_hand(input, input.deck(input.below(3)).data()));
    return hands;
}

inline void check_field(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const HandPool hand_pool(rules, random_hands(input, 1 + input.below(6)));
    if (hand_pool.pool().hands.empty()) return;
    const std::vector<Card> cards = input.deck(input.below(3));
    CardSet own = 0;
    CardSet known = 0;
    for (std::size_t i = 0; i < board_size; ++i) own |= bit(cards[i]);
    for (std::size_t i = board_size; i < board_size + input.below(20); ++i) known |= bit(cards[i]);
    std::vector<SeatState> states;
    for (std::size_t i = 0; i < 1 + input.below(max_closed_seats); ++i) states.push_back(static_cast<SeatState>(input.below(3)));
    BestResponse strategy(hand_pool);
    strategy.set_opponents(own, known, states);
    expect(std::isfinite(strategy.solver().value(strategy.table(), cards.data()).points), "a setting without points");
    const bool pruned = ClosedSettings::prunes(rules, std::any_of(cards.begin(), cards.end(), is_joker));
    if (!input.once_in(pruned ? 2 : 32)) return;  // all 72,072 settings take long
    const ClosedValue& best = strategy.solver().best(strategy.table(), cards.data());
    expect(std::isfinite(best.points), "a best setting without points");
    const std::size_t players = 2 + input.below(3);
    const std::size_t hands = players == 2 && input.once_in(2) ? 4 : players;
    const HandPool rival(rules, random_hands(input, 1 + input.below(3)));
    if (rival.pool().hands.empty()) return;
    StrategyMatch payoffs(hand_pool, rival, {players, hands});
    expect(std::isfinite(payoffs.gain(cards.data(), input.below(players))), "a deal without points");
}

}  // namespace triptych::fuzz_cases
