// Python bindings of the closed solver: tables of opponents, and strategies. Checks of people's input live in Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "input.hpp"
#include "results.hpp"
#include "triptych/closed/results.hpp"
#include "triptych/closed/strategy_match.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

constexpr double max_stake = 1e12;

// Thirteen cards, each once.
void require_hand(const Card* cards) {
    CardSet seen = 0;
    different_cards(std::span(cards, board_size), seen);
}

std::vector<Hand> hands_of(const nb::bytes& packed) {
    require(packed.size() > 0 && packed.size() % sizeof(Hand) == 0, "hands of 18 bytes expected");
    std::vector<Hand> hands(packed.size() / sizeof(Hand));
    std::memcpy(hands.data(), packed.c_str(), packed.size());
    for (const Hand& hand : hands) {
        require(hand.kind <= HandKind::dead, "unknown kind of hand");
        require_hand(hand.cards.data());
    }
    return hands;
}

const Card* hand_of(const nb::bytes& cards) {
    const Card* hand = board_cards(cards);
    require_hand(hand);
    return hand;
}

void make_samples(OwnedSamples* self, const RulesTable& rules, const nb::bytes& packed, const std::vector<double>& stakes) {
    const std::vector<Hand> hands = hands_of(packed);
    require(!stakes.empty() && stakes.size() <= max_closed_seats && hands.size() % stakes.size() == 0, "samples of one to three hands expected");
    require(all_within(stakes, 0, max_stake), "a stake is not negative, and finite");
    new (self) OwnedSamples(rules, hands, stakes);
}

ClosedSolver& solver() {
    thread_local ClosedSolver solver;
    return solver;
}

ClosedBoard table_best(const OwnedSamples& samples, const nb::bytes& text) {
    const Card* cards = hand_of(text);
    const nb::gil_scoped_release release;
    return {solver().best(samples.table, cards), cards};
}

ClosedRanking table_rank(const OwnedSamples& samples, const nb::bytes& text, std::size_t top) {
    const Card* cards = hand_of(text);
    const nb::gil_scoped_release release;
    std::vector<ClosedValue> values;
    solver().rank(samples.table, cards, values);
    return {values, cards, top};
}

using Hands = nb::ndarray<const std::uint8_t, nb::shape<-1, board_size>, nb::c_contig, nb::device::cpu>;

void require_hands(const Hands& hands) {
    for (std::size_t i = 0; i < hands.shape(0); ++i) require_hand(hands.data() + i * board_size);
}

nb::tuple field_play(const HandPool& hand_pool, const Hands& hands, std::size_t seats) {
    const std::size_t count = hands.shape(0);
    require(seats >= 1 && seats <= max_closed_seats, "one to three opponents");
    require(!hand_pool.pool().hands.empty(), "the hand pool is empty");
    require_hands(hands);
    const Column<std::uint8_t> kinds(count);
    const Column<std::uint8_t> boards(count * board_size);
    const Column<double> points(count);
    {
        const nb::gil_scoped_release release;
        play_hands(hand_pool, {hands.data(), count * board_size}, seats, {kinds.data, boards.data, points.data});
    }
    return nb::make_tuple(kinds.array({count}), boards.array({count, board_size}), points.array({count}));
}

// The deals' players take the strategy's place in turn.
nb::ndarray<nb::numpy, double> field_gains(const HandPool& hand_pool, const HandPool& rival, const Hands& hands, std::size_t players, std::size_t per_deal) {
    require(players >= 2 && per_deal >= players && per_deal <= max_hands && per_deal % players == 0 && hands.shape(0) % per_deal == 0,
            "whole deals of two to four hands expected");
    require(!hand_pool.pool().hands.empty() && !rival.pool().hands.empty(), "the hand pool is empty");
    require_hands(hands);
    const std::size_t deals = hands.shape(0) / per_deal;
    Column<double> gains(deals);
    {
        const nb::gil_scoped_release release;
        StrategyMatch payoffs(hand_pool, rival, {players, per_deal});
        for (std::size_t i = 0; i < deals; ++i) gains.data[i] = payoffs.gain(hands.data() + i * per_deal * board_size, i % players);
    }
    return gains.array({deals});
}

