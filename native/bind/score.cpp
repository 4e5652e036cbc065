// Python's door to the scorer: rule tables, one deal, many deals. Argument checks of people's input live in Python.
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
#include <vector>

#include "column.hpp"
#include "triptych/score/partial.hpp"
#include "triptych/score/rules_check.hpp"
#include "triptych/score/showdown.hpp"

namespace nb = nanobind;
using namespace triptych;
using bind::Column;

namespace {

constexpr Card joker_end = 54;

RulesTable make_rules(const std::vector<std::int32_t>& numbers) {
    if (numbers.size() != rules_size) throw nb::value_error("wrong number of integers for a rules table");
    RulesTable rules;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    if (!rules_are_right(rules)) throw nb::value_error("the kernel has no such rules");
    return rules;
}

nb::tuple fields() {
    nb::list out;
    for (const RulesField& field : rules_fields) out.append(nb::make_tuple(field.name, field.offset, field.count));
    return nb::tuple(out);
}

void check_cards(const Card* cards, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (cards[i] >= joker_end) throw nb::value_error("a card is an int from 0 to 53");
    }
}

// The values of rows that boards can have: royalties are read from tables by them.
void need_values(const RulesTable& rules, Rank front, Rank middle, Rank back) {
    const auto five = [](Rank value) { return category(value) <= five_of_a_kind; };
    const bool right_front = category(front) == high_card || (category(front) <= trips && slot(front, 1) >= 1 && slot(front, 1) <= ranks);
    const bool right_middle = rules.middle_low == 0 ? five(middle) : !is_low(middle) || middle <= best_low;
    if (!right_front || !right_middle || !five(back)) throw nb::value_error("no row has such a value");
}

const Card* thirteen(const nb::bytes& cards) {
    if (cards.size() != board_size) throw nb::value_error("13 cards expected");
    const auto* data = reinterpret_cast<const Card*>(cards.c_str());
    check_cards(data, board_size);
    return data;
}

// Bounds of front, middle and back as they stand, and the rows condemned already; `jokers`: whether one may still come.
nb::tuple bounds_of(const RulesTable& rules, const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back, bool jokers) {
    const std::array<const nb::bytes*, row_count> rows = {&front, &middle, &back};
    CardSet own = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        const auto* cards = reinterpret_cast<const Card*>(rows[row]->c_str());
        if (rows[row]->size() > row_size[row]) throw nb::value_error("a row has at most 3 or 5 cards");
        check_cards(cards, rows[row]->size());
        for (std::size_t i = 0; i < rows[row]->size(); ++i) own |= bit(cards[i]);
    }
    const CardSet free = cards_to_come(own, jokers);
    std::array<RowBounds, row_count> bounds;
    for (std::size_t row = 0; row < row_count; ++row) {
        bounds[row] = row_bounds(rules, static_cast<Row>(row), reinterpret_cast<const Card*>(rows[row]->c_str()),
                                 rows[row]->size(), free);
    }
    const auto pair = [&](Row row) { return nb::make_tuple(bounds[row].least, bounds[row].most); };
    return nb::make_tuple(pair(front_row), pair(middle_row), pair(back_row), condemned_rows(rules, bounds));
}

// A tuple filled by hand: a deal is scored so often that a Python object per list would be felt.
class IntTuple {
public:
    explicit IntTuple(std::size_t size) : tuple_(nb::steal(PyTuple_New(static_cast<Py_ssize_t>(size)))) {
        if (!tuple_.is_valid()) nb::raise_python_error();
    }
    void add(long value) { PyTuple_SetItem(tuple_.ptr(), next_++, PyLong_FromLong(value)); }
    nb::object take() { return tuple_; }

private:
    nb::object tuple_;
    Py_ssize_t next_ = 0;
};

constexpr std::size_t hand_numbers = 11;
constexpr std::size_t pair_numbers = 7;

nb::object deal_scores(const RulesTable& rules, const nb::bytes& packed) {
    const std::size_t count = packed.size() / sizeof(Hand);
    if (count < 2 || count > max_hands || packed.size() % sizeof(Hand) != 0) {
        throw nb::value_error("two to four hands expected");
    }
    std::array<Hand, max_hands> hands;
    std::memcpy(hands.data(), packed.c_str(), packed.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (hands[i].kind > HandKind::dead) throw nb::value_error("unknown kind of hand");
        if (hands[i].kind != HandKind::surrender) check_cards(hands[i].cards.data(), board_size);
    }
    DealScore score;
    score_deal(rules, hands.data(), count, score);
    const std::size_t pairs = count * (count - 1) / 2;
    IntTuple out(count * hand_numbers + pairs * pair_numbers);
    for (std::size_t i = 0; i < count; ++i) {
        const HandScore& hand = score.hands[i];
        for (Rank row : hand.rows) out.add(static_cast<long>(row));
        out.add(static_cast<long>(hand.offending));
        for (int points : hand.royalties) out.add(points);
        out.add(hand.natural.entry);
        out.add(hand.natural.units);
        out.add(hand.next_land);
        out.add(hand.table_points);
    }
    for (std::size_t i = 0; i < pairs; ++i) {
        const PairScore& pair = score.pairs[i];
        for (int result : pair.results) out.add(result);
        out.add(pair.rows);
        out.add(pair.factor);
        out.add(pair.royalties);
        out.add(pair.other);
    }
    return out.take();
}

