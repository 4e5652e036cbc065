// What of a deal's dues stacks let move: table stakes and the loss limit, pair by pair in position order, as
// scoring/settle.py pays them (Rules §4, 6).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace triptych {

inline constexpr std::size_t max_stacks = 4;
inline constexpr std::size_t max_dues = 6;

using StackList = std::array<double, max_stacks>;
using DueList = std::array<double, max_dues>;  // what the first of a pair receives: 0-1, 0-2, …, 1-2, …

struct PaymentRule {
    enum class Cap : std::uint8_t { none, stack_at_start, stack_now };

    Cap cap = Cap::none;
    bool bust_stops = false;                                      // a player with nothing left collects nothing
    double loss_limit = std::numeric_limits<double>::infinity();  // what a stack may lose in a deal at most

    // What a payer gives of an amount that it owes, before the loss limit.
    double paid(double amount, const StackList& start, const StackList& now, std::size_t payer, std::size_t taker) const {
        if (bust_stops && now[taker] == 0) return 0;
        return std::min({amount, now[payer], most(start, now, payer, taker)});
    }

    // Pays the dues of every pair of `count` stacks, in position order; returns what moves.
    DueList settle(const DueList& dues, StackList& stacks, std::size_t count) const {
        const StackList start = stacks;
        DueList moved{};
        std::size_t pair = 0;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                const double due = dues[pair];
                moved[pair] = due < 0 ? -paid(-due, start, stacks, a, b) : paid(due, start, stacks, b, a);
                stacks[a] += moved[pair];
                stacks[b] -= moved[pair];
            }
        }
        if (loss_limit < std::numeric_limits<double>::infinity()) {
            limit(moved, start, count);
            stacks = start;
            move(moved, stacks, count);
        }
        return moved;
    }

private:
    double most(const StackList& start, const StackList& now, std::size_t payer, std::size_t taker) const {
        switch (cap) {
            case Cap::none:
                break;
            case Cap::stack_at_start:
                return std::min(start[payer], start[taker]);
            case Cap::stack_now:
                return std::min(now[payer], now[taker]);
        }
        return std::numeric_limits<double>::infinity();
    }

    static void move(const DueList& moved, StackList& stacks, std::size_t count) {
        std::size_t pair = 0;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                stacks[a] += moved[pair];
                stacks[b] -= moved[pair];
            }
        }
    }

    // Each payment in turn stays as large as the later ones allow: in every group of stacks, what they may lose and
    // what the others can pay into it must cover what it pays out.
    void limit(DueList& moved, const StackList& start, std::size_t count) const {
        StackList room{};
        for (std::size_t i = 0; i < count; ++i) room[i] = std::min(start[i], loss_limit);
        std::size_t pair = 0;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                const std::size_t payer = moved[pair] < 0 ? a : b;
                const std::size_t taker = moved[pair] < 0 ? b : a;
                double bound = std::max(moved[pair], -moved[pair]);
                for (std::size_t group = 0; group < (std::size_t{1} << count); ++group) {
                    if ((group >> payer & 1U) == 0 || (group >> taker & 1U) != 0) continue;
                    bound = std::min(bound, spare(moved, room, count, pair, group));
                }
                bound = std::max(bound, 0.0);
                moved[pair] = moved[pair] < 0 ? -bound : bound;
                room[payer] -= bound;
                room[taker] += bound;
            }
        }
    }

    // What a group of stacks may still lose, and what pairs after this one pay into it.
    static double spare(const DueList& moved, const StackList& room, std::size_t count, std::size_t after, std::size_t group) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += (group >> i & 1U) != 0 ? room[i] : 0.0;
        std::size_t pair = 0;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                if (pair <= after) continue;
                const bool into_a = (group >> a & 1U) != 0 && (group >> b & 1U) == 0;
                const bool into_b = (group >> b & 1U) != 0 && (group >> a & 1U) == 0;
                if (into_a) sum += std::max(moved[pair], 0.0);
                if (into_b) sum += std::max(-moved[pair], 0.0);
            }
        }
        return sum;
    }
};

}  // namespace triptych
