// Partial rows as small indices: what the learner's tables are keyed by.
//
// A row's state is its multiset of ranks (jokers are a fourteenth rank) and whether all its cards share a suit:
// 11,628 multisets of up to five, twice. Suits beyond that do not matter to a row's own future.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "triptych/score/cards.hpp"

namespace triptych::learn {

inline constexpr int symbols = ranks + 1;  // 13 stands for a joker
inline constexpr std::size_t row_limit = 5;

namespace detail {

constexpr std::array<std::array<std::uint32_t, row_limit + 1>, symbols + row_limit + 1> binomials() {
    std::array<std::array<std::uint32_t, row_limit + 1>, symbols + row_limit + 1> table{};
    for (std::size_t n = 0; n < table.size(); ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= row_limit; ++k) table[n][k] = n == 0 ? 0 : table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}

inline constexpr auto binomial = binomials();

constexpr std::array<std::uint32_t, row_limit + 2> offsets() {
    std::array<std::uint32_t, row_limit + 2> table{};
    for (std::size_t n = 0; n <= row_limit; ++n) { table[n + 1] = table[n] + binomial[static_cast<std::size_t>(symbols) + n - 1][n]; }
    return table;
}

inline constexpr auto multiset_offset = offsets();

}  // namespace detail

inline constexpr std::uint32_t multiset_count = detail::multiset_offset[row_limit + 1];
inline constexpr std::uint32_t row_states = 2 * multiset_count;
inline constexpr std::uint32_t front_states = 2 * detail::multiset_offset[4];

// The cards of one row, ranks ascending.
struct PartialRow {
    std::array<std::int8_t, row_limit> rank{};
    std::uint8_t size = 0;
    std::int8_t suit = -1;  // the one suit of all cards so far; -1 = none yet, 4 = several

    void add(Card card) {
        const auto added = static_cast<std::int8_t>(rank_of(card));
        std::size_t at = size++;
        for (; at > 0 && rank[at - 1] > added; --at) rank[at] = rank[at - 1];
        rank[at] = added;
        if (is_joker(card)) return;
        const auto own = static_cast<std::int8_t>(suit_of(card));
        suit = suit == -1 || suit == own ? own : std::int8_t{4};
    }

    bool operator==(const PartialRow&) const = default;
    bool suited() const { return suit != 4; }
    bool wild() const { return size > 0 && rank[size - 1U] == ranks; }  // holds a joker

    std::uint32_t state() const {
        std::uint32_t index = detail::multiset_offset[size];
        for (std::size_t i = 0; i < size; ++i) { index += detail::binomial[static_cast<std::size_t>(rank[i]) + i][i + 1]; }
        return 2 * index + static_cast<std::uint32_t>(suited());
    }
};

// Coarse classes of row states, for tables over pairs of rows: size, pattern of equal ranks, the leading rank,
// and whether a flush or a straight is still open.
class RowClasses {
public:
    explicit RowClasses(int jokers = 2) : of_state_(row_states), jokers_(jokers) {
        std::map<std::tuple<int, int, int, int, int, int>, std::uint16_t> seen;
        std::array<std::int8_t, row_limit> ascending{};
        visit(ascending, 0, 0, seen);
        count_ = seen.size();
    }

    std::uint16_t operator[](std::uint32_t state) const { return of_state_[state]; }
    std::size_t count() const { return count_; }

private:
    template <typename Seen>
    void visit(std::array<std::int8_t, row_limit>& row, std::size_t size, std::int8_t least, Seen& seen) {
        PartialRow partial;
        partial.rank = row;
        partial.size = static_cast<std::uint8_t>(size);
        for (const std::int8_t suit : {std::int8_t{0}, std::int8_t{4}}) {
            partial.suit = suit;
            const auto key = describe(partial);
            const auto [entry, added] = seen.try_emplace(key, static_cast<std::uint16_t>(seen.size()));
            of_state_[partial.state()] = entry->second;
        }
        if (size == row_limit) return;
        for (std::int8_t rank = least; rank < symbols; ++rank) {
            if (rank == ranks && size >= static_cast<std::size_t>(jokers_) && row[size - static_cast<std::size_t>(jokers_)] == ranks) break;
            if (rank == ranks && jokers_ == 0) break;
            row[size] = rank;
            visit(row, size + 1, rank, seen);
        }
    }

    // size, jokers, pattern (groups as digits), leading rank, second rank of two groups, open draws
    static std::tuple<int, int, int, int, int, int> describe(const PartialRow& row) {
        std::array<int, ranks> of_rank{};
        int jokers = 0;
        unsigned mask = 0;
        for (std::size_t i = 0; i < row.size; ++i) {
            if (row.rank[i] == ranks) {
                ++jokers;
            } else {
                ++of_rank[static_cast<std::size_t>(row.rank[i])];
                mask |= 1U << row.rank[i];
            }
        }
        std::vector<std::pair<int, int>> groups;
        for (int rank = ranks - 1; rank >= 0; --rank) {
            if (of_rank[static_cast<std::size_t>(rank)] > 0) groups.emplace_back(of_rank[static_cast<std::size_t>(rank)], rank);
        }
        std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        int pattern = 0;
        for (const auto& [count, rank] : groups) pattern = pattern * 10 + count;
        const bool singles = groups.empty() || groups.front().first == 1;
        const int leading = groups.empty() ? -1 : groups.front().second;
        const int second = groups.size() > 1 && groups[1].first == 2 ? groups[1].second / 3 : -1;
        const int draws = singles ? 2 * static_cast<int>(row.suited() && row.size >= 2) + static_cast<int>(straight_open(mask)) : 0;
        return {row.size, jokers, pattern, leading, second, draws};
    }

    static bool straight_open(unsigned mask) {
        const unsigned with_low_ace = mask << 1 | mask >> 12;
        for (int low = 0; low <= 9; ++low) {
            const unsigned window = 31U << low;
            if ((with_low_ace & ~window & (low == 0 ? 0x1FFFU : ~1U)) == 0) return true;
        }
        return false;
    }

    std::vector<std::uint16_t> of_state_;
    int jokers_;
    std::size_t count_ = 0;
};

}  // namespace triptych::learn