using Boards = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::tuple many_deals(const RulesTable& rules, const Boards& boards, const std::optional<Boards>& lands) {
    const std::size_t deals = boards.shape(0);
    const std::size_t seats = boards.shape(1);
    if (boards.shape(2) != board_size || seats < 2 || seats > max_hands) {
        throw nb::value_error("boards have shape (deals, 2 to 4, 13)");
    }
    if (lands && (lands->shape(0) != deals || lands->shape(1) != seats || lands->shape(2) != 2)) {
        throw nb::value_error("lands have shape (deals, seats, 2)");
    }
    check_cards(boards.data(), deals * seats * board_size);
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
    return nb::make_tuple(
        nb::ndarray<nb::numpy, std::int32_t>(pairs.data, {deals, pair_count}, pairs.owner),
        nb::ndarray<nb::numpy, std::int32_t>(royalties.data, {deals, seats, row_count}, royalties.owner),
        nb::ndarray<nb::numpy, bool>(legal.data, {deals, seats}, legal.owner),
        nb::ndarray<nb::numpy, std::uint8_t>(next.data, {deals, seats}, next.owner));
}

}  // namespace

void init_score(nb::module_& m) {
    m.def(
        "row_points",
        [](const RulesTable& rules, int front, int middle, int back) {
            const RowPoints results = {front, middle, back};
            if (std::any_of(results.begin(), results.end(), [](int result) { return result < -1 || result > 1; })) {
                throw nb::value_error("a row is won 1, tied 0 or lost -1");
            }
            const bool scoop = rows_won(results) == 3 || rows_lost(results) == 3;
            return row_points(rules, results) * (scoop ? scoop_factor(rules) : 1);
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"));
    nb::class_<RulesTable>(m, "Rules", "A ruleset as flat integers; see triptych.rulesets.compile.")
        .def("__init__", [](RulesTable* self, const std::vector<std::int32_t>& numbers) {
            new (self) RulesTable(make_rules(numbers));
        }, nb::arg("numbers"));
    m.def("rules_fields", &fields, "Name, offset and count of every field of a rules table.");
    m.def(
        "row_values",
        [](const RulesTable& rules, const nb::bytes& board) {
            const RowValues rows = board_values(rules, thirteen(board));
            return nb::make_tuple(rows[front_row], rows[middle_row], rows[back_row]);
        },
        nb::arg("rules"), nb::arg("board"), "Values of front, middle and back, jokers chosen by the rules.");
    m.def(
        "offending_rows",
        [](const RulesTable& rules, Rank front, Rank middle, Rank back) {
            return offending_rows(rules, RowValues{front, middle, back});
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"),
        "Bits 1 front, 2 middle, 4 back of the rows that break the order.");
    m.def(
        "best_natural",
        [](const RulesTable& rules, const nb::bytes& cards) {
            const HeldNatural held = best_natural(rules, thirteen(cards));
            return nb::make_tuple(held.entry, held.units);
        },
        nb::arg("rules"), nb::arg("cards"), "Index and units of the best natural, (-1, 0) without one.");
    m.def(
        "shows_natural",
        [](const RulesTable& rules, const nb::bytes& board) { return shows_natural(rules, thirteen(board)); },
        nb::arg("rules"), nb::arg("board"), "Whether the rows of a board claim a natural by themselves.");
    m.def(
        "broken_up",
        [](const RulesTable& rules, const nb::bytes& board) {
            const BrokenUp found = broken_up(rules, thirteen(board));
            return nb::make_tuple(found.points, found.value);
        },
        nb::arg("rules"), nb::arg("board"), "What was dealt and broken up earns, and its rank as a row.");
    m.def("row_bounds", &bounds_of, nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"), nb::arg("jokers") = false,
          "Lowest and highest values that each row can still take, and the rows that break the order for certain.");
    m.def(
        "row_royalties",
        [](const RulesTable& rules, Rank front, Rank middle, Rank back) {
            need_values(rules, front, middle, back);
            return nb::make_tuple(front_royalty(rules, front), middle_royalty(rules, middle),
                                  back_royalty(rules, back));
        },
        nb::arg("rules"), nb::arg("front"), nb::arg("middle"), nb::arg("back"), "Royalty of each row by its value.");
    m.def("score_deal", &deal_scores, nb::arg("rules"), nb::arg("hands"),
          "Scores packed hands: 11 integers a hand, then 7 a pair.");
    m.def("score_batch", &many_deals, nb::arg("rules"), nb::arg("boards").noconvert(),
          nb::arg("lands").noconvert().none() = nb::none(), "Scores many deals of boards.");
}
