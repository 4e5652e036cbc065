// Scores a whole deal of two to four hands: who fouls, royalties, every pair, the next fantasylands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "triptych/score/board.hpp"
#include "triptych/score/broken_up.hpp"
#include "triptych/score/fantasyland.hpp"
#include "triptych/score/jokers.hpp"
#include "triptych/score/naturals.hpp"
#include "triptych/score/pairs.hpp"
#include "triptych/score/suit_ties.hpp"

namespace triptych {

inline constexpr std::size_t max_hands = 4;
inline constexpr std::size_t max_pairs = 6;

// `dead`: a board that counts as a foul however its cards lie (the clock of `timeout.layout = foul`).
enum class HandKind : std::uint8_t { board, surrender, natural, dead };

inline constexpr unsigned all_rows_mask = 7;

// One hand as it comes to the showdown. `cards` as board.hpp orders them, in any order for a natural.
struct Hand {
    HandKind kind;
    std::uint8_t declared;            // rows whose royalty was declared, bit a row
    std::uint8_t fantasyland_cards;   // fantasyland cards of this deal, 0 = none
    std::uint8_t fantasyland_in_row;  // how many fantasylands in a row, this one included
    std::uint8_t owner;               // hands of one owner do not play each other (criss-cross)
    std::array<Card, board_size> cards;
};

static_assert(sizeof(Hand) == 18, "Python packs hands byte by byte");

struct HandScore {
    RowValues rows{};
    unsigned offending = 0;
    RowPoints royalties{};
    HeldNatural natural{};
    int next_fantasyland = 0;
    int table_points = 0;  // first_to_11 only

    static constexpr char name[] = "HandScore";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("values", rows)("offending", offending)("royalties", royalties)("natural", natural)("fantasyland", next_fantasyland)("table_points",
                                                                                                                                   table_points);
    }
};

// What the first hand receives from the second, part by part.
struct PairScore {
    RowPoints results{};    // +1, 0, -1 a row
    int rows = 0;           // row points with scoop and doubling
    int factor = 1;         // the doubling in `rows` or in a foul's scoop value
    int royalties = 0;      // with the same doubling where it takes them too
    int own_royalties = 0;  // of those, what the first hand's own bring it
    int other = 0;          // foul, surrender or natural
    int total() const { return rows + royalties + other; }

    static constexpr char name[] = "PairScore";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("results", results)("rows", rows)("factor", factor)("royalties", royalties)("other", other);
    }
};

struct DealScore {
    std::array<HandScore, max_hands> hands{};
    std::array<PairScore, max_pairs> pairs{};  // 0-1, 0-2, 0-3, 1-2, …
};

namespace detail {

HandScore score_hand(const RulesTable& rules, const Hand& hand, const RowValues* known = nullptr);

}  // namespace detail

// Scores `count` (2 to 4) hands in deal order into `out`. `known`: the values of their rows, where they have been read before.
void score_deal(const RulesTable& rules, const Hand* hands, std::size_t count, DealScore& out, const RowValues* known = nullptr);

// Where the results of many deals go: those of each deal's pairs, of each hand's rows, and of each hand.
struct DealColumns {
    std::int32_t* pair_points;
    std::int32_t* royalties;
    bool* legal;
    std::uint8_t* next_fantasyland;
};

// Scores many deals of `count` boards, each of another owner and with every row declared. `fantasylands`: of each hand its fantasyland cards and
// how many fantasylands in a row; empty where there is none.
void score_deals(const RulesTable& rules, std::span<const Card> boards, std::size_t count, std::span<const std::uint8_t> fantasylands, const DealColumns& out);

}  // namespace triptych
