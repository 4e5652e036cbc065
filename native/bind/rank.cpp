// Python bindings of rank values: single calls and batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "input.hpp"
#include "triptych/score/rank.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

using Ranks = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>, nb::c_contig>;
template <std::size_t N>
using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, N>, nb::c_contig, nb::device::cpu>;

Card checked(int card) {
    need(card >= 0 && card < deck_size, "a card is an int from 0 to 51");
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

// What a dict holds for the rank of such a row; None for any other object.
nb::object known_rank(nb::handle cards, const nb::dict& ranks) {
    const Rank value = rank_of_numbers(cards);
    if (value == 0) return nb::none();
    const nb::object key = nb::steal(PyLong_FromLong(static_cast<long>(value)));
    PyObject* const known = PyDict_GetItemWithError(ranks.ptr(), key.ptr());
    return known != nullptr ? nb::borrow(known) : nb::steal(PyObject_GetItem(ranks.ptr(), key.ptr()));
}

template <std::size_t N, typename Value>
Ranks batch(const Rows<N>& rows, Value value) {
    const std::size_t count = rows.shape(0);
    const Card* cards = rows.data();
    auto* out = new std::uint32_t[count];
    const nb::capsule owner(out, [](void* data) noexcept { delete[] static_cast<std::uint32_t*>(data); });
    bool known = true;
    {
        const nb::gil_scoped_release release;
        unsigned above = 0;
        for (std::size_t i = 0; i < count * N; ++i) above |= cards[i] >= deck_size;
        known = above == 0;
        for (std::size_t i = 0; known && i < count; ++i) out[i] = value(cards + i * N);
    }
    need(known, "a card is an int from 0 to 51");
    return Ranks(out, {count}, owner);
}

}  // namespace

void init_rank(nb::module_& m) {
    m.def(
        "rank5",
        [](int a, int b, int c, int d, int e) {
            return rank5(checked(a), checked(b), checked(c), checked(d), checked(e));
        },
          "Rank value of five different cards, A2345 as the lowest straight. No jokers.");
    m.def(
        "rank3", [](int a, int b, int c) { return rank3(checked(a), checked(b), checked(c)); },
          "Rank value of a front: high card, pair or trips. No jokers.");
    m.def("known_rank", &known_rank, nb::sig("def known_rank(cards: object, ranks: dict[int, _T], /) -> _T | None"),
          "What a dict holds for the rank value of a row, a tuple or list of three or five different numbers below 52.\n\nNone for any "
          "other object.");
    m.def("wheel_second", &wheel_second,
          "The same rank value where A2345 is the second highest straight.");
    m.def("low_order", &low_order,
          "Order of a five-card rank value as a deuce-to-seven low; the higher order is the better low.");
    m.def("from_low_order", &from_low_order,
          "The rank value that a low order stands for, A2345 as ace high.");
    m.def("is_low", &is_low,
          "Whether a low order is ten-low or better without pair, straight or flush.");
    m.def(
        "rank5_batch",
        [](const Rows<5>& rows) { return batch<5>(rows, [](const Card* row) { return rank5(row); }); },
        nb::arg("rows").noconvert(),
          "Rank values of many five-card rows, shape (n, 5), C-contiguous; releases the GIL.");
    m.def(
        "rank3_batch",
        [](const Rows<3>& rows) { return batch<3>(rows, [](const Card* row) { return rank3(row); }); },
        nb::arg("rows").noconvert(),
          "Rank values of many fronts, shape (n, 3), C-contiguous; releases the GIL.");
}
