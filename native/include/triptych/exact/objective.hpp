// What a finished legal board is worth: points from known boards, royalties, the next fantasyland, and the strength
// of its rows against boards that are not known yet. Constant between the classes that the search of
// completion.hpp works with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "triptych/score/board.hpp"
#include "triptych/score/fantasyland.hpp"
#include "triptych/score/jokers.hpp"
#include "triptych/score/naturals.hpp"
#include "triptych/score/pairs.hpp"
#include "triptych/score/table_stakes.hpp"

namespace triptych {

inline constexpr std::size_t max_fantasyland_cards = 17;

// Classes of five-card rows and of fronts, in order of value: royalties and worth depend on them alone.
inline constexpr std::size_t five_classes = 11;
inline constexpr std::size_t front_classes = 27;

// Category; 9 = royal flush, 10 = five of a kind. A low middle: 0 ten-low or worse, 1 nine, 2 eight, 3 seven, 4 75432.
constexpr std::size_t five_class(Rank value) {
    const std::uint32_t cat = category(value);
    return cat == five_of_a_kind ? 10 : is_royal(value) ? 9 : cat;
}

constexpr std::size_t low_class(Rank order) {
    if (!is_low(order)) return 0;
    if (order == best_low) return 4;
    return static_cast<std::size_t>(9 - slot(from_low_order(order), 1));
}

// 0 high card, 1-13 pair of 2..A, 14-26 trips of 2..A.
constexpr std::size_t front_class(Rank value) {
    const auto rank = static_cast<std::size_t>(slot(value, 1));
    return category(value) == trips ? 13 + rank : category(value) == pair ? rank : 0;
}

// A finished board that the solver plays against.
struct Opponent {
    RowValues rows{};
    RowPoints royalties{};
    std::size_t deuce = row_count;  // row that holds the deuce of spades
    bool fouled = false;
    HeldNatural natural{};  // that its rows show
};

inline Opponent opponent_of(const RulesTable& rules, const Card* board) {
    Opponent other;
    other.rows = board_values(rules, board);
    other.fouled = !is_legal(rules, other.rows);
    other.royalties = row_royalties(rules, other.rows);
    other.deuce = deuce_row(board);
    if (shows_natural(rules, board)) other.natural = best_natural(rules, board);
    return other;
}

struct Objective {
    const RulesTable* rules = nullptr;
    std::array<Opponent, max_opponents> opponents{};
    std::size_t opponent_count = 0;
    int unknown = 1;            // opponents whose boards are not known: royalties and worth count once for each
    int fantasyland_cards = 0;  // fantasyland cards that this board was dealt, 0 = none
    int fantasyland_in_row = 0;
    std::array<double, max_fantasyland_cards + 1> fantasyland_values{};  // points, by cards of the next fantasyland
    const TableStakes* stakes = nullptr;                                 // stacks that limit what known opponents pay or win
    bool has_worth = false;
    std::array<double, five_classes> back_worth{};
    std::array<double, five_classes> middle_worth{};
    std::array<double, front_classes> front_worth{};

    // Points of a legal board; `deuce` = its row that holds the deuce of spades, `natural` = what its rows show.
    double value(const RowValues& rows, std::size_t deuce = row_count, const HeldNatural& natural = {}) const {
        const RowPoints royalties = row_royalties(*rules, rows);
        double total = unknown * (royalties[0] + royalties[1] + royalties[2]);
        total += from_opponents(rows, royalties, deuce, natural) + next_fantasyland_value(rows, royalties);
        if (has_worth) {
            const std::size_t middle = rules->middle_low != 0 ? low_class(rows[1]) : five_class(rows[1]);
            total += unknown * (back_worth[five_class(rows[2])] + middle_worth[middle] + front_worth[front_class(rows[0])]);
        }
        return total;
    }

    // Points of a legal board from the known opponents; points of its next fantasyland.
    double from_opponents(const RowValues& rows, const RowPoints& royalties, std::size_t deuce = row_count, const HeldNatural& natural = {}) const {
        return moved([&](const Opponent& other) {
            if (natural.entry >= 0 || other.natural.entry >= 0) return natural_points(*rules, natural, other.natural);
            return against(other, rows, royalties, deuce);
        });
    }
    double next_fantasyland_value(const RowValues& rows, const RowPoints& royalties) const {
        const int next = next_fantasyland(*rules, rows, royalties, fantasyland_cards, fantasyland_in_row);
        return next > 0 ? fantasyland_values[static_cast<std::size_t>(next)] : 0.0;
    }

