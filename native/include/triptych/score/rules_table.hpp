// A ruleset as flat integers. The kernel knows no preset: Python fills this table by field name (rulesets/compile.py).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace triptych {

enum class RowScoring : std::int32_t {
    per_row,
    per_row_scoop3,
    match_1_6,
    match_2_6,
    two_four,
    one_four,
    first_to_11,
    custom,
};

enum class JokerValue : std::int32_t { best_legal, best_total, best_row };

inline constexpr std::size_t max_naturals = 24;
inline constexpr std::size_t max_fantasyland_conditions = 16;

// A condition of fantasyland: what a board must reach, all of it, and the number of cards that follow.
struct FantasylandCondition {
    std::int32_t front;  // lowest values of the rows, 0 = any, above every row = never; a front's is a pair or trips
    std::int32_t middle;
    std::int32_t back;
    std::int32_t royalties;  // lowest sum, 0 = any
    std::int32_t cards;      // -1: as many as now
};

using FantasylandConditionArray = std::array<FantasylandCondition, max_fantasyland_conditions>;

struct RulesTable {
    using Int = std::int32_t;

    // rows (Rules §3)
    Int strict_order;                // 1: equal rows foul
    Int wheel_second;                // 1: A2345 is the second highest straight
    Int middle_low;                  // 1: deuce-to-seven middle
    Int low_any;                     // 1: any such middle is legal, not only a ten-low
    Int suit_ties;                   // 1: suits decide equal rows of two boards
    std::array<Int, 4> suit_height;  // of clubs, diamonds, hearts, spades: 0 the lowest
    Int joker_value;                 // JokerValue
    Int joker_off_board;             // 1: a joker stands for no card of its own board
    Int five_of_a_kind;              // 1: jokers may make it

    // fouls
    Int foul_points;  // -1: the scoop value of the scoring in force
    Int foul_pays_royalties;
    Int foul_rows;  // 1: only the offending rows lose
    Int foul_still_plays;

    // row points (Rules §4)
    Int scoring;          // RowScoring
    Int match_more_rows;  // 1: one win and two ties win the match
    Int scoop_doubles;
    Int home_run_doubles;
    Int doubles_all;                   // 1: a doubling takes the royalties too
    std::array<Int, 3> custom_points;  // of front, middle, back; 0 unless the scoring is custom
    Int custom_bonus;                  // for all three rows
    Int pairs_banker;                  // 1: everybody plays the last hand's player alone

    // royalties; five-card rows by royalty class: category, 10 = royal flush
    std::array<Int, 11> royalty_back;
    std::array<Int, 11> royalty_middle;
    std::array<Int, 13> royalty_front_pair;
    std::array<Int, 13> royalty_front_trips;
    std::array<Int, 4> royalty_low;  // nine-low, eight-low, seven-low, 75432
    Int royalty_row_winner;
    Int deuce_of_spades;
    Int one_per_board;
    Int broken_up;  // 1: quads and straight flushes that no row plays earn their back royalty
    Int declare_must;

    // naturals, in table order
    Int natural_count;
    std::array<Int, max_naturals> natural_kind;  // NaturalKind of naturals.hpp
    std::array<Int, max_naturals> natural_units;
    Int natural_difference;  // 1: the higher natural wins the difference only
    Int natural_auto;        // 1: rows that are all flushes or all straights claim the natural of their cards

    Int surrender_points;  // 0: not allowed

    // fantasyland (Rules §5): of the conditions that are met, the one of most cards counts
    Int fantasyland_entry_count;
    FantasylandConditionArray fantasyland_entry;
    Int fantasyland_repeat_count;
    FantasylandConditionArray fantasyland_repeat;
    Int fantasyland_repeat_limit;  // repeats in a row, -1 = no limit
};

struct RulesField {
    std::string_view name;
    std::size_t offset;  // in integers
    std::size_t count;
};

#define TRIPTYCH_FIELD(name) \
    RulesField { #name, offsetof(RulesTable, name) / sizeof(std::int32_t), sizeof(RulesTable::name) / sizeof(std::int32_t) }

inline constexpr std::array rules_fields = {
    TRIPTYCH_FIELD(strict_order),        TRIPTYCH_FIELD(wheel_second),
    TRIPTYCH_FIELD(middle_low),          TRIPTYCH_FIELD(low_any),
    TRIPTYCH_FIELD(suit_ties),           TRIPTYCH_FIELD(suit_height),
    TRIPTYCH_FIELD(joker_value),         TRIPTYCH_FIELD(joker_off_board),
    TRIPTYCH_FIELD(five_of_a_kind),      TRIPTYCH_FIELD(foul_points),
    TRIPTYCH_FIELD(foul_pays_royalties), TRIPTYCH_FIELD(foul_rows),
    TRIPTYCH_FIELD(foul_still_plays),    TRIPTYCH_FIELD(scoring),
    TRIPTYCH_FIELD(match_more_rows),     TRIPTYCH_FIELD(scoop_doubles),
    TRIPTYCH_FIELD(home_run_doubles),    TRIPTYCH_FIELD(doubles_all),
    TRIPTYCH_FIELD(custom_points),       TRIPTYCH_FIELD(custom_bonus),
    TRIPTYCH_FIELD(pairs_banker),        TRIPTYCH_FIELD(royalty_back),
    TRIPTYCH_FIELD(royalty_middle),      TRIPTYCH_FIELD(royalty_front_pair),
    TRIPTYCH_FIELD(royalty_front_trips), TRIPTYCH_FIELD(royalty_low),
    TRIPTYCH_FIELD(royalty_row_winner),  TRIPTYCH_FIELD(deuce_of_spades),
    TRIPTYCH_FIELD(one_per_board),       TRIPTYCH_FIELD(broken_up),
    TRIPTYCH_FIELD(declare_must),        TRIPTYCH_FIELD(natural_count),
    TRIPTYCH_FIELD(natural_kind),        TRIPTYCH_FIELD(natural_units),
    TRIPTYCH_FIELD(natural_difference),  TRIPTYCH_FIELD(natural_auto),
    TRIPTYCH_FIELD(surrender_points),    TRIPTYCH_FIELD(fantasyland_entry_count),
    TRIPTYCH_FIELD(fantasyland_entry),   TRIPTYCH_FIELD(fantasyland_repeat_count),
    TRIPTYCH_FIELD(fantasyland_repeat),  TRIPTYCH_FIELD(fantasyland_repeat_limit),
};

#undef TRIPTYCH_FIELD

inline constexpr std::size_t rules_size = sizeof(RulesTable) / sizeof(std::int32_t);

constexpr bool every_field_listed() {
    std::size_t next = 0;
    for (const RulesField& field : rules_fields) {
        if (field.offset != next) return false;
        next += field.count;
    }
    return next == rules_size;
}

static_assert(every_field_listed(), "a field of RulesTable is missing from rules_fields");

}  // namespace triptych