std::vector<SeatState> states_of(const std::vector<int>& numbers) {
    require(all_within(numbers, 0, 2), "unknown state of a seat");
    require(!numbers.empty() && numbers.size() <= max_closed_seats, "one to three opponents");
    std::vector<SeatState> states;
    for (const int number : numbers) states.push_back(static_cast<SeatState>(number));
    return states;
}

ClosedChoice field_choose(const HandPool& hand_pool, const nb::bytes& text, const nb::bytes& known, const std::vector<int>& states, std::size_t top) {
    const Card* cards = hand_of(text);
    require(!hand_pool.pool().hands.empty(), "the hand pool is empty");
    BestResponse strategy(hand_pool);
    const CardSet seen = set_of(cards_of(known));
    const std::vector<SeatState> seats = states_of(states);
    const nb::gil_scoped_release release;
    strategy.set_opponents(set_of({cards, board_size}), seen, seats);
    return {strategy.solver(), strategy.table(), cards, top};
}

ClosedPlay field_announce(const HandPool& hand_pool, const nb::bytes& text, const nb::bytes& known, const std::vector<int>& states) {
    const Card* board = hand_of(text);
    require(!hand_pool.pool().hands.empty(), "the hand pool is empty");
    BestResponse strategy(hand_pool);
    strategy.set_opponents(set_of({board, board_size}), set_of(cards_of(known)), states_of(states));
    return {strategy.solver(), strategy.table(), board};
}

}  // namespace

void init_closed(nb::module_& m) {
    nb::class_<OwnedSamples>(m, "OpponentSamples", "Opponents of a closed deal: samples of one to three hands, each sample as likely.")
        .def("__init__", &make_samples, "rules"_a, "hands"_a, "stakes"_a,
             "Take the hands as `score_deal` packs them, sample by sample, and the stake of each seat in a sample.")
        .def("best", &table_best, "cards"_a, "The best setting of 13 cards, without its chances. Exact.")
        .def("value",
             [](const OwnedSamples& samples, const nb::bytes& text) { return ClosedBoard(solver().value(samples.table, hand_of(text)), hand_of(text)); },
             "board"_a, "What one board is worth, chances against a seat.")
        .def("rank", &table_rank, "cards"_a, "top"_a, "All settings from the best down: how many, how many of them legal, and the first `top`.")
        .def("surrender", [](const OwnedSamples& samples) { return solver().value_without_board(samples.table, samples.table.surrender()); },
             "Mean points of a surrender.")
        .def("natural", [](const OwnedSamples& samples, const nb::bytes& text) {
        return solver().value_without_board(samples.table, samples.table.natural(best_natural(samples.rules, hand_of(text))));
    }, "cards"_a, "Mean points of the natural that 13 cards hold, taken instead of setting them.");
    nb::class_<HandPool>(m, "HandPool",
                         "Hands as a strategy plays them; the best response to them is a strategy again.\n\nSeats are 0 unknown, 1 without a natural, 2 "
                         "playing its board. A hand stands for all its suit permutations.")
        .def("__init__", [](HandPool* self, const RulesTable& rules, const nb::bytes& packed) { new (self) HandPool(rules, hands_of(packed)); }, "rules"_a,
             "hands"_a, "Take hands as `score_deal` packs them: boards, surrendered boards, and naturals.")
        .def("play", &field_play, "hands"_a.noconvert(), "seats"_a,
             "Play many hands, shape (n, 13), each against so many unknown seats.\n\nReturns kinds (0 board, 1 surrender, 2 natural), the best boards (a "
             "natural's cards as they are), points.")
        .def("gains", &field_gains, "rival"_a, "hands"_a.noconvert(), "players"_a, "per_deal"_a,
             "Points of each deal that `rival` wins above this strategy with the cards of one player.\n\n`hands`: shape (deals * per_deal, 13), in deal order; "
             "hand h is player h % players. The rival plays for player 0 in the first deal, for player 1 in the next, and so on. All rules: naturals, "
             "surrenders in turn, the scorer.")
        .def("choose", &field_choose, "cards"_a, "known"_a, "states"_a, "top"_a,
             "What one hand can do: points of surrender, of its natural, and its settings as `OpponentSamples.rank`.\n\n`known`: other cards that no seat can "
             "hold. With `top` 0 only the best setting is looked for, without chances.")
        .def("announce", &field_announce, "board"_a, "known"_a, "states"_a, "Points of playing a finished board and of surrendering it.");
}
