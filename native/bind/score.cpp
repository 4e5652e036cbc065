// Python bindings of the scorer: rule tables, one deal, many deals. Argument checks of people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/score/rules_check.hpp"
#include "triptych/score/results.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

RulesTable make_rules(const std::vector<std::int32_t>& numbers) {
    need(numbers.size() == rules_size, "wrong number of integers for a rules table");
    RulesTable rules;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    need(rules_are_right(rules), "the kernel has no such rules");
    return rules;
}

nb::tuple fields() {
    nb::list out;
    for (const RulesField& field : rules_fields) out.append(nb::make_tuple(field.name, field.offset, field.count));
    return nb::tuple(out);
}

// The values of rows that boards can have: royalties are read from tables by them.
void need_values(const RulesTable& rules, Rank front, Rank middle, Rank back) {
    const auto five = [](Rank value) { return category(value) <= five_of_a_kind; };
    const bool right_front = category(front) == high_card || (category(front) <= trips && slot(front, 1) >= 1 && slot(front, 1) <= ranks);
    const bool right_middle = rules.middle_low == 0 ? five(middle) : !is_low(middle) || middle <= best_low;
    need(right_front && right_middle && five(back), "no row has such a value");
}

ScoredDeal deal_scores(const RulesTable& rules, const nb::bytes& packed) {
    const std::size_t count = packed.size() / sizeof(Hand);
    need(count >= 2 && count <= max_hands && packed.size() % sizeof(Hand) == 0, "two to four hands expected");
    std::array<Hand, max_hands> hands;
    std::memcpy(hands.data(), packed.c_str(), packed.size());
    for (std::size_t i = 0; i < count; ++i) {
        need(hands[i].kind <= HandKind::dead, "unknown kind of hand");
        if (hands[i].kind != HandKind::surrender) need_cards(hands[i].cards);
    }
    return {rules, {hands.data(), count}};
}

using Boards = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::tuple many_deals(const RulesTable& rules, const Boards& boards, const std::optional<Boards>& lands) {
    const std::size_t deals = boards.shape(0);
    const std::size_t seats = boards.shape(1);
    need(boards.shape(2) == board_size && seats >= 2 && seats <= max_hands, "boards have shape (deals, 2 to 4, 13)");
    need(!lands || (lands->shape(0) == deals && lands->shape(1) == seats && lands->shape(2) == 2), "lands have shape (deals, seats, 2)");
    need_cards({boards.data(), deals * seats * board_size});
    const std::size_t pair_count = seats * (seats - 1) / 2;
    Column<std::int32_t> pairs(deals * pair_count);
    Column<std::int32_t> royalties(deals * seats * row_count);
    Column<bool> legal(deals * seats);
    Column<std::uint8_t> next(deals * seats);
    {
        const nb::gil_scoped_release release;
        DealScore score;
        std::array<Hand, max_hands> hands{};
        for (std::size_t deal = 0; deal < deals; ++deal) {
            for (std::size_t i = 0; i < seats; ++i) {
                const std::size_t at = deal * seats + i;
                Hand& hand = hands[i];
                hand.kind = HandKind::board;
                hand.declared = 7;
                hand.owner = static_cast<std::uint8_t>(i);
                hand.land_cards = lands ? lands->data()[2 * at] : std::uint8_t{0};
                hand.land_in_row = lands ? lands->data()[2 * at + 1] : std::uint8_t{0};
                std::copy_n(boards.data() + at * board_size, board_size, hand.cards.begin());
            }
            score_deal(rules, hands.data(), seats, score);
            for (std::size_t i = 0; i < seats; ++i) {
                const std::size_t at = deal * seats + i;
                std::copy_n(score.hands[i].royalties.begin(), row_count, royalties.data + at * row_count);
                legal.data[at] = score.hands[i].offending == 0;
                next.data[at] = static_cast<std::uint8_t>(score.hands[i].next_land);
            }
            for (std::size_t i = 0; i < pair_count; ++i) pairs.data[deal * pair_count + i] = score.pairs[i].total();
        }
    }
    return nb::make_tuple(pairs.array({deals, pair_count}), royalties.array({deals, seats, row_count}), legal.array({deals, seats}),
                          next.array({deals, seats}));
}

}  // namespace

