// Python bindings of the closed solver: tables of opponents, and fields with the best response to them. Argument checks
// of people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/closed/duel.hpp"
#include "triptych/closed/results.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

constexpr double largest_stake = 1e12;

// Thirteen cards, each once.
void need_hand(const Card* cards) {
    need_cards({cards, board_size});
    need(std::popcount(set_of({cards, board_size})) == board_size, "a card is given twice");
}

std::vector<Hand> hands_of(const nb::bytes& packed) {
    need(packed.size() > 0 && packed.size() % sizeof(Hand) == 0, "hands of 18 bytes expected");
    std::vector<Hand> hands(packed.size() / sizeof(Hand));
    std::memcpy(hands.data(), packed.c_str(), packed.size());
    for (const Hand& hand : hands) {
        need(hand.kind <= HandKind::dead, "unknown kind of hand");
        need_hand(hand.cards.data());
    }
    return hands;
}

const Card* hand_of(const nb::bytes& cards) {
    const Card* hand = thirteen(cards);
    need_hand(hand);
    return hand;
}

// A table with everything that it points into.
struct OwnedTable {
    RulesTable rules;
    ClosedPool pool;
    ClosedTable::Seats seats;
    ClosedTable table;

    OwnedTable(const RulesTable& from, const nb::bytes& packed, const std::vector<double>& stakes) : rules(from) {
        const std::vector<Hand> hands = hands_of(packed);
        const std::size_t count = stakes.size();
        need(count >= 1 && count <= max_closed_seats && hands.size() % count == 0, "samples of one to three hands expected");
        need(all_within(stakes, 0, largest_stake), "a stake is not negative, and finite");
        for (const Hand& hand : hands) pool.hands.push_back(closed_hand(rules, hand));
        pool.sort();
        seats.resize(count);
        for (std::size_t i = 0; i < hands.size(); ++i) seats[i % count].push_back(static_cast<std::uint32_t>(i));
        table.set(rules, pool, seats, stakes);
    }
    OwnedTable(const OwnedTable&) = delete;
};

ClosedSolver& solver() {
    thread_local ClosedSolver one;
    return one;
}

ClosedBoard table_best(const OwnedTable& owned, const nb::bytes& text) {
    const Card* cards = hand_of(text);
    ClosedValue best;
    {
        const nb::gil_scoped_release release;
        best = solver().best(owned.table, cards);
    }
    return {best, cards};
}

ClosedBoard table_value(const OwnedTable& owned, const nb::bytes& text) {
    const Card* board = hand_of(text);
    return {solver().value(owned.table, board), board};
}

ClosedRanking table_rank(const OwnedTable& owned, const nb::bytes& text, std::size_t top) {
    const Card* cards = hand_of(text);
    std::vector<ClosedValue> values;
    {
        const nb::gil_scoped_release release;
        solver().rank(owned.table, cards, values);
    }
    return {values, cards, top};
}

double table_natural(const OwnedTable& owned, const nb::bytes& text) {
    return solver().absent(owned.table, owned.table.natural(best_natural(owned.rules, hand_of(text))));
}

using Hands = nb::ndarray<const std::uint8_t, nb::shape<-1, board_size>, nb::c_contig, nb::device::cpu>;

void need_hands(const Hands& hands) {
    for (std::size_t i = 0; i < hands.shape(0); ++i) need_hand(hands.data() + i * board_size);
}

// The strategy's play of many hands: kinds, boards (front first; the cards as given for a natural), points.
nb::tuple field_play(const ClosedField& field, const Hands& hands, std::size_t seats) {
    const std::size_t count = hands.shape(0);
    need(seats >= 1 && seats <= max_closed_seats, "one to three opponents");
    need(!field.pool().hands.empty(), "the field is empty");
    need_hands(hands);
    Column<std::uint8_t> kinds(count);
    Column<std::uint8_t> boards(count * board_size);
    Column<double> points(count);
    {
        const nb::gil_scoped_release release;
        ClosedStrategy strategy(field);
        for (std::size_t i = 0; i < count; ++i) {
            const Card* cards = hands.data() + i * board_size;
            const ClosedStrategy::Decision decision = strategy.decide(cards, 0, seats);
            const auto board = board_of(decision.setting, cards);
            std::copy_n(decision.kind == HandKind::natural ? cards : board.data(), board_size, boards.data + i * board_size);
            kinds.data[i] = static_cast<std::uint8_t>(decision.kind);
            points.data[i] = decision.points;
        }
    }
    return nb::make_tuple(kinds.array({count}), boards.array({count, board_size}), points.array({count}));
}

// What the rival wins in each deal above the strategy; the deals' players take its place in turn.
nb::ndarray<nb::numpy, double> field_gains(const ClosedField& field, const ClosedField& rival, const Hands& hands,
                                           std::size_t players, std::size_t per_deal) {
    need(players >= 2 && per_deal >= players && per_deal <= max_hands && per_deal % players == 0 && hands.shape(0) % per_deal == 0,
         "whole deals of two to four hands expected");
    need(!field.pool().hands.empty() && !rival.pool().hands.empty(), "the field is empty");
    need_hands(hands);
    const std::size_t deals = hands.shape(0) / per_deal;
    Column<double> gains(deals);
    {
        const nb::gil_scoped_release release;
        ClosedDuel duel(field, rival, {players, per_deal});
        for (std::size_t i = 0; i < deals; ++i) {
            gains.data[i] = duel.gain(hands.data() + i * per_deal * board_size, i % players);
        }
    }
    return gains.array({deals});
}

