// The exponential, the same to the last bit on every machine and in the browser: those of the C libraries differ there.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace triptych::learn {

// e to the power x, rounded to a float; 0 and infinity where it is too small or too large for one.
// x = k ln 2 + r with |r| <= ln 2 / 2, where the series up to r^13 is as exact as a double.
inline float exponential(float x) {
    constexpr double log2_e = 1.4426950408889634074;
    constexpr double ln2 = 0.69314718055994530942;
    if (!(x > -110.0F)) return 0;
    if (x > 90.0F) return std::numeric_limits<float>::infinity();
    const double turns = static_cast<double>(x) * log2_e;
    const auto k = static_cast<std::int32_t>(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double r = static_cast<double>(x) - static_cast<double>(k) * ln2;
    double sum = 1;
    for (int n = 13; n > 0; --n) sum = 1 + sum * r / n;
    return static_cast<float>(sum * std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52));
}

}  // namespace triptych::learn
