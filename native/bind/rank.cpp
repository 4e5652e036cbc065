// Python bindings of rank values: single calls and batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

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
    m.def("known_ranks", &known_ranks,
          nb::sig("def known_ranks(make: Callable[[int], _T], /) -> Callable[[object], _T | None]"),
          "A function from a row to what `make` makes of its rank value, once for each value.\n\n"
          "A row is a tuple or list of three or five different numbers below 52; for any other object it returns None.");
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
