// Questions to the solvers: finished boards, last streets, samples, outs; any rules, jokers, opponents, half-filled boards.
#pragma once

#include <algorithm>

#include "questions/rules.hpp"
#include "triptych/exact/land_samples.hpp"
#include "triptych/exact/lookahead.hpp"
#include "triptych/exact/outs.hpp"

namespace triptych::questions {

inline Pool pool_of(const std::vector<Card>& cards, std::size_t from, std::size_t count) {
    Pool pool;
    for (; pool.count < count; ++pool.count) {
        pool.cards[pool.count] = cards[from + pool.count];
        if (is_joker(pool.cards[pool.count])) pool.jokers |= 1U << pool.count;
    }
    return pool;
}

inline FixedRows random_rows(Chance& chance, const std::vector<Card>& cards, std::size_t count) {
    FixedRows rows{};
    for (std::size_t i = 0; i < count;) {
        const std::size_t row = chance.below(row_count);
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

inline TableStakes random_stakes(Chance& chance, std::size_t seats) {
    TableStakes stakes;
    for (std::size_t seat = 0; seat < seats; ++seat) stakes.stacks[seat] = 0.5 * static_cast<double>(chance.below(60));
    for (std::size_t a = 0; a < seats; ++a) {
        for (std::size_t b = a + 1; b < seats; ++b) {
            const double amount = static_cast<double>(chance.below(40)) - 20;
            stakes.dues[stakes.due_count++] = chance.once_in(2) ? TableStakes::Due{a, b, amount} : TableStakes::Due{b, a, amount};
        }
    }
    stakes.cap = static_cast<TableStakes::Cap>(chance.below(3));
    stakes.bust_stops = chance.once_in(2);
    return stakes;
}

// `stakes` is where the goal's stacks lie, if it has any.
inline Goal random_goal(Chance& chance, const RulesTable& rules, const std::vector<Card>& cards, std::size_t from,
                        TableStakes& stakes) {
    Goal goal;
    goal.rules = &rules;
    goal.unknown = static_cast<int>(chance.below(3));
    goal.land_cards = chance.once_in(2) ? 14 : 0;
    goal.land_in_row = static_cast<int>(chance.below(3));
    goal.land_value.fill(11.5);
    goal.has_worth = chance.once_in(2);
    for (std::size_t i = 0; i < goal.back_worth.size(); ++i) goal.back_worth[i] = goal.middle_worth[i] = 0.25 * i;
    while (goal.opponent_count < chance.below(4) && from + board_size <= cards.size()) {
        goal.opponents[goal.opponent_count++] = random_opponent(rules, cards.data() + from);
        from += board_size;
    }
    if (goal.opponent_count > 0 && chance.once_in(3)) {
        stakes = random_stakes(chance, goal.opponent_count + 1);
        goal.stakes = &stakes;
    }
    return goal;
}

inline void ask_completion(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    const std::vector<Card> cards = chance.deck(chance.below(3));
    const std::size_t placed = chance.below(board_size + 1);
    const bool jokers = cards.size() > deck_size;
    const std::size_t spare = chance.below(jokers && rules.joker_value != 0 ? 2 : 5);
    const Pool pool = pool_of(cards, placed, board_size - placed + spare);
    const FixedRows rows = random_rows(chance, cards, placed);
    TableStakes stakes;
    const Goal goal = random_goal(chance, rules, cards, placed + pool.count, stakes);
    static Completer completer;
    const Completion& found = completer.solve(goal, rows, pool);
    if (!found.legal) return;
    std::array<Card, board_size> board;
    for (std::size_t row = 0; row < row_count; ++row) {
        expect(row_cards(pool, rows[row], found.masks[row], board.data() + row_start[row]) == row_size[row], "a row is not full");
    }
    expect((found.masks[0] & found.masks[1]) == 0 && ((found.masks[0] | found.masks[1]) & found.masks[2]) == 0, "a card lies twice");
    const RowValues values = board_values(rules, board.data());
    expect(values == found.rows && is_legal(rules, values), "rows are not what the scorer says");
    const bool natural = goal.counts_naturals() && shows_natural(rules, board.data());
    const HeldNatural held = natural ? best_natural(rules, board.data()) : HeldNatural{};
    expect(goal.value(values, deuce_row(board.data()), held) == found.value, "the value is not the board's");
    goal.foul_value();
}

// A fantasyland against samples of unknown boards: the answer is a setting worth what it says.
inline void ask_land_field(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    if (!LandField::solves(rules)) return;
    const std::vector<Card> cards = chance.deck(chance.below(3));
    const Pool pool = pool_of(cards, 0, board_size + chance.below(3));
    TableStakes none;
    Goal goal = random_goal(chance, rules, cards, cards.size(), none);
    goal.unknown = 0;
    goal.has_worth = false;
    goal.opponent_count = 1 + chance.below(2);
    std::vector<LandSample> samples(1 + chance.below(4));
    for (LandSample& sample : samples) {
        const std::vector<Card> others = chance.deck(0);
        for (std::size_t i = 0; i < goal.opponent_count; ++i) {
            sample.boards[i] = random_opponent(rules, others.data() + i * board_size);
        }
        sample.weight = static_cast<double>(1 + chance.below(3));
    }
    static LandField field;
    const LandAnswer found = field.best(goal, samples, pool);
    static Completer completer;
    expect(completer.solve(goal, FixedRows{}, pool).legal == found.legal, "samples decide whether cards can be set");
    if (!found.legal) return;
    std::array<Card, board_size> board;
    for (std::size_t row = 0; row < row_count; ++row) {
        expect(row_cards(pool, FixedRow{}, found.masks[row], board.data() + row_start[row]) == row_size[row], "a row is not full");
    }
    const RowValues values = board_values(rules, board.data());
    expect(values == found.rows && is_legal(rules, values), "rows are not what the scorer says");
}

inline void ask_street(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    const std::vector<Card> cards = chance.deck(chance.below(3));
    const std::size_t slots = chance.below(3);
    const std::size_t dealt = 2 + chance.below(2);
    StreetTask task;
    task.place = 2;
    const std::size_t placed = board_size - slots - task.place;
    task.rows = random_rows(chance, cards, placed);
    const auto at = [&](std::size_t index) { return cards.begin() + static_cast<std::ptrdiff_t>(index); };
    task.cards.assign(at(placed), at(placed + 3));
    task.unseen.assign(at(placed + 3), at(placed + 3 + dealt + chance.below(10)));
    task.foul = -8;
    TableStakes stakes;
    const Goal goal = random_goal(chance, rules, cards, 39, stakes);
    static StreetSearch search;
    for (const PlacementValue& value : search.run_exact(goal, task, dealt, chance.once_in(2))) {
        expect(value.samples == 1 && value.fouls >= -1e-9 && value.fouls <= 1 + 1e-9, "an impossible chance");
    }
    task.later = std::min<std::size_t>(slots + chance.below(3), task.unseen.size());
    search.run(goal, task, 30, chance.seed());
}

inline void ask_outs(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    const std::vector<Card> cards = chance.deck(chance.below(3));
    const std::size_t placed = board_size - 1 - chance.below(5);
    const FixedRows rows = random_rows(chance, cards, placed);
    const std::size_t come = board_size - placed + chance.below(4);
    const bool sampled = chance.once_in(4);
    const std::size_t alive = sampled ? cards.size() - placed : come + chance.below(4);
    const std::vector<Card> unseen(cards.begin() + static_cast<std::ptrdiff_t>(placed),
                                   cards.begin() + static_cast<std::ptrdiff_t>(placed + alive));
    static OutsCounter counter;
    const OutsCount found = counter.count(rules, rows, unseen, sampled ? 8 : come, 20, 100'000, chance.seed());
    expect(found.draws > 0 && found.legal <= found.draws && found.fantasyland <= found.legal, "an impossible count");
    for (const auto& row : found.best) {
        std::size_t sum = 0;
        for (std::size_t draws : row) sum += draws;
        expect(sum == found.draws, "a row's classes do not add up");
    }
}

}  // namespace triptych::questions
