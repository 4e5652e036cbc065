// Python bindings of the scorer: rank values, rule tables, one deal, many deals. Checks of people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/score/rank.hpp"
#include "triptych/score/results.hpp"
#include "triptych/score/rules_check.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

void make_rules(RulesTable* self, const std::vector<std::int32_t>& numbers) {
    require(numbers.size() == rules_size, "wrong number of integers for a rules table");
    RulesTable rules;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    require(rules_are_right(rules), "the kernel has no such rules");
    new (self) RulesTable(rules);
}

template <typename Number>
nb::tuple tuple_of(const std::array<Number, row_count>& rows) {
    return nb::make_tuple(rows[front_row], rows[middle_row], rows[back_row]);
}

int points_of_rows(const RulesTable& rules, int front, int middle, int back) {
    require(all_within(RowPoints{front, middle, back}, -1, 1), "a row is won 1, tied 0 or lost -1");
    return pair_points(rules, {front, middle, back});
}

BoundedRows bounded_rows(const RulesTable& rules, const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back, bool jokers) {
    return {rules, {cards_of(front, 3), cards_of(middle, 5), cards_of(back, 5)}, jokers};
}

nb::tuple royalties_of_rows(const RulesTable& rules, Rank front, Rank middle, Rank back) {
    require(values_are_right(rules, {front, middle, back}), "no row has such a value");
    return nb::make_tuple(front_royalty(rules, front), middle_royalty(rules, middle), back_royalty(rules, back));
}

nb::tuple fields() {
    nb::list fields;
    for (const RulesField& field : rules_fields) fields.append(nb::make_tuple(field.name, field.offset, field.count));
    return nb::tuple(fields);
}

ScoredDeal deal_scores(const RulesTable& rules, const nb::bytes& packed) {
    const std::size_t count = packed.size() / sizeof(Hand);
    require(count >= 2 && count <= max_hands && packed.size() % sizeof(Hand) == 0, "two to four hands expected");
    std::array<Hand, max_hands> hands;
    std::memcpy(hands.data(), packed.c_str(), packed.size());
    for (std::size_t i = 0; i < count; ++i) {
        require(hands[i].kind <= HandKind::dead, "unknown kind of hand");
        if (hands[i].kind != HandKind::surrender) require_cards(hands[i].cards);
    }
    return {rules, {hands.data(), count}};
}

using Boards = nb::ndarray<const std::uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

nb::tuple many_deals(const RulesTable& rules, const Boards& boards, const std::optional<Boards>& fantasylands) {
    const std::size_t deals = boards.shape(0);
    const std::size_t seats = boards.shape(1);
    require(boards.shape(2) == board_size && seats >= 2 && seats <= max_hands, "boards have shape (deals, 2 to 4, 13)");
    require(!fantasylands || (fantasylands->shape(0) == deals && fantasylands->shape(1) == seats && fantasylands->shape(2) == 2),
            "fantasylands have shape (deals, seats, 2)");
    const std::span<const Card> cards(boards.data(), deals * seats * board_size);
    require_cards(cards);
    const std::size_t pair_count = seats * (seats - 1) / 2;
    const Column<std::int32_t> pairs(deals * pair_count);
    const Column<std::int32_t> royalties(deals * seats * row_count);
    const Column<bool> legal(deals * seats);
    const Column<std::uint8_t> next(deals * seats);
    {
        const nb::gil_scoped_release release;
        const std::span<const std::uint8_t> sizes = fantasylands ? std::span(fantasylands->data(), deals * seats * 2) : std::span<const std::uint8_t>();
        score_deals(rules, cards, seats, sizes, {pairs.data, royalties.data, legal.data, next.data});
    }
    return nb::make_tuple(pairs.array({deals, pair_count}), royalties.array({deals, seats, row_count}), legal.array({deals, seats}),
                          next.array({deals, seats}));
}

using Ranks = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>, nb::c_contig>;
template <std::size_t N>
using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, N>, nb::c_contig, nb::device::cpu>;

Card checked(int card) {
    require(card >= 0 && card < deck_size, "a card is an int from 0 to 51");
    return static_cast<Card>(card);
}

