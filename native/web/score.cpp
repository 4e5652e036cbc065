// What boards are worth: whole deals with their reasons, one board, and what a growing board can still become.
#include <algorithm>
#include <cstring>

#include "question.hpp"
#include "triptych/exact/goal.hpp"
#include "triptych/score/partial.hpp"
#include "triptych/score/showdown.hpp"

using namespace triptych;
using namespace triptych::web;

// Rules, then two to four hands of 18 bytes (kind, declared rows, fantasyland cards, in a row, owner, 13 cards).
// 11 numbers a hand: values of front, middle, back; offending rows; royalties of the rows; natural and its units; the next
// fantasyland; points of the table. Then 7 a pair: results of the rows, row points, factor, royalties, other points.
TRIPTYCH_QUESTION(score_deal) {
    const auto rules = held<RulesTable>(in);
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
    DealScore score;
    score_deal(*rules, hands.data(), count, score);
    for (std::size_t i = 0; i < count; ++i) {
        const HandScore& hand = score.hands[i];
        out.add_all(hand.rows);
        out.add(hand.offending);
        out.add_all(hand.royalties);
        out.add_all(std::array{hand.natural.entry, hand.natural.units, hand.next_land, hand.table_points});
    }
    for (std::size_t i = 0; i < count * (count - 1) / 2; ++i) {
        const PairScore& pair = score.pairs[i];
        out.add_all(pair.results);
        out.add_all(std::array{pair.rows, pair.factor, pair.royalties, pair.other});
    }
}

// Rules, 13 cards: values of the rows, those that offend, royalties of each, natural and its units, whether the rows claim
// it, points of what was broken up.
TRIPTYCH_QUESTION(score_board) {
    const auto rules = held<RulesTable>(in);
    CardSet seen = 0;
    const auto board = in.thirteen(seen);
    if (!in.complete()) return;
    const RowValues rows = board_values(*rules, board.data());
    const HeldNatural natural = best_natural(*rules, board.data());
    out.add_all(rows);
    out.add(offending_rows(*rules, rows));
    out.add_all(row_royalties(*rules, rows));
    out.add_all(std::array{natural.entry, natural.units, static_cast<int>(shows_natural(*rules, board.data())),
                           broken_up(*rules, board.data()).points});
}

// Rules, whether a joker may still come, the cards of front, middle, back so far: lowest and highest value that each can still take, the rows that
// break the order for certain, and the royalties that the lowest values have.
TRIPTYCH_QUESTION(row_bounds) {
    const auto rules = held<RulesTable>(in);
    const bool jokers = in.within(0, 1, "0 or 1 expected") == 1;
    CardSet own = 0;
    std::array<std::vector<Card>, row_count> rows;
    for (std::size_t row = 0; row < row_count; ++row) rows[row] = in.cards(row_size[row], own);
    if (!in.complete()) return;
    const CardSet free = cards_to_come(own, jokers);
    std::array<RowBounds, row_count> bounds;
    for (std::size_t row = 0; row < row_count; ++row) {
        bounds[row] = row_bounds(*rules, static_cast<Row>(row), rows[row].data(), rows[row].size(), free);
        out.add_all(std::array{bounds[row].least, bounds[row].most});
    }
    out.add(condemned_rows(*rules, bounds));
    out.add_all(row_royalties(*rules, {bounds[0].least, bounds[1].least, bounds[2].least}));
}
