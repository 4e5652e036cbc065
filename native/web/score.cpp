// What boards are worth: whole deals with their reasons, one board, and what a growing board can still become.
#include <array>
#include <vector>

#include "abi.hpp"
#include "triptych/exact/goal.hpp"
#include "triptych/score/results.hpp"

using namespace triptych;
using namespace triptych::web;

// Rules, then two to four hands of 18 bytes (kind, declared rows, fantasyland cards, in a row, owner, 13 cards).
// A ScoredDeal.
TRIPTYCH_QUESTION(score_deal) {
    const auto rules = stored<RulesTable>(in);
    const std::size_t count = in.within(2, max_hands, "two to four hands expected");
    std::array<Hand, max_hands> hands{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto head = in.numbers<std::uint8_t, 5>();
        in.need(head[0] <= static_cast<std::uint8_t>(HandKind::dead) && head[1] <= every_row && head[2] <= most_land_cards,
                "there is no such hand");
        hands[i] = {static_cast<HandKind>(head[0]), head[1], head[2], head[3], head[4], {}};
        CardSet seen = 0;
        if (hands[i].kind == HandKind::surrender) in.take(board_size);
        else hands[i].cards = in.thirteen(seen);
    }
    if (!in.complete()) return;
    out.put(ScoredDeal(*rules, {hands.data(), count}));
}

// Rules, 13 cards. A BoardScore.
TRIPTYCH_QUESTION(score_board) {
    const auto rules = stored<RulesTable>(in);
    CardSet seen = 0;
    const auto board = in.thirteen(seen);
    if (!in.complete()) return;
    const RowValues rows = board_values(*rules, board.data());
    out.put(BoardScore{rows, offending_rows(*rules, rows), row_royalties(*rules, rows), best_natural(*rules, board.data()),
                       shows_natural(*rules, board.data()), broken_up(*rules, board.data())});
}

// Rules, whether a joker may still come, the cards of front, middle, back so far. BoundedRows.
TRIPTYCH_QUESTION(row_bounds) {
    const auto rules = stored<RulesTable>(in);
    const bool jokers = in.within(0, 1, "0 or 1 expected") == 1;
    CardSet own = 0;
    std::array<std::vector<Card>, row_count> rows;
    for (std::size_t row = 0; row < row_count; ++row) rows[row] = in.cards(row_size[row], own);
    if (in.complete()) out.put(BoundedRows(*rules, {rows[0], rows[1], rows[2]}, jokers));
}