    // Points of a legal board, or of one that fouls whole, from each known opponent, without regard to stacks or naturals.
    std::array<double, max_opponents> from_each(const RowValues& rows, bool legal, std::size_t deuce = row_count) const {
        const RowPoints royalties = legal ? row_royalties(*rules, rows) : RowPoints{};
        std::array<double, max_opponents> each{};
        for (std::size_t i = 0; i < opponent_count; ++i) { each[i] = legal ? against(opponents[i], rows, royalties, deuce) : when_fouled(opponents[i]); }
        return each;
    }

    // Whether rows of a board may be a natural that counts here.
    bool counts_naturals() const { return opponent_count > 0 && rules->natural_auto != 0 && detail::has_row_naturals(*rules, true, true); }

    // No natural is paid more than this one.
    HeldNatural highest_natural() const {
        const auto end = rules->natural_units.begin() + rules->natural_count;
        HeldNatural highest{0, *std::max_element(rules->natural_units.begin(), end), {}};
        highest.key.fill(std::numeric_limits<NaturalKey::value_type>::max());
        return highest;
    }

    // Whether a fantasyland that this board can bring is never worth less than none, or than one of fewer cards.
    bool more_cards_are_worth_more() const {
        std::array<bool, max_fantasyland_cards + 1> brought{};
        for (const FantasylandCondition& condition : fantasyland_cards > 0 ? repeat_conditions(*rules) : entry_conditions(*rules)) {
            brought[static_cast<std::size_t>(condition.cards < 0 ? fantasyland_cards : condition.cards)] = true;
        }
        double least = 0;
        for (std::size_t cards = 0; cards < brought.size(); ++cards) {
            if (!brought[cards]) continue;
            if (fantasyland_values[cards] < least) return false;
            least = fantasyland_values[cards];
        }
        return true;
    }

    // Points of a board that fouls whole, against the known boards alone.
    double foul_value() const {
        return moved([&](const Opponent& other) { return other.natural.entry >= 0 ? natural_points(*rules, {}, other.natural) : when_fouled(other); });
    }

private:
    // Points from the known opponents together, as far as the stacks allow.
    template <typename Points>
    double moved(const Points& points) const {
        if (stakes == nullptr) {
            int total = 0;
            for (std::size_t i = 0; i < opponent_count; ++i) total += points(opponents[i]);
            return total;
        }
        std::array<double, max_opponents> each{};
        for (std::size_t i = 0; i < opponent_count; ++i) each[i] = points(opponents[i]);
        return stakes->moved(each);
    }

    int when_fouled(const Opponent& other) const {
        if (other.fouled) return 0;
        int points = -foul_price(*rules);
        if (rules->foul_pays_royalties == 0) return points;
        for (std::size_t row = 0; row < row_count; ++row) {
            const bool doubled = rules->deuce_of_spades != 0 && row == other.deuce;
            points -= other.royalties[row] * (doubled ? 2 : 1) * foul_royalty_factor(*rules);
        }
        return points;
    }

    bool scoops_all(const RowValues& rows) const {
        if (rules->home_run_doubles == 0 || opponent_count != max_opponents) return false;
        return std::all_of(opponents.begin(), opponents.end(), [&](const Opponent& other) {
            return other.natural.entry < 0 && (!other.fouled || rules->foul_still_plays != 0) && rows_won(row_results(rows, other.rows)) == 3;
        });
    }

    // Royalties that a fouled opponent pays.
    template <typename Doubled>
    int fouled_royalties(const RowPoints& royalties, const Doubled& doubled) const {
        int paid = 0;
        for (std::size_t row = 0; rules->foul_pays_royalties != 0 && row < row_count; ++row) { paid += royalties[row] * (doubled(row) ? 2 : 1); }
        return paid;
    }

    int against(const Opponent& other, const RowValues& rows, const RowPoints& royalties, std::size_t deuce) const {
        const int doubling = scoops_all(rows) ? 2 : 1;
        const bool doubles = rules->deuce_of_spades != 0;
        const auto doubled = [&](std::size_t row) { return doubles && (row == deuce || row == other.deuce); };
        if (other.fouled) {
            if (rules->foul_points >= 0) return rules->foul_points + fouled_royalties(royalties, doubled);
            return scoop_value(*rules) * doubling + fouled_royalties(royalties, doubled) * foul_royalty_factor(*rules) * royalty_factor(*rules, doubling);
        }
        const RowPoints results = row_results(rows, other.rows);
        const bool scoop = rows_won(results) == 3 || rows_lost(results) == 3;
        const int factor = (scoop ? scoop_factor(*rules) : 1) * doubling;
        int paid = 0;
        for (std::size_t row = 0; row < row_count; ++row) { paid += royalty_points(*rules, royalties[row], other.royalties[row], results[row], doubled(row)); }
        return row_points(*rules, results) * factor + paid * royalty_factor(*rules, factor);
    }
};

}  // namespace triptych
