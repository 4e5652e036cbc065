// Python bindings of the learner's choice of a placement.
#include <nanobind/nanobind.h>

#include <array>
#include <bit>
#include <cstddef>
#include <span>

#include "learner.hpp"
#include "triptych/learn/look.hpp"
#include "triptych/learn/task_check.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;
using namespace triptych::learn;

namespace {

// A card by its text; `no_card` for one that is not known.
constexpr Card no_card = 64;

Card card_of_text(PyObject* text) {
    static const auto table = [] {
        std::array<std::array<Card, 128>, 128> of;
        for (auto& row : of) row.fill(no_card + 1);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (std::size_t suit = 0; suit < suits; ++suit) of[static_cast<std::size_t>("23456789TJQKA"[rank])][static_cast<std::size_t>("cdhs"[suit])] = static_cast<Card>(4 * rank + suit);
        }
        of['X']['1'] = first_joker;
        of['X']['2'] = first_joker + 1;
        of['?']['?'] = no_card;
        return of;
    }();
    Py_ssize_t size = 0;
    const char* letters = PyUnicode_Check(text) != 0 ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
    need(letters != nullptr && size == 2 && letters[0] > 0 && letters[1] > 0, "a card is two letters");
    const Card card = table[static_cast<std::size_t>(letters[0])][static_cast<std::size_t>(letters[1])];
    need(card <= no_card, "no such card");
    return card;
}

// `visit(card)` for each that is known.
template <typename Visit>
void each_card(PyObject* texts, const Visit& visit) {
    need(PyTuple_Check(texts) != 0, "cards lie in a tuple");
    for (Py_ssize_t i = 0; i < PyTuple_Size(texts); ++i) {
        const Card card = card_of_text(PyTuple_GetItem(texts, i));
        if (card != no_card) visit(card);
    }
}

// The placement that the learned value likes best, from the texts of a view: they are read here because that takes longer in Python
// than the choice does. Of each hand front, middle, back, cards not in rows, discards.
nb::tuple place(const Learner& learner, std::size_t street, const nb::list& boards, std::size_t me, const nb::tuple& cards, bool looking) {
    const DealShape& shape = learner.shape();
    const std::size_t hands = nb::len(boards);
    need(street < shape.streets && nb::len(cards) == shape.dealt[street], "wrong cards for the street");
    need(hands <= max_hands && me < hands, "wrong number of hands");
    CardSet unseen = (CardSet{1} << shape.deck) - 1;
    CardSet apart = 0;  // cards of the street and in rows
    const auto lay = [&](Card card) {
        need(card < shape.deck && (apart & bit(card)) == 0, "a card is in two places, or not in the pack");
        apart |= bit(card);
    };
    std::array<Card, max_street_cards> drawn{};
    std::size_t dealt = 0;
    each_card(cards.ptr(), [&](Card card) {
        lay(card);
        unseen &= ~bit(card);
        drawn[dealt++] = card;
    });
    need(dealt == shape.dealt[street], "the street's cards are known");
    std::array<PlayedBoard, max_hands> laid;  // the others, and its own behind them
    for (std::size_t h = 0, other = 0; h < hands; ++h) {
        PyObject* parts = PyList_GetItem(boards.ptr(), static_cast<Py_ssize_t>(h));
        need(PyTuple_Check(parts) != 0 && PyTuple_Size(parts) == 5, "five parts of each hand");
        PlayedBoard& board = laid[h == me ? hands - 1 : other++];
        for (std::size_t part = 0; part < 5; ++part) {
            each_card(PyTuple_GetItem(parts, static_cast<Py_ssize_t>(part)), [&](Card card) {
                unseen &= ~bit(card);
                if (part >= row_count) return;
                lay(card);
                need(board.rows[part].size < row_size[part], "too many cards");
                board.cards[row_start[part] + board.rows[part].size] = card;
                board.rows[part].add(card);
            });
        }
    }
    const PlayedBoard& own = laid[hands - 1];
    need(lying(own) == placed_after(shape, street), "the hand is not at this street");
    const ValueTables& value = learner.self().value();
    const Strengths& strengths = learner.self().strengths();
    const Placement best = looking
        ? Look(value, learner.rules(), strengths, shape, unseen, std::span(laid).first(hands - 1)).choose(street, own, drawn.data())
        : greedy(value, learner.rules(), strengths, shape, street, own, drawn.data(), LiveCards(unseen));
    const auto row = [&](std::size_t which) {
        nb::object texts = nb::steal(PyTuple_New(std::popcount(best.row[which])));
        Py_ssize_t at = 0;
        for (std::size_t i = 0; i < dealt; ++i) {
            if ((best.row[which] >> i & 1U) != 0) PyTuple_SetItem(texts.ptr(), at++, nb::object(cards[i]).release().ptr());
        }
        return texts;
    };
    return nb::make_tuple(row(front_row), row(middle_row), row(back_row));
}

}  // namespace

void init_choosing(nb::module_& m) {
    m.def("place", &place, nb::arg("learner"), nb::arg("street"), nb::arg("boards"), nb::arg("me"), nb::arg("cards"), nb::arg("looking"),
          "The greedy placement of a hand's `cards`, for front, middle, back, from the texts of a view of all hands.\n\n`looking`: close "
          "placements are told apart by what may come on the next street, and near the end the rows are held against what lies open of the "
          "others' boards.");
}