void init_score(nb::module_& m) {
    m.def(
        "row_points",
        [](const RulesTable& rules, int front, int middle, int back) {
            const RowPoints results = {front, middle, back};
            need(all_within(results, -1, 1), "a row is won 1, tied 0 or lost -1");
            const bool scoop = rows_won(results) == 3 || rows_lost(results) == 3;
            return row_points(rules, results) * (scoop ? scoop_factor(rules) : 1);
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"),
          "Row points of a pair for rows won 1, tied 0, lost -1, with a scoop's own doubling; 0 where the table pays.");
    nb::class_<RulesTable>(m, "Rules",
                           "A ruleset as flat integers; triptych.rules.compile makes it.")
        .def("__init__", [](RulesTable* self, const std::vector<std::int32_t>& numbers) {
            new (self) RulesTable(make_rules(numbers));
        }, nb::arg("numbers"),
             "Take all integers of the table, in the order of `rules_fields`.");
    m.def("rules_fields", &fields,
          "Name, offset and count of every field of a rules table.");
    m.def(
        "row_values",
        [](const RulesTable& rules, const nb::bytes& board) {
            const RowValues rows = board_values(rules, thirteen(board));
            return nb::make_tuple(rows[front_row], rows[middle_row], rows[back_row]);
        },
        nb::arg("rules"), nb::arg("board"),
          "Values of front, middle and back of 13 cards (front first), jokers chosen by the rules.\n\nThe middle of a deuce-to-seven game "
          "is a low order.");
    m.def(
        "offending_rows",
        [](const RulesTable& rules, Rank front, Rank middle, Rank back) {
            return offending_rows(rules, RowValues{front, middle, back});
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"),
          "Bits 1 front, 2 middle, 4 back of the rows that break the order; 0 = legal.");
    m.def(
        "best_natural",
        [](const RulesTable& rules, const nb::bytes& cards) { return best_natural(rules, thirteen(cards)); },
        nb::arg("rules"), nb::arg("cards"),
          "Index in the rules' table of naturals and units of the best one held; entry -1 without one.");
    m.def(
        "shows_natural",
        [](const RulesTable& rules, const nb::bytes& board) { return shows_natural(rules, thirteen(board)); },
        nb::arg("rules"), nb::arg("board"),
          "Whether three flushes or three straights set as rows claim a natural by themselves.");
    m.def(
        "broken_up",
        [](const RulesTable& rules, const nb::bytes& board) { return broken_up(rules, thirteen(board)); },
        nb::arg("rules"), nb::arg("board"),
          "What the dearest quads or straight flush that a board breaks up earns, and its rank; (0, 0) = none.");
    m.def(
        "row_bounds",
        [](const RulesTable& rules, const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back, bool jokers) {
            return BoundedRows(rules, {cards_of(front, 3), cards_of(middle, 5), cards_of(back, 5)}, jokers);
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"), nb::arg("jokers") = false,
          "Lowest and highest value that each row can still take from cards off the own board, and condemned rows.\n\nRows may be full, "
          "empty or in between. `jokers`: whether one may still come. Condemned rows (bits 1 front, 2 middle, 4 back) break the order for "
          "certain.");
    m.def(
        "row_royalties",
        [](const RulesTable& rules, Rank front, Rank middle, Rank back) {
            need_values(rules, front, middle, back);
            return nb::make_tuple(front_royalty(rules, front), middle_royalty(rules, middle),
                                  back_royalty(rules, back));
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"),
          "Royalty of front, middle and back by their values, whatever else the board holds.");
    m.def("score_deal", &deal_scores, nb::arg("rules"), nb::arg("hands"),
          "Score two to four hands of 18 bytes: kind, declared rows, fantasyland cards, in a row, owner, 13 cards.\n\nKinds: 0 board, 1 "
          "surrender, 2 natural, 3 a board that counts as a foul. Pairs come in the order 0-1, 0-2, …, 1-2, …");
    m.def("score_batch", &many_deals, nb::arg("rules"), nb::arg("boards").noconvert(),
          nb::arg("lands").noconvert().none() = nb::none(),
          "Score many deals of boards, shape (deals, seats, 13); `lands` (deals, seats, 2) = fantasyland cards, in a row.\n\nReturns pair "
          "points (deals, pairs), royalties (deals, seats, 3), legal (deals, seats) and the next fantasylands (deals, seats). Releases the "
          "GIL.");
}