std::vector<SeatState> states_of(const std::vector<int>& numbers) {
    std::vector<SeatState> states;
    for (int number : numbers) {
        need(number >= 0 && number <= 2, "unknown state of a seat");
        states.push_back(static_cast<SeatState>(number));
    }
    need(!states.empty() && states.size() <= max_closed_seats, "one to three opponents");
    return states;
}

// What one hand can do against a field: the points of surrender and of its natural, how many settings there are and
// are legal, and the best ones in full; top = 0 gives the best board and its points alone, without going through all.
ClosedChoice field_choose(const ClosedField& field, const nb::bytes& text, const nb::bytes& known, const std::vector<int>& states,
                       std::size_t top) {
    const Card* cards = hand_of(text);
    need(!field.pool().hands.empty(), "the field is empty");
    ClosedStrategy strategy(field);
    const CardSet own = set_of({cards, board_size});
    const CardSet seen = set_of(cards_of(known));
    const std::vector<SeatState> seats = states_of(states);
    const nb::gil_scoped_release release;
    strategy.face(own, seen, seats);
    return {strategy.solver(), strategy.table(), field.rules(), cards, top};
}

// Points of a finished board and of its surrender against a field.
ClosedPlay field_announce(const ClosedField& field, const nb::bytes& text, const nb::bytes& known, const std::vector<int>& states) {
    const Card* board = hand_of(text);
    need(!field.pool().hands.empty(), "the field is empty");
    ClosedStrategy strategy(field);
    strategy.face(set_of({board, board_size}), set_of(cards_of(known)), states_of(states));
    ClosedSolver& solver = strategy.solver();
    const double plays = solver.value(strategy.table(), board).points;
    return {plays, solver.absent(strategy.table(), strategy.table().surrender())};
}

}  // namespace

void init_closed(nb::module_& m) {
    nb::class_<OwnedTable>(m, "ClosedTable",
                           "Opponents of a closed deal: samples of one to three hands, each sample as likely.")
        .def(nb::init<const RulesTable&, const nb::bytes&, const std::vector<double>&>(), nb::arg("rules"), nb::arg("hands"),
             nb::arg("stakes"),
             "Take the hands as `score_deal` packs them, sample by sample, and the stake of each seat in a sample.")
        .def("best", &table_best, nb::arg("cards"),
             "The best setting of 13 cards, without its chances. Exact.")
        .def("value", &table_value, nb::arg("board"),
             "What one board is worth, chances against a seat.")
        .def("rank", &table_rank, nb::arg("cards"), nb::arg("top"),
             "All settings from the best down: how many, how many of them legal, and the first `top`.")
        .def("surrender", [](const OwnedTable& owned) { return solver().absent(owned.table, owned.table.surrender()); },
             "Mean points of a surrender.")
        .def("natural", &table_natural, nb::arg("cards"),
             "Mean points of the natural that 13 cards hold, taken instead of setting them.");
    nb::class_<ClosedField>(m, "ClosedField",
                            "Hands as a strategy plays them; the best response to them is a strategy again.\n\nSeats are 0 unknown, 1 "
                            "without a natural, 2 playing its board. A hand stands for all its suit permutations.")
        .def("__init__", [](ClosedField* self, const RulesTable& rules, const nb::bytes& packed) {
            new (self) ClosedField(rules, hands_of(packed));
        }, nb::arg("rules"), nb::arg("hands"),
             "Take hands as `score_deal` packs them: boards, surrendered boards, and naturals.")
        .def("play", &field_play, nb::arg("hands").noconvert(), nb::arg("seats"),
             "Play many hands, shape (n, 13), each against so many unknown seats.\n\nReturns kinds (0 board, 1 surrender, 2 natural), the "
             "best boards (a natural's cards as they are), points.")
        .def("gains", &field_gains, nb::arg("rival"), nb::arg("hands").noconvert(), nb::arg("players"), nb::arg("per_deal"),
             "Points of each deal that `rival` wins above this strategy with the cards of one player.\n\n`hands`: shape (deals * per_deal, "
             "13), in deal order; hand h is player h % players. The rival plays for player 0 in the first deal, for player 1 in the next, "
             "and so on. All rules: naturals, surrenders in turn, the scorer.")
        .def("choose", &field_choose, nb::arg("cards"), nb::arg("known"), nb::arg("states"),
             nb::arg("top"),
             "What one hand can do: points of surrender, of its natural, and its settings as `ClosedTable.rank`.\n\n`known`: other cards "
             "that no seat can hold. With `top` 0 only the best setting is looked for, without chances.")
        .def("announce", &field_announce, nb::arg("board"), nb::arg("known"), nb::arg("states"),
             "Points of playing a finished board and of surrendering it.");
}
