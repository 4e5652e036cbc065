// Python's door to rank values: single calls and batches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "triptych/score/rank.hpp"

namespace nb = nanobind;
using namespace triptych;

namespace {

using Ranks = nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>, nb::c_contig>;
template <std::size_t N>
using Rows = nb::ndarray<const std::uint8_t, nb::shape<-1, N>, nb::c_contig, nb::device::cpu>;

Card checked(int card) {
    if (card < 0 || card >= deck_size) throw nb::value_error("a card is an int from 0 to 51");
    return static_cast<Card>(card);
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
    if (!known) throw nb::value_error("a card is an int from 0 to 51");
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
