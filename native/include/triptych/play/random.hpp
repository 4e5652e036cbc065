// Small fast generators for simulation and sampling. Never used to deal at a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "triptych/score/cards.hpp"

namespace triptych {

// xoshiro256**, seeded by splitmix64.
class Random {
public:
    // Streams of one seed are independent of each other: one a deal or an environment.
    explicit Random(std::uint64_t seed = 0, std::uint64_t stream = 0) {
        std::uint64_t mixed = splitmix(seed) ^ splitmix(stream + 0x632BE59BD9B4E019ULL);
        for (std::uint64_t& word : state_) {
            mixed += 0x9E3779B97F4A7C15ULL;
            word = splitmix(mixed);
        }
    }

    std::uint64_t next() {
        const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = rotate(state_[3], 45);
        return result;
    }

    // Uniform in 0..bound-1. The multiply-shift bias is below bound / 2^32, far under any simulation's error.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 32) * static_cast<std::uint64_t>(bound) >> 32); }

    // Uniform in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    static std::uint64_t rotate(std::uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

    static std::uint64_t splitmix(std::uint64_t word) {
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL;
        word = (word ^ word >> 27) * 0x94D049BB133111EBULL;
        return word ^ word >> 31;
    }

    std::array<std::uint64_t, 4> state_{};
};

// Small, fast, seeded: the same seed gives the same samples on every machine (splitmix64).
class Shuffler {
public:
    explicit Shuffler(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    // Moves `count` cards drawn without bias enough for sampling to the front of `cards`.
    void draw(std::vector<Card>& cards, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t span = cards.size() - i;
            std::swap(cards[i], cards[i + static_cast<std::size_t>((next() >> 32) * span >> 32)]);
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace triptych
