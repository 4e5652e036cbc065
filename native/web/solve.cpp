// Exact answers: the best way to finish a board (a fantasyland, a last street), and outs.
#include <algorithm>
#include <memory>

#include "abi.hpp"
#include "triptych/exact/completion.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"

using namespace triptych;
using namespace triptych::web;

namespace {

FixedRows read_rows(Reader& in, CardSet& seen) {
    FixedRows rows{};
    for (std::size_t row = 0; row < row_count; ++row) {
        const std::vector<Card> cards = in.cards(row_size[row], seen);
        rows[row].count = cards.size();
        std::copy(cards.begin(), cards.end(), rows[row].cards.begin());
    }
    return rows;
}

std::size_t placed(const FixedRows& rows) { return rows[0].count + rows[1].count + rows[2].count; }

}  // namespace

// Rules; the board's own fantasyland (cards, 0 without one; how many in a row); points of a next one of 0 to 17 cards; the
// rows so far; the cards to finish them with; up to three finished boards to beat, front first.
// A FinishedBoard; without a legal way its value is that of a foul.
TRIPTYCH_QUESTION(complete) {
    const auto rules = stored<RulesTable>(in);
    Goal goal;
    goal.land_cards = static_cast<int>(in.within(0, most_land_cards, "a fantasyland has at most 17 cards"));
    goal.land_in_row = static_cast<int>(in.within(0, 1000, "too many fantasylands in a row"));
    goal.land_value = in.numbers<double, most_land_cards + 1>();
    CardSet seen = 0;
    const FixedRows rows = read_rows(in, seen);
    const std::vector<Card> cards = in.cards(max_pool, seen);
    const std::size_t opponents = in.within(0, max_opponents, "at most three boards to beat");
    std::array<std::array<Card, board_size>, max_opponents> boards{};
    for (std::size_t i = 0; i < opponents; ++i) boards[i] = in.thirteen(seen);
    in.need(cards.size() + placed(rows) >= board_size, "too few cards to finish the board");
    if (!in.complete()) return;
    if (rules->suit_ties != 0 || rules->broken_up != 0) return in.refuse(wrong_value, "under these rules only a whole closed hand is solved");
    goal.rules = rules.get();
    goal.unknown = opponents > 0 ? 0 : 1;
    for (std::size_t i = 0; i < opponents; ++i) goal.opponents[goal.opponent_count++] = opponent_of(*rules, boards[i].data());
    Pool pool;
    for (const Card card : cards) {
        if (is_joker(card)) pool.jokers |= 1U << pool.count;
        pool.cards[pool.count++] = card;
    }
    static Completer completer;
    const Completion& best = completer.solve(goal, rows, pool);
    FinishedBoard board(goal, pool, best);
    if (!board.legal) board.value = goal.foul_value();
    out.put(board);
}

// Rules; the rows so far; the cards that may come; how many will; samples, and as how many of them all
// draws may cost to be counted; a seed. CountedOuts.
TRIPTYCH_QUESTION(outs) {
    const auto rules = stored<RulesTable>(in);
    CardSet seen = 0;
    const FixedRows rows = read_rows(in, seen);
    const std::vector<Card> unseen = in.cards(joker_end, seen);
    const std::size_t come = in.within(0, max_pool, "too many cards are to come");
    const std::size_t samples = in.within(1, 1'000'000, "1 to 1,000,000 samples");
    const std::size_t effort = in.within(0, 1'000'000, "at most the effort of 1,000,000 samples");
    const auto seed = in.number<std::uint64_t>();
    in.need(come <= unseen.size() && placed(rows) + come >= board_size, "the cards to come do not finish the board");
    if (!in.complete()) return;
    if (rules->middle_low != 0 && rules->low_any != 0) return in.refuse(wrong_value, "any low is legal under these rules");
    static OutsCounter counter;
    out.put(counter.count(*rules, rows, unseen, come, samples, effort, seed));
}
