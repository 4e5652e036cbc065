// Cases for the solvers: finished boards, last streets, samples, outs; any rules, jokers, opponents, half-filled boards.
#pragma once

#include <algorithm>

#include "fuzz_cases/rules.hpp"
#include "triptych/exact/fantasyland_solver.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/street_solver.hpp"

namespace triptych::fuzz_cases {

inline Pool pool_of(const std::vector<Card>& cards, std::size_t from, std::size_t count) {
    Pool pool;
    for (; pool.count < count; ++pool.count) {
        pool.cards[pool.count] = cards[from + pool.count];
        if (is_joker(pool.cards[pool.count])) pool.jokers |= 1U << pool.count;
    }
    return pool;
}

inline FixedRows random_rows(FuzzInput& input, const std::vector<Card>& cards, std::size_t count) {
    FixedRows rows{};
    for (std::size_t i = 0; i < count;) {
        const std::size_t row = input.below(row_count);
        if (rows[row].count < row_size[row]) rows[row].cards[rows[row].count++] = cards[i++];
    }
    return rows;
}

inline Opponent random_opponent(const RulesTable& rules, const Card* board) {
    Opponent other;
    other.rows = board_values(rules, board);
    other.fouled = !is_legal(rules, other.rows);
    other.royalties = row_royalties(rules, other.rows);
    other.deuce = deuce_row(board);
    if (shows_natural(rules, board)) other.natural = best_natural(rules, board);
    return other;
}

inline TableStakes random_stakes(FuzzInput& input, std::size_t seats) {
    TableStakes stakes;
    for (std::size_t seat = 0; seat < seats; ++seat) stakes.stacks[seat] = 0.5 * static_cast<double>(input.below(60));
    for (std::size_t a = 0; a < seats; ++a) {
        for (std::size_t b = a + 1; b < seats; ++b) {
            const double amount = static_cast<double>(input.below(40)) - 20;
            stakes.dues[stakes.due_count++] = input.once_in(2) ? TableStakes::Due{a, b, amount} : TableStakes::Due{b, a, amount};
        }
    }
    stakes.cap = static_cast<TableStakes::Cap>(input.below(3));
    stakes.bust_stops = input.once_in(2);
    return stakes;
}

// `stakes` is where the goal's stacks lie, if it has any.
inline Objective random_objective(FuzzInput& input, const RulesTable& rules, const std::vector<Card>& cards, std::size_t from, TableStakes& stakes) {
    Objective objective;
    objective.rules = &rules;
    objective.unknown = static_cast<int>(input.below(3));
    objective.fantasyland_cards = input.once_in(2) ? 14 : 0;
    objective.fantasyland_in_row = static_cast<int>(input.below(3));
    objective.fantasyland_values.fill(11.5);
    objective.has_worth = input.once_in(2);
    for (std::size_t i = 0; i < objective.back_worth.size(); ++i) objective.back_worth[i] = objective.middle_worth[i] = 0.25 * i;
    while (objective.opponent_count < input.below(4) && from + board_size <= cards.size()) {
        objective.opponents[objective.opponent_count++] = random_opponent(rules, cards.data() + from);
        from += board_size;
    }
    if (objective.opponent_count > 0 && input.once_in(3)) {
        stakes = random_stakes(input, objective.opponent_count + 1);
        objective.stakes = &stakes;
    }
    return objective;
}

inline void check_completion(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const std::vector<Card> cards = input.deck(input.below(3));
    const std::size_t placed = input.below(board_size + 1);
    const bool jokers = cards.size() > deck_size;
    const std::size_t spare = input.below(jokers && rules.joker_value != 0 ? 2 : 5);
    const Pool pool = pool_of(cards, placed, board_size - placed + spare);
    const FixedRows rows = random_rows(input, cards, placed);
    TableStakes stakes;
    const Objective objective = random_objective(input, rules, cards, placed + pool.count, stakes);
    static BoardCompleter completer;
    const Completion& result = completer.solve(objective, rows, pool);
    if (!result.legal) return;
    std::array<Card, board_size> board;
    for (std::size_t row = 0; row < row_count; ++row) {
        expect(row_cards(pool, rows[row], result.masks[row], board.data() + row_start[row]) == row_size[row], "a row is not full");
    }
    expect((result.masks[0] & result.masks[1]) == 0 && ((result.masks[0] | result.masks[1]) & result.masks[2]) == 0, "a card lies twice");
    const RowValues values = board_values(rules, board.data());
    expect(values == result.rows && is_legal(rules, values), "rows are not what the scorer says");
    const bool natural = objective.counts_naturals() && shows_natural(rules, board.data());
    const HeldNatural held = natural ? best_natural(rules, board.data()) : HeldNatural{};
    expect(objective.value(values, deuce_row(board.data()), held) == result.value, "the value is not the board's");
    objective.foul_value();
}

// A fantasyland against samples of unknown boards: the result is a setting of the value that it states.
inline void check_fantasyland_against_samples(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    if (!FantasylandSolver::solves(rules)) return;
    const std::vector<Card> cards = input.deck(input.below(3));
    const Pool pool = pool_of(cards, 0, board_size + input.below(3));
    TableStakes none;
    Objective objective = random_objective(input, rules, cards, cards.size(), none);
    objective.unknown = 0;
    objective.has_worth = false;
    objective.opponent_count = 1 + input.below(2);
    std::vector<WeightedOpponents> samples(1 + input.below(4));
    for (WeightedOpponents& sample : samples) {
        const std::vector<Card> others = input.deck(0);
        for (std::size_t i = 0; i < objective.opponent_count; ++i) { sample.boards[i] = random_opponent(rules, others.data() + i * board_size); }
        sample.weight = static_cast<double>(1 + input.below(3));
    }
    static FantasylandSolver field;
    const FantasylandSolution result = field.best(objective, samples, pool);
    static BoardCompleter completer;
    expect(completer.solve(objective, FixedRows{}, pool).legal == result.legal, "samples decide whether cards can be set");
    if (!result.legal) return;
    std::array<Card, board_size> board;
    for (std::size_t row = 0; row < row_count; ++row) {
        expect(row_cards(pool, FixedRow{}, result.masks[row], board.data() + row_start[row]) == row_size[row], "a row is not full");
    }
    const RowValues values = board_values(rules, board.data());
    expect(values == result.rows && is_legal(rules, values), "rows are not what the scorer says");
}

inline void check_street(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const std::vector<Card> cards = input.deck(input.below(3));
    const std::size_t slots = input.below(3);
    const std::size_t dealt = 2 + input.below(2);
    StreetQuery task;
    task.place = 2;
    const std::size_t placed = board_size - slots - task.place;
    task.rows = random_rows(input, cards, placed);
    const auto at = [&](std::size_t index) { return cards.begin() + static_cast<std::ptrdiff_t>(index); };
    task.cards.assign(at(placed), at(placed + 3));
    task.unseen.assign(at(placed + 3), at(placed + 3 + dealt + input.below(10)));
    task.foul = -8;
    TableStakes stakes;
    const Objective objective = random_objective(input, rules, cards, 39, stakes);
    static StreetSolver search;
    for (const PlacementValue& value : search.run_exact(objective, task, dealt, input.once_in(2))) {
        expect(value.samples == 1 && value.fouls >= -1e-9 && value.fouls <= 1 + 1e-9, "an impossible chance");
    }
    task.later = std::min<std::size_t>(slots + input.below(3), task.unseen.size());
    search.run(objective, task, 30, input.seed());
}

inline void check_outs(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    const std::vector<Card> cards = input.deck(input.below(3));
    const std::size_t placed = board_size - 1 - input.below(5);
    const FixedRows rows = random_rows(input, cards, placed);
    const std::size_t come = board_size - placed + input.below(4);
    const bool sampled = input.once_in(4);
    const std::size_t alive = sampled ? cards.size() - placed : come + input.below(4);
    const std::vector<Card> unseen(cards.begin() + static_cast<std::ptrdiff_t>(placed), cards.begin() + static_cast<std::ptrdiff_t>(placed + alive));
    static OutsCounter counter;
    const OutsCount result = counter.count(rules, rows, unseen, sampled ? 8 : come, 20, 100'000, input.seed());
    expect(result.draws > 0 && result.legal <= result.draws && result.fantasyland <= result.legal, "an impossible count");
    for (const auto& row : result.best) {
        std::size_t sum = 0;
        for (std::size_t draws : row) sum += draws;
        expect(sum == result.draws, "a row's classes do not add up");
    }
}

}  // namespace triptych::fuzz_cases
