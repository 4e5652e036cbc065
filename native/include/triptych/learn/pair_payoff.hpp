// What two finished boards pay each other, fast enough for exact enumeration: heads-up, and scoring without
// declarations, doubled deuces, doubled royalties and row fouls. The law is score/showdown.hpp's score_deal; the tests hold the two together.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "triptych/exact/objective.hpp"
#include "triptych/learn/stack_limits.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych::learn {

// A finished board as its opponent needs it.
struct FinalBoard {
    RowValues rows{};
    RowPoints royalties{};
    bool legal = false;
    std::uint8_t hand = 0;         // whose it is, of two
    std::uint8_t fantasyland = 0;  // cards of the next fantasyland, 0 = none
    float own_points = 0;          // royalties and the value of the fantasyland
    float estimate = 0;            // points by the learned weights, where the opponent's board is not known yet
};

// Points of the first board, part by part.
struct PairPayment {
    float rows = 0;
    float royalties = 0;
    float other = 0;
    float fantasyland = 0;
    float stacks = 0;  // what they change of these points
    float total() const { return rows + royalties + other + fantasyland + stacks; }
};

// A hand's own share of the points between it and its opponents: rows that it wins, its royalties, its fantasyland,
// and below zero what its foul costs. The same of the opponents is this less the points.
struct OwnParts {
    double rows = 0;
    double royalties = 0;
    double other = 0;
    double fantasyland = 0;
    void add(const OwnParts& more, double share = 1) {
        rows += share * more.rows;
        royalties += share * more.royalties;
        other += share * more.other;
        fantasyland += share * more.fantasyland;
    }
};

// Cache of the stack limits' effect on the points of a pair: the same points and fantasylands recur.
class StackEffectCache {
public:
    // Starts a task: clears the cache.
    void begin() { cached_.clear(); }

    template <typename Change>
    float of(const FinalBoard& a, const FinalBoard& b, float points, const Change& stack_effect) {
        const std::size_t fantasyland_a = place(a.fantasyland);
        const std::size_t fantasyland_b = place(b.fantasyland);
        const float at = points + static_cast<float>(max_points);
        if (fantasyland_a >= fantasyland_state_count || fantasyland_b >= fantasyland_state_count || !(at >= 0 && at < 2 * max_points) || at != std::floor(at))
            return stack_effect();
        if (cached_.empty()) cached_.assign(2 * fantasyland_state_count * fantasyland_state_count * 2 * max_points, std::numeric_limits<float>::quiet_NaN());
        float& cached = cached_[((a.hand * fantasyland_state_count + fantasyland_a) * fantasyland_state_count + fantasyland_b) * 2 * max_points +
                                static_cast<std::size_t>(at)];
        if (cached != cached) cached = stack_effect();
        return cached;
    }

private:
    static constexpr std::size_t fantasyland_state_count = max_fantasyland_cards - board_size + 2;  // none, and each number of cards
    static constexpr std::size_t max_points = 128;

    static std::size_t place(std::size_t fantasyland) {
        return fantasyland == 0 ? 0 : fantasyland < board_size ? fantasyland_state_count : fantasyland - board_size + 1;
    }

    std::vector<float> cached_;
};

class PairPayoff {
public:
    PairPayoff(const RulesTable& rules, const std::array<float, max_fantasyland_cards + 1>& fantasyland_values, const StackLimits& stacks,
               StackEffectCache& changes)
        : rules_(rules), fantasyland_values_(fantasyland_values), stacks_(stacks), changes_(changes) {
        for (int front = -1; front <= 1; ++front) {
            for (int middle = -1; middle <= 1; ++middle) {
                for (int back = -1; back <= 1; ++back) {
                    const bool scoop = front != 0 && front == middle && middle == back;
                    by_rows_[index(front, middle, back)] = static_cast<float>(row_points(rules, {front, middle, back}) * (scoop ? scoop_factor(rules) : 1));
                }
            }
        }
        foul_ = static_cast<float>(foul_price(rules));
    }

    // Whether two boards of these rules pay each other by their rows, royalties and fouls alone.
    static bool covers(const RulesTable& rules) {
        return rules.foul_rows == 0 && rules.deuce_of_spades == 0 && rules.declare_must == 0 && rules.doubles_all == 0 &&
               static_cast<RowScoring>(rules.scoring) != RowScoring::first_to_11;
    }

