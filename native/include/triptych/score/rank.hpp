// Rank values of rows: `category << 20 | n1 << 16 | … | n5`, nibbles 1..13 for 2..A, groups first, 0 = no slot.
// A higher value is a better row, and a front compares with a five-card row by plain order: its missing slots are
// zero, so with equal slots the longer row is higher (Rules §3).
//
// Method: each rank has a weight whose sums over five cards are unique (also with five equal ranks, which jokers
// can make); a displacement table squeezes the sums into 8192 slots. Suits are counted in nibbles that overflow
// into their top bit at five. All tables together take about 90 KB.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/score/cards.hpp"

namespace triptych {

using Rank = std::uint32_t;

enum Category : std::uint32_t {
    high_card,
    pair,
    two_pair,
    trips,
    straight,
    flush,
    full_house,
    quads,
    straight_flush,
    five_of_a_kind,
};

constexpr std::uint32_t category(Rank value) { return value >> 20; }

// The i-th slot, 1..5: 1..13 for 2..A, 0 for none.
constexpr int slot(Rank value, int index) { return static_cast<int>(value >> (20 - 4 * index)) & 15; }

constexpr Rank make_rank(std::uint32_t cat, int n1 = 0, int n2 = 0, int n3 = 0, int n4 = 0, int n5 = 0) {
    return cat << 20 | static_cast<Rank>(n1 << 16 | n2 << 12 | n3 << 8 | n4 << 4 | n5);
}

inline constexpr Rank royal_flush = make_rank(straight_flush, 13);

constexpr bool is_royal(Rank value) { return value == royal_flush; }

namespace detail {

inline constexpr std::array<std::uint32_t, ranks> weight = {0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545};
inline constexpr int displacement_bits = 6;
inline constexpr std::uint32_t column_mask = (1U << displacement_bits) - 1;
inline constexpr std::uint32_t max_sum = 5 * 94545;
inline constexpr std::uint32_t slot_count = 8192;

// Rank nibble of the top card of a straight in a 13-bit rank mask; 0 when the five ranks make none.
constexpr int straight_top(unsigned mask) {
    for (int top = ranks; top >= 5; --top) {
        if (mask == 31U << (top - 5)) return top;
    }
    return mask == 0x100FU ? 4 : 0;
}

// Value of five ranks (0..12, ascending, repeats allowed) without regard to suits.
constexpr Rank value_of_ranks(const std::array<int, 5>& ascending) {
    std::array<int, ranks> count{};
    unsigned mask = 0;
    for (int rank : ascending) {
        ++count[static_cast<std::size_t>(rank)];
        mask |= 1U << rank;
    }
    std::array<int, 5> slots{};
    std::array<int, 5> sizes{};
    std::size_t groups = 0;
    for (int size = 5; size >= 1; --size) {
        for (int rank = ranks - 1; rank >= 0; --rank) {
            if (count[static_cast<std::size_t>(rank)] != size) continue;
            slots[groups] = rank + 1;
            sizes[groups++] = size;
        }
    }
    if (groups == 5) {
        const int top = straight_top(mask);
        if (top != 0) return make_rank(straight, top);
    }
    const std::uint32_t cat = sizes[0] == 5                    ? five_of_a_kind
                              : sizes[0] == 4                  ? quads
                              : sizes[0] == 3 && sizes[1] == 2 ? full_house
                              : sizes[0] == 3                  ? trips
                              : sizes[0] == 2 && sizes[1] == 2 ? two_pair
                              : sizes[0] == 2                  ? pair
                                                               : high_card;
    return make_rank(cat, slots[0], slots[1], slots[2], slots[3], slots[4]);
}

struct RankTables {
    std::array<std::uint64_t, deck_size> key{};  // rank weight | suit nibble << 32
    std::array<Rank, slot_count> value{};        // five ranks, suits ignored
    std::array<std::uint16_t, (max_sum >> displacement_bits) + 1> displacement{};
    std::array<Rank, 8192> suited{};  // five different ranks of one suit, by rank mask
    std::array<Rank, ranks * ranks * ranks> front{};

    RankTables();

    Rank by_weight(std::uint32_t sum) const { return value[displacement[sum >> displacement_bits] + (sum & column_mask)]; }

private:
    void fill_five();

    void fill_front();
};

inline const RankTables tables{};

inline constexpr std::uint64_t suit_bias = 0x3333ULL << 32;
inline constexpr std::uint64_t five_suited = 0x8888ULL << 32;

}  // namespace detail

// Sum of these keys over five cards decides the row: see rank_of_key.
inline std::uint64_t card_key(Card card) { return detail::tables.key[card]; }

// Five different cards of one suit, from the 13-bit mask of their ranks.
inline Rank rank_of_suited(unsigned rank_mask) { return detail::tables.suited[rank_mask]; }

// Five cards without regard to suits, from the low half of their key.
inline Rank rank_of_weights(std::uint32_t sum) { return detail::tables.by_weight(sum); }

inline bool is_suited(std::uint64_t key) { return ((key + detail::suit_bias) & detail::five_suited) != 0; }

// Value of five different cards (no joker), the wheel as the lowest straight.
inline Rank rank5(Card c0, Card c1, Card c2, Card c3, Card c4) {
    const std::uint64_t key = card_key(c0) + card_key(c1) + card_key(c2) + card_key(c3) + card_key(c4);
    if (is_suited(key)) [[unlikely]] {
        return rank_of_suited(1U << rank_of(c0) | 1U << rank_of(c1) | 1U << rank_of(c2) | 1U << rank_of(c3) | 1U << rank_of(c4));
    }
    return rank_of_weights(static_cast<std::uint32_t>(key));
}

inline Rank rank5(const Card* cards) { return rank5(cards[0], cards[1], cards[2], cards[3], cards[4]); }

// Value of a front: high card, pair or trips.
inline Rank rank3(Card c0, Card c1, Card c2) {
    return detail::tables.front[static_cast<std::size_t>((rank_of(c0) * ranks + rank_of(c1)) * ranks + rank_of(c2))];
}

inline Rank rank3(const Card* cards) { return rank3(cards[0], cards[1], cards[2]); }

// `rows.wheel = second`: A2345 above KQJT9 and below AKQJT, suited or not.
constexpr Rank wheel_second(Rank value) {
    constexpr Rank low = make_rank(straight, 4);
    constexpr Rank low_suited = make_rank(straight_flush, 4);
    return value == low || value == low_suited ? value - (4U << 16) + (12U << 16) + (1U << 12) : value;
}

// ---- deuce-to-seven: higher is better, so that every row compares the same way ----

inline constexpr Rank low_best_possible = 0xFFFFFF;

// Order of a five-card row as a low: aces high only, so that A2345 is ace high (or an ace-high flush).
constexpr Rank low_order(Rank value) {
    if (value == make_rank(straight, 4)) value = make_rank(high_card, 13, 4, 3, 2, 1);
    if (value == make_rank(straight_flush, 4)) value = make_rank(flush, 13, 4, 3, 2, 1);
    return low_best_possible - value;
}

// The five-card row of a low order, A2345 as ace high.
constexpr Rank from_low_order(Rank order) { return low_best_possible - order; }

// Ten-low or better without pair, straight or flush.
constexpr bool is_low(Rank order) { return from_low_order(order) < make_rank(high_card, 10); }

inline constexpr Rank best_low = low_best_possible - make_rank(high_card, 6, 4, 3, 2, 1);  // 75432

}  // namespace triptych
