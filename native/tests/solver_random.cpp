// Random questions to the solvers, for the sanitizers: any rules, any number of cards, jokers, opponents, half-filled
// boards. Checks only what must hold for every answer; values are held against enumeration elsewhere.
//
// g++ -std=c++20 -O1 -g -fsanitize=address,undefined -I native/include native/tests/solver_random.cpp && ./a.out 2000
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "triptych/streets.hpp"

using namespace triptych;

namespace {

class Chance {
public:
    explicit Chance(std::uint64_t seed) : shuffler_(seed) {}
    std::size_t below(std::size_t end) { return static_cast<std::size_t>((shuffler_.next() >> 33) % end); }
    bool once_in(std::size_t times) { return below(times) == 0; }
    void shuffle(std::vector<Card>& cards) { shuffler_.draw(cards, cards.size()); }

private:
    Shuffler shuffler_;
};

RulesTable random_rules(Chance& chance) {
    RulesTable rules{};
    rules.strict_order = chance.once_in(3);
    rules.wheel_second = chance.once_in(3);
    rules.middle_low = chance.once_in(3);
    rules.joker_value = static_cast<std::int32_t>(chance.below(3));
    rules.joker_off_board = chance.once_in(3);
    rules.five_of_a_kind = chance.once_in(2);
    rules.foul_points = chance.once_in(2) ? -1 : static_cast<std::int32_t>(chance.below(9));
    rules.foul_pays_royalties = chance.once_in(2);
    rules.foul_rows = chance.once_in(4);
    rules.foul_still_plays = chance.once_in(4);
    rules.scoring = static_cast<std::int32_t>(chance.below(7));
    rules.scoop_doubles = chance.once_in(3);
    rules.home_run_doubles = chance.once_in(3);
    for (auto& points : rules.royalty_back) points = static_cast<std::int32_t>(chance.below(26));
    for (auto& points : rules.royalty_middle) points = static_cast<std::int32_t>(chance.below(51));
    for (auto& points : rules.royalty_front_pair) points = static_cast<std::int32_t>(chance.below(10));
    for (auto& points : rules.royalty_front_trips) points = static_cast<std::int32_t>(chance.below(23));
    for (auto& points : rules.royalty_low) points = static_cast<std::int32_t>(chance.below(9));
    rules.royalty_row_winner = chance.once_in(3);
    rules.deuce_of_spades = chance.once_in(4);
    rules.one_per_board = chance.once_in(4);
    for (auto& cards : rules.land_pair) cards = chance.once_in(3) ? 14 : 0;
    for (auto& cards : rules.land_trips) cards = chance.once_in(2) ? 17 : 0;
    rules.land_best_low = 14;
    rules.land_front_and_low = 15;
    rules.land_repeat_front = static_cast<std::int32_t>(trips) << 20;
    rules.land_repeat_back = static_cast<std::int32_t>(quads) << 20;
    rules.land_repeat_cards = chance.once_in(2) ? -1 : 14;
    rules.land_repeat_limit = chance.once_in(2) ? -1 : 1;
    return rules;
}

std::vector<Card> shuffled(Chance& chance) {
    std::vector<Card> deck(54);
    for (std::size_t i = 0; i < deck.size(); ++i) deck[i] = static_cast<Card>(i);
    if (chance.once_in(2)) deck.resize(52);
    chance.shuffle(deck);
    return deck;
}

Pool pool_of(const std::vector<Card>& cards, std::size_t from, std::size_t count) {
    Pool pool;
    for (; pool.count < count; ++pool.count) {
        pool.cards[pool.count] = cards[from + pool.count];
        if (is_joker(pool.cards[pool.count])) pool.jokers |= 1U << pool.count;
    }
    return pool;
}

FixedRows random_rows(Chance& chance, const std::vector<Card>& cards, std::size_t count) {
    FixedRows rows{};
    for (std::size_t i = 0; i < count;) {
        const std::size_t row = chance.below(row_count);
        if (rows[row].count < row_size[row]) rows[row].cards[rows[row].count++] = cards[i++];
    }
    return rows;
}

Goal random_goal(Chance& chance, const RulesTable& rules, const std::vector<Card>& cards, std::size_t from) {
    Goal goal;
    goal.rules = &rules;
    goal.unknown = static_cast<int>(chance.below(3));
    goal.land_cards = chance.once_in(2) ? 14 : 0;
    goal.land_in_row = static_cast<int>(chance.below(3));
    goal.land_value.fill(11.5);
    goal.has_worth = chance.once_in(2);
    for (std::size_t i = 0; i < goal.back_worth.size(); ++i) goal.back_worth[i] = goal.middle_worth[i] = 0.25 * i;
    while (goal.opponent_count < chance.below(4) && from + board_size <= cards.size()) {
        Opponent& other = goal.opponents[goal.opponent_count++];
        other.rows = board_values(rules, cards.data() + from);
        other.fouled = !is_legal(rules, other.rows);
        other.royalties = row_royalties(rules, other.rows);
        other.deuce = deuce_row(cards.data() + from);
        from += board_size;
    }
    return goal;
}

[[noreturn]] void fail(const char* what, std::uint64_t seed) {
    std::printf("solver_random: %s, seed %llu\n", what, static_cast<unsigned long long>(seed));
    std::exit(EXIT_FAILURE);
}

void check_completion(std::uint64_t seed) {
    Chance chance(seed);
    const RulesTable rules = random_rules(chance);
    const std::vector<Card> cards = shuffled(chance);
    const std::size_t placed = chance.below(board_size + 1);
    const bool jokers = cards.size() > 52;
    const std::size_t spare = chance.below(jokers && rules.joker_value != 0 ? 2 : 5);
    const Pool pool = pool_of(cards, placed, board_size - placed + spare);
    const FixedRows rows = random_rows(chance, cards, placed);
    const Goal goal = random_goal(chance, rules, cards, placed + pool.count);
    static Completer completer;
    const Completion& found = completer.solve(goal, rows, pool);
    if (!found.legal) return;
    std::array<Card, board_size> board;
    for (std::size_t row = 0; row < row_count; ++row) {
        if (row_cards(pool, rows[row], found.masks[row], board.data() + row_start[row]) != row_size[row]) {
            fail("a row is not full", seed);
        }
    }
    if ((found.masks[0] & found.masks[1]) != 0 || ((found.masks[0] | found.masks[1]) & found.masks[2]) != 0) {
        fail("a card lies twice", seed);
    }
    const RowValues values = board_values(rules, board.data());
    if (values != found.rows || !is_legal(rules, values)) fail("rows are not what the scorer says", seed);
    if (goal.value(values, deuce_row(board.data())) != found.value) fail("the value is not the board's", seed);
}

void check_street(std::uint64_t seed) {
    Chance chance(seed);
    const RulesTable rules = random_rules(chance);
    std::vector<Card> cards = shuffled(chance);
    const std::size_t slots = chance.below(3);
    const std::size_t dealt = 2 + chance.below(2);
    StreetTask task;
    task.place = 2;
    const std::size_t placed = board_size - slots - task.place;
    task.rows = random_rows(chance, cards, placed);
    task.cards.assign(cards.begin() + static_cast<std::ptrdiff_t>(placed),
                      cards.begin() + static_cast<std::ptrdiff_t>(placed + 3));
    task.unseen.assign(cards.begin() + static_cast<std::ptrdiff_t>(placed + 3),
                       cards.begin() + static_cast<std::ptrdiff_t>(placed + 3 + dealt + chance.below(10)));
    task.foul = -8;
    const Goal goal = random_goal(chance, rules, cards, 39);
    static StreetSearch search;
    for (const PlacementValue& value : search.run_exact(goal, task, dealt, chance.once_in(2))) {
        if (value.samples != 1 || value.fouls < -1e-9 || value.fouls > 1 + 1e-9) fail("an impossible chance", seed);
    }
    task.later = std::min<std::size_t>(slots + chance.below(3), task.unseen.size());
    search.run(goal, task, 30, seed);
}

}  // namespace

int main(int count, char** arguments) {
    const long questions = count > 1 ? std::atol(arguments[1]) : 500;
    for (long i = 0; i < questions; ++i) {
        check_completion(static_cast<std::uint64_t>(i));
        check_street(static_cast<std::uint64_t>(i));
    }
    std::puts("solver_random: ok");
}
