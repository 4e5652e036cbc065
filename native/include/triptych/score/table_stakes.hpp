// What a deal moves between stacks: table stakes, pair by pair in position order (LAW 6), as score/settle.py pays
// them. Seat 0 is the board in hand, the others are its known opponents.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace triptych {

inline constexpr std::size_t max_opponents = 3;

struct TableStakes {
    enum class Cap : std::uint8_t { none, stack_at_start, stack_now };

    // What seat a is to receive from seat b; where b or a is seat 0 the amount comes with the board.
    struct Due {
        std::size_t a = 0;
        std::size_t b = 0;
        double amount = 0;
    };

    std::array<double, max_opponents + 1> stacks{};
    std::array<Due, 6> dues{};  // in position order
    std::size_t due_count = 0;
    Cap cap = Cap::none;
    bool bust_stops = false;  // a player with nothing left collects nothing

    // What seat 0 wins when each opponent owes it so many points.
    double moved(const std::array<double, max_opponents>& points) const {
        std::array<double, max_opponents + 1> now = stacks;
        for (std::size_t i = 0; i < due_count; ++i) {
            const Due& due = dues[i];
            double amount = due.amount;
            if (due.a == 0) amount = points[due.b - 1];
            if (due.b == 0) amount = -points[due.a - 1];
            const std::size_t payer = amount < 0 ? due.a : due.b;
            const std::size_t taker = amount < 0 ? due.b : due.a;
            amount = std::min({std::abs(amount), now[payer], most(now, payer, taker)});
            if (bust_stops && now[taker] == 0) amount = 0;
            now[payer] -= amount;
            now[taker] += amount;
        }
        return now[0] - stacks[0];
    }

private:
    double most(const std::array<double, max_opponents + 1>& now, std::size_t payer, std::size_t taker) const {
        switch (cap) {
            case Cap::none: break;
            case Cap::stack_at_start: return std::min(stacks[payer], stacks[taker]);
            case Cap::stack_now: return std::min(now[payer], now[taker]);
        }
        return std::numeric_limits<double>::infinity();
    }
};

}  // namespace triptych
