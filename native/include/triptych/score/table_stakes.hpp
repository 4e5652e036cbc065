// What a deal moves between stacks when one board of it is in hand, by the rule of payments.hpp. Seat 0 is the board in
// hand, the others are its known opponents.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "triptych/score/payments.hpp"

namespace triptych {

inline constexpr std::size_t max_opponents = 3;

struct TableStakes : PaymentRule {
    // What seat a is to receive from seat b; where b or a is seat 0 the amount comes with the board.
    struct Due {
        std::size_t a = 0;
        std::size_t b = 0;
        double amount = 0;
    };

    StackList stacks{};
    std::array<Due, max_dues> dues{};  // in position order
    std::size_t due_count = 0;

    // What seat 0 wins when each opponent owes it so many points.
    double moved(const std::array<double, max_opponents>& points) const {
        StackList now = stacks;
        for (std::size_t i = 0; i < due_count; ++i) {
            const Due& due = dues[i];
            double amount = due.amount;
            if (due.a == 0) amount = points[due.b - 1];
            if (due.b == 0) amount = -points[due.a - 1];
            const std::size_t payer = amount < 0 ? due.a : due.b;
            const std::size_t taker = amount < 0 ? due.b : due.a;
            amount = paid(std::abs(amount), stacks, now, payer, taker);
            now[payer] -= amount;
            now[taker] += amount;
        }
        return now[0] - stacks[0];
    }
};

}  // namespace triptych
