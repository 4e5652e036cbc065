// Which opponents each of our rows beats and loses to, one bit a sample: joint results are ANDs and counts of bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/closed/opponent_samples.hpp"

namespace triptych {

using BitWords = std::vector<std::uint64_t>;

// Number of set bits in `count` words, word(i) each. Written so that compilers make vector code of it.
template <typename Word>
inline std::uint64_t count_bits(std::size_t count, const Word& word) {
    constexpr std::size_t max_words = 31;  // of at most 8 bits in each byte
    std::uint64_t total = 0;
    for (std::size_t begin = 0; begin < count; begin += max_words) {
        const std::size_t end = std::min(count, begin + max_words);
        std::uint64_t bytes = 0;
        for (std::size_t i = begin; i < end; ++i) {
            std::uint64_t x = word(i);
            x -= x >> 1 & 0x5555555555555555ULL;
            x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
            bytes += (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        }
        const std::uint64_t pairs = (bytes & 0x00FF00FF00FF00FFULL) + (bytes >> 8 & 0x00FF00FF00FF00FFULL);
        total += pairs * 0x0001000100010001ULL >> 48;
    }
    return total;
}

template <typename Word>
inline double bit_count(std::size_t count, const Word& word) {
    return static_cast<double>(count_bits(count, word));
}

constexpr std::uint64_t bit_of(std::size_t sample) { return std::uint64_t{1} << sample % 64; }

// Of one of our settings: the bits of front, middle and back.
using RowBits = std::array<const std::uint64_t*, row_count>;

// One rival's value of each row in every sample: the hands of a seat, or the best rows of the table.
class OpponentRows {
public:
    void start(std::size_t samples) {
        samples_ = samples;
        words_ = (samples + 63) / 64;
        for (auto& entries : sorted_) entries.clear();
    }

    // Entries of a row come from the lowest value up; an opponent that is not added neither wins nor loses it.
    void add(std::size_t row, Rank value, std::uint32_t sample) { sorted_[row].push_back({value, sample}); }
    void sort(std::size_t row) {
        std::stable_sort(sorted_[row].begin(), sorted_[row].end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
    }

    // Makes the bits of a row for each of our values, which rise.
    void sweep(std::size_t row, const std::vector<Rank>& values) {
        bits_[row].assign(values.size() * 2 * words_, 0);
        BitWords below(words_, 0);
        BitWords above(words_, 0);
        for (const Entry& entry : sorted_[row]) above[entry.sample / 64] |= std::uint64_t{1} << entry.sample % 64;
        std::size_t next_below = 0;
        std::size_t next_not_above = 0;
        const auto& entries = sorted_[row];
        for (std::size_t i = 0; i < values.size(); ++i) {
            for (; next_below < entries.size() && entries[next_below].value < values[i]; ++next_below) {
                below[entries[next_below].sample / 64] |= std::uint64_t{1} << entries[next_below].sample % 64;
            }
            for (; next_not_above < entries.size() && entries[next_not_above].value <= values[i]; ++next_not_above) {
                above[entries[next_not_above].sample / 64] &= ~(std::uint64_t{1} << entries[next_not_above].sample % 64);
            }
            std::uint64_t* out = bits_[row].data() + i * 2 * words_;
            std::copy(below.begin(), below.end(), out);
            std::copy(above.begin(), above.end(), out + words_);
        }
    }

    // Samples in which our value wins the row, and in which it loses it.
    const std::uint64_t* won(std::size_t row, std::size_t value) const { return bits_[row].data() + value * 2 * words_; }
    const std::uint64_t* lost(std::size_t row, std::size_t value) const { return won(row, value) + words_; }
    std::size_t words() const { return words_; }

private:
    struct Entry {
        Rank value;
        std::uint32_t sample;
    };
    std::size_t samples_ = 0;
    std::size_t words_ = 0;
    std::array<std::vector<Entry>, row_count> sorted_;
    std::array<BitWords, row_count> bits_;
};

// Row points of a pair as parts that can be counted: each row's difference, that of two rows won, of three, of the
// majority. Every scoring is such a sum: it is odd, and either depends on rows won and lost alone or adds up but for a scoop.
struct RowPointTerms {
    std::array<double, row_count> each{};
    double two = 0;
    double three = 0;
    double majority = 0;

    explicit RowPointTerms(const RulesTable& rules) {
        const auto points = [&](const RowPoints& results) { return static_cast<double>(row_points(rules, results)); };
        each = {points({0, 1, 1}) - points({-1, 1, 1}), points({1, 0, 1}) - points({1, -1, 1}), points({1, 1, 0}) - points({1, 1, -1})};
        majority = points({1, 0, 0}) - each[0];
        two = points({1, 1, -1}) - (each[0] + each[1] - each[2]) - majority;
        three = scoop_value(rules) - (each[0] + each[1] + each[2]) - two - majority;
    }
};

}  // namespace triptych