// Rank of a tuple or list of three or five different numbers of real cards; 0 for any other object.
Rank rank_of_numbers(nb::handle given) {
    PyObject* const cards = given.ptr();
    const bool listed = PyList_CheckExact(cards);
    if (!listed && !PyTuple_CheckExact(cards)) return 0;
    const Py_ssize_t size = listed ? NB_LIST_GET_SIZE(cards) : NB_TUPLE_GET_SIZE(cards);
    if (size != 3 && size != 5) return 0;
    std::array<Card, 5> row{};
    CardSet seen = 0;
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject* const card = listed ? NB_LIST_GET_ITEM(cards, i) : NB_TUPLE_GET_ITEM(cards, i);
        if (!PyLong_CheckExact(card)) return 0;
        int overflow = 0;
        const long number = PyLong_AsLongAndOverflow(card, &overflow);
        if (overflow != 0 || number < 0 || number >= deck_size || (seen & bit(static_cast<Card>(number))) != 0) return 0;
        row[static_cast<std::size_t>(i)] = static_cast<Card>(number);
        seen |= bit(static_cast<Card>(number));
    }
    return size == 3 ? rank3(row.data()) : rank5(row.data());
}

// What `make` makes of rank values, each once: there are 7,462 of five cards and 455 of three.
class RankObjects {
public:
    explicit RankObjects(nb::object make) : make_(std::move(make)) {}

    nb::object of(Rank value) {
        std::size_t at = (value * 0x9E3779B1U) >> (32 - index_bits);
        while (values_[at] != value && values_[at] != 0) at = (at + 1) % values_.size();
        if (values_[at] == 0) {
            objects_[at] = make_(static_cast<std::uint32_t>(value));
            values_[at] = value;
        }
        return objects_[at];
    }

private:
    static constexpr int index_bits = 14;
    nb::object make_;
    std::array<Rank, std::size_t{1} << index_bits> values_{};
    std::array<nb::object, std::size_t{1} << index_bits> objects_;
};

// A function from such rows to what `make` makes of their ranks; None for any other object.
nb::object known_ranks(nb::object make) {
    return nb::cpp_function([ranks = std::make_unique<RankObjects>(std::move(make))](nb::handle cards) -> nb::object {
        const Rank value = rank_of_numbers(cards);
        return value != 0 ? ranks->of(value) : nb::none();
    });
}

template <std::size_t N, typename Value>
Ranks batch(const Rows<N>& rows, Value value) {
    const std::size_t count = rows.shape(0);
    const Card* cards = rows.data();
    const Column<std::uint32_t> ranks(count);
    bool known = true;
    {
        const nb::gil_scoped_release release;
        unsigned above = 0;
        for (std::size_t i = 0; i < count * N; ++i) above |= cards[i] >= deck_size;
        known = above == 0;
        for (std::size_t i = 0; known && i < count; ++i) ranks.data[i] = value(cards + i * N);
    }
    require(known, "a card is an int from 0 to 51");
    return Ranks(ranks.data, {count}, ranks.owner);
}

}  // namespace

