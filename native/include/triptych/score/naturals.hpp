// Naturals of 13 cards (Rules §4): which one a player holds, and how two equal ones compare.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "triptych/score/rank.hpp"
#include "triptych/score/rules_table.hpp"

namespace triptych {

enum class NaturalKind : std::int32_t {
    one_suit_dragon,
    dragon,
    twelve_pictures,
    three_straight_flushes,
    three_quads,
    all_eight_and_above,
    all_eight_and_below,
    one_colour,
    four_trips,
    five_pairs_and_trips,
    six_pairs,
    three_flushes,
    three_straights,
    no_JQK,
    no_TJQKA,
    all_pictures,
    six_and_above,
    twelve_of_one_colour,
    thirteen_of_one_colour,
};

// What decides between two equal kinds, compared slot by slot: the ranks of six pairs, or back, middle, front.
using NaturalKey = std::array<Rank, 6>;

struct HeldNatural {
    int entry = -1;  // index in the rules' table; -1 = none
    int units = 0;
    NaturalKey key{};

    static constexpr char name[] = "HeldNatural";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("entry", entry)("units", units);
    }
};

// The best natural of 13 real cards: most units, then first in the table. A joker makes no natural.
HeldNatural best_natural(const RulesTable& rules, const Card* thirteen);

namespace detail {

// Whether the table lists the natural of rows that are all flushes, all straights, or both.
bool has_row_naturals(const RulesTable& rules, bool flushes, bool straights);

// `shows_natural` where the rules say that rows may.
bool rows_are_natural(const RulesTable& rules, const Card* board);

}  // namespace detail

// Whether the rows of a board are the natural themselves, three flushes or three straights, so that nobody need claim it
// (Rules §4; source 003 L14).
inline bool shows_natural(const RulesTable& rules, const Card* board) { return rules.natural_auto != 0 && detail::rows_are_natural(rules, board); }

// Whether some setting of thirteen cards may do so; false for certain.
bool may_show_natural(const RulesTable& rules, const Card* thirteen);

// Units that the holder of `a` receives from the holder of `b` (either may hold none; negative: pays).
inline int natural_points(const RulesTable& rules, const HeldNatural& a, const HeldNatural& b) {
    if (rules.natural_difference != 0) return a.units - b.units;
    if (a.units != b.units) return a.units > b.units ? a.units : -b.units;
    if (a.entry != b.entry) return a.entry < b.entry ? a.units : -b.units;
    const auto order = a.key <=> b.key;
    return order > 0 ? a.units : order < 0 ? -b.units : 0;
}

}  // namespace triptych