    // A board that was not set in fantasyland, from its row values.
    FinalBoard finish(const RowValues& rows, std::uint8_t hand) const { return finish(rows, hand, 0, 0); }

    FinalBoard finish(const RowValues& rows, std::uint8_t hand, int fantasyland_cards, int fantasyland_in_row) const {
        FinalBoard result;
        result.hand = hand;
        result.rows = rows;
        result.legal = is_legal(rules_, rows);
        if (!result.legal) return result;
        result.royalties = row_royalties(rules_, rows);
        result.fantasyland = static_cast<std::uint8_t>(next_fantasyland(rules_, rows, result.royalties, fantasyland_cards, fantasyland_in_row));
        result.own_points = static_cast<float>(sum(result)) + fantasyland_values_[result.fantasyland];
        return result;
    }

    // Points that `a` receives from `b`, fantasylands counted at their value.
    float points(const FinalBoard& a, const FinalBoard& b) const {
        if (!a.legal || !b.legal || rules_.royalty_row_winner != 0) return paid(a, b).total();
        const float rows = by_rows_[results(a, b)];
        const float points = rows + a.own_points - b.own_points;
        return stacks_.known ? points + stack_effect(a, b, rows + static_cast<float>(sum(a) - sum(b))) : points;
    }

    PairPayment paid(const FinalBoard& a, const FinalBoard& b) const {
        PairPayment result;
        result.fantasyland = fantasyland_values_[a.fantasyland] - fantasyland_values_[b.fantasyland];
        if (a.legal && b.legal) {
            result.rows = by_rows_[results(a, b)];
            result.royalties = static_cast<float>(rules_.royalty_row_winner != 0 ? winners_royalties(a, b.royalties, b) : sum(a) - sum(b));
        } else if (a.legal != b.legal) {
            result.other = a.legal ? foul_ : -foul_;
            if (rules_.foul_pays_royalties != 0) result.royalties = static_cast<float>(sum(a) - sum(b));
        }
        if (stacks_.known) result.stacks = stack_effect(a, b, result.rows + result.royalties + result.other);
        return result;
    }

    // The share of `a` in what `b` paid it.
    OwnParts own_parts(const FinalBoard& a, const FinalBoard& b, const PairPayment& paid) const {
        OwnParts result;
        result.rows = std::max(0.0, static_cast<double>(paid.rows));
        result.other = std::min(0.0, static_cast<double>(paid.other));
        result.fantasyland = static_cast<double>(fantasyland_values_[a.fantasyland]);
        if (!a.legal || (!b.legal && rules_.foul_pays_royalties == 0)) return result;
        result.royalties = b.legal && rules_.royalty_row_winner != 0 ? winners_royalties(a, {}, b) : sum(a);
        return result;
    }

private:
    // What stacks change of `points` that `a` receives from `b`, and of their fantasylands.
    float stack_effect(const FinalBoard& a, const FinalBoard& b, float points) const {
        return changes_.of(a, b, points, [&] {
            return static_cast<float>(stacks_.change(a.hand, static_cast<double>(points), static_cast<double>(fantasyland_values_[a.fantasyland]),
                                                     static_cast<double>(fantasyland_values_[b.fantasyland])));
        });
    }

    static constexpr std::size_t index(int front, int middle, int back) { return static_cast<std::size_t>(9 * front + 3 * middle + back + 13); }

    static std::size_t results(const FinalBoard& a, const FinalBoard& b) {
        return index(result(a, b, front_row), result(a, b, middle_row), result(a, b, back_row));
    }

    int winners_royalties(const FinalBoard& a, const RowPoints& of_b, const FinalBoard& b) const {
        int points = 0;
        for (std::size_t row = 0; row < row_count; ++row) { points += royalty_points(rules_, a.royalties[row], of_b[row], result(a, b, row), false); }
        return points;
    }

    static int result(const FinalBoard& a, const FinalBoard& b, std::size_t row) { return (a.rows[row] > b.rows[row]) - (a.rows[row] < b.rows[row]); }

    static int sum(const FinalBoard& board) { return board.royalties[0] + board.royalties[1] + board.royalties[2]; }

    const RulesTable& rules_;
    const std::array<float, max_fantasyland_cards + 1>& fantasyland_values_;
    const StackLimits& stacks_;
    StackEffectCache& changes_;
    std::array<float, 27> by_rows_{};
    float foul_ = 0;
};

}  // namespace triptych::learn
