// Random calls of the kernel for the sanitizers and the fuzzer, and the check of their results. Every call is one that the Python
// bindings allow; other tests compare values with enumeration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "triptych/play/random.hpp"
#include "triptych/score/board.hpp"

namespace triptych::fuzz_cases {

// Where choices come from: bytes of a fuzzer's input while there are any, then a generator seeded by all of them.
class FuzzInput {
public:
    FuzzInput(const std::uint8_t* data, std::size_t size) : data_(data), size_(size), random_(hash(data, size)) {}

    std::size_t below(std::size_t end) {
        if (at_ >= size_) return random_.below(static_cast<std::uint32_t>(end));
        std::size_t value = data_[at_++];
        if (end > 256 && at_ < size_) value = value << 8 | data_[at_++];
        return value % end;
    }
    bool once_in(std::size_t times) { return below(times) == 0; }
    std::uint64_t seed() { return random_.next(); }

    std::vector<Card> deck(std::size_t jokers) {
        std::vector<Card> cards(deck_size + jokers);
        for (std::size_t i = 0; i < cards.size(); ++i) cards[i] = static_cast<Card>(i);
        for (std::size_t i = 0; i + 1 < cards.size(); ++i) std::swap(cards[i], cards[i + below(cards.size() - i)]);
        return cards;
    }

private:
    static std::uint64_t hash(const std::uint8_t* data, std::size_t size) {
        std::uint64_t value = 0xCBF29CE484222325ULL;
        for (std::size_t i = 0; i < size; ++i) value = (value ^ data[i]) * 0x100000001B3ULL;
        return value;
    }

    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
    Random random_;
};

inline void expect(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "wrong answer: %s\n", what);
    std::abort();
}

}  // namespace triptych::fuzz_cases