void init_score(nb::module_& m) {
    m.def("rank5", [](int a, int b, int c, int d, int e) { return rank5(checked(a), checked(b), checked(c), checked(d), checked(e)); },
          "Rank value of five different cards, A2345 as the lowest straight. No jokers.");
    m.def("rank3", [](int a, int b, int c) { return rank3(checked(a), checked(b), checked(c)); },
          "Rank value of a front: high card, pair or trips. No jokers.");
    m.def("known_ranks", &known_ranks, nb::sig("def known_ranks(make: Callable[[int], _T], /) -> Callable[[object], _T | None]"),
          "A function from a row to what `make` makes of its rank value, once for each value.\n\nA row is a tuple or list of three or five different numbers "
          "below 52; for any other object it returns None.");
    m.def("wheel_second", &wheel_second, "The same rank value where A2345 is the second highest straight.");
    m.def("low_order", &low_order, "Order of a five-card rank value as a deuce-to-seven low; the higher order is the better low.");
    m.def("from_low_order", &from_low_order, "The rank value that a low order stands for, A2345 as ace high.");
    m.def("is_low", &is_low, "Whether a low order is ten-low or better without pair, straight or flush.");
    m.def("rank5_batch", [](const Rows<5>& rows) { return batch<5>(rows, [](const Card* row) { return rank5(row); }); }, "rows"_a.noconvert(),
          "Rank values of many five-card rows, shape (n, 5), C-contiguous; releases the GIL.");
    m.def("rank3_batch", [](const Rows<3>& rows) { return batch<3>(rows, [](const Card* row) { return rank3(row); }); }, "rows"_a.noconvert(),
          "Rank values of many fronts, shape (n, 3), C-contiguous; releases the GIL.");
    m.def("row_points", &points_of_rows, "rules"_a, "front"_a, "middle"_a, "back"_a,
          "Row points of a pair for rows won 1, tied 0, lost -1, with a scoop's own doubling; 0 where the table pays.");
    nb::class_<RulesTable>(m, "Rules", "A ruleset as flat integers; triptych.rules.compile makes it.")
        .def("__init__", &make_rules, "numbers"_a, "Take all integers of the table, in the order of `rules_fields`.");
    m.def("rules_fields", &fields, "Name, offset and count of every field of a rules table.");
    m.def("row_values", [](const RulesTable& rules, const nb::bytes& board) { return tuple_of(board_values(rules, board_cards(board))); }, "rules"_a, "board"_a,
          "Values of front, middle and back of 13 cards (front first), jokers chosen by the rules.\n\nThe middle of a deuce-to-seven game is a low order.");
    m.def("offending_rows", [](const RulesTable& rules, Rank front, Rank middle, Rank back) { return offending_rows(rules, {front, middle, back}); }, "rules"_a,
          "front"_a, "middle"_a, "back"_a, "Bits 1 front, 2 middle, 4 back of the rows that break the order; 0 = legal.");
    m.def("best_natural", [](const RulesTable& rules, const nb::bytes& cards) { return best_natural(rules, board_cards(cards)); }, "rules"_a, "cards"_a,
          "Index in the rules' table of naturals and units of the best one held; entry -1 without one.");
    m.def("shows_natural", [](const RulesTable& rules, const nb::bytes& board) { return shows_natural(rules, board_cards(board)); }, "rules"_a, "board"_a,
          "Whether three flushes or three straights set as rows claim a natural by themselves.");
    m.def("broken_up", [](const RulesTable& rules, const nb::bytes& board) { return broken_up(rules, board_cards(board)); }, "rules"_a, "board"_a,
          "What the dearest quads or straight flush that a board breaks up earns, and its rank; (0, 0) = none.");
    m.def("row_bounds", &bounded_rows, "rules"_a, "front"_a, "middle"_a, "back"_a, "jokers"_a = false,
          "Lowest and highest value that each row can still take from cards off the own board, and condemned rows.\n\nRows may be full, empty or in between. "
          "`jokers`: whether one may still come. Condemned rows (bits 1 front, 2 middle, 4 back) break the order for certain.");
    m.def("row_royalties", &royalties_of_rows, "rules"_a, "front"_a, "middle"_a, "back"_a,
          "Royalty of front, middle and back by their values, whatever else the board holds.");
    m.def("score_deal", &deal_scores, "rules"_a, "hands"_a,
          "Score two to four hands of 18 bytes: kind, declared rows, fantasyland cards, in a row, owner, 13 cards.\n\nKinds: 0 board, 1 surrender, 2 natural, "
          "3 a board that counts as a foul. Pairs come in the order 0-1, 0-2, …, 1-2, …");
    m.def("score_batch", &many_deals, "rules"_a, "boards"_a.noconvert(), "fantasylands"_a.noconvert().none() = nb::none(),
          "Score many deals of boards, shape (deals, seats, 13); `fantasylands` (deals, seats, 2): cards, number in a row.\n\nReturns "
          "pair points (deals, pairs), royalties (deals, seats, 3), legal (deals, seats) and the next fantasylands (deals, seats). Releases the GIL.");
}
