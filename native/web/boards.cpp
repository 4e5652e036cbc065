// What boards are worth: whole deals, one board, what a growing board can still become, the best way to finish it, and outs.
#include <array>
#include <span>
#include <vector>

#include "abi.hpp"
#include "triptych/exact/completion.hpp"
#include "triptych/exact/outs.hpp"
#include "triptych/exact/results.hpp"
#include "triptych/score/results.hpp"

using namespace triptych;
using namespace triptych::web;

namespace {

FixedRows read_rows(Reader& in, CardSet& seen) {
    FixedRows rows{};
    for (std::size_t row = 0; row < row_count; ++row) rows[row] = FixedRow(in.cards(row_size[row], seen));
    return rows;
}

}  // namespace

// Rules, then two to four hands of 18 bytes (kind, declared rows, fantasyland cards, in a row, owner, 13 cards).
// A ScoredDeal.
TRIPTYCH_REQUEST(score_deal) {
    const auto rules = stored<RulesTable>(in);
    const std::size_t count = in.within(2, max_hands, "two to four hands expected");
    std::array<Hand, max_hands> hands{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto head = in.numbers<std::uint8_t, 5>();
        in.require(HandKind{head[0]} <= HandKind::dead && head[1] <= all_rows_mask && head[2] <= max_fantasyland_cards, "there is no such hand");
        hands[i] = {static_cast<HandKind>(head[0]), head[1], head[2], head[3], head[4], {}};
        CardSet seen = 0;
        if (hands[i].kind == HandKind::surrender) in.take(board_size);
        else hands[i].cards = in.board(seen);
    }
    if (in.complete()) out.put(ScoredDeal(*rules, {hands.data(), count}));
}

// Rules, 13 cards. A BoardScore.
TRIPTYCH_REQUEST(score_board) {
    const auto rules = stored<RulesTable>(in);
    CardSet seen = 0;
    const auto board = in.board(seen);
    if (in.complete()) out.put(BoardScore(*rules, board.data()));
}

// Rules, whether a joker may still come, the cards of front, middle, back so far. BoundedRows.
TRIPTYCH_REQUEST(row_bounds) {
    const auto rules = stored<RulesTable>(in);
    const bool jokers = in.flag();
    CardSet own = 0;
    std::array<std::span<const Card>, row_count> rows;
    for (std::size_t row = 0; row < row_count; ++row) rows[row] = in.cards(row_size[row], own);
    if (in.complete()) out.put(BoundedRows(*rules, rows, jokers));
}

// Rules; the board's own fantasyland (cards, 0 without one; how many in a row); points of a next one of 0 to 17 cards; the
// rows so far; the cards to finish them with; up to three finished boards to beat, front first.
// A FinishedBoard; without a legal way its value is that of a foul.
TRIPTYCH_REQUEST(complete) {
    const auto rules = stored<RulesTable>(in);
    Objective objective;
    objective.fantasyland_cards = static_cast<int>(in.within(0, max_fantasyland_cards, "a fantasyland has at most 17 cards"));
    objective.fantasyland_in_row = static_cast<int>(in.within(0, 1000, "too many fantasylands in a row"));
    objective.fantasyland_values = in.numbers<double, max_fantasyland_cards + 1>();
    CardSet seen = 0;
    const FixedRows rows = read_rows(in, seen);
    const std::span<const Card> cards = in.cards(max_pool, seen);
    std::vector<std::array<Card, board_size>> boards(in.within(0, max_opponents, "at most three boards to beat"));
    for (auto& board : boards) board = in.board(seen);
    in.require(cards.size() + fixed_cards(rows) >= board_size, "too few cards to finish the board");
    if (!in.complete()) return;
    if (rules->suit_ties != 0 || rules->broken_up != 0) return in.refuse(wrong_value, "under these rules only a whole closed hand is solved");
    objective.rules = rules.get();
    objective.unknown = boards.empty() ? 1 : 0;
    for (const auto& board : boards) objective.opponents[objective.opponent_count++] = opponent_of(*rules, board.data());
    const Pool pool(cards);
    static BoardCompleter completer;
    FinishedBoard board(objective, pool, completer.solve(objective, rows, pool));
    if (!board.legal) board.value = objective.foul_value();
    out.put(board);
}

// Rules; the rows so far; the cards that may come; how many will; samples, and as how many of them all draws may cost to be
// enumerated; a seed. CountedOuts.
TRIPTYCH_REQUEST(outs) {
    const auto rules = stored<RulesTable>(in);
    CardSet seen = 0;
    const FixedRows rows = read_rows(in, seen);
    const std::span<const Card> unseen = in.cards(joker_end, seen);
    const std::size_t come = in.within(0, max_pool, "too many cards are to come");
    const std::size_t samples = in.within(1, 1'000'000, "1 to 1,000,000 samples");
    const std::size_t effort = in.within(0, 1'000'000, "at most the effort of 1,000,000 samples");
    const auto seed = in.number<std::uint64_t>();
    in.require(come <= unseen.size() && fixed_cards(rows) + come >= board_size, "the cards to come do not finish the board");
    if (!in.complete()) return;
    if (rules->middle_low != 0 && rules->low_any != 0) return in.refuse(wrong_value, "any low is legal under these rules");
    static OutsCounter counter;
    out.put(counter.count(*rules, rows, {unseen.begin(), unseen.end()}, come, samples, effort, seed));
}
