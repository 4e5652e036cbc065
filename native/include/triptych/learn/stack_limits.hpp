// What stacks change of a deal's points: what nobody can pay does not count, of this deal nor of the fantasylands that
// it leads to, and in a tournament chips count as the places that they promise.
//
// All results are differences to the points without stack limits: where everything can be paid, the difference is
// exactly zero.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "triptych/learn/exponential.hpp"
#include "triptych/score/icm.hpp"
#include "triptych/score/pairs.hpp"
#include "triptych/score/payments.hpp"

namespace triptych::learn {

struct StackLimits {
    // Points by which a fantasyland's result lies about its value: the normal spread whose mean within bounds of 5 to 30
    // points is nearest to that of pineapple's fantasylands as `fast` plays them out (docs/explanation/stacks-and-places.md).
    static constexpr double fantasyland_spread = 11;
    static constexpr double certain_spreads = 8;  // spreads

    bool known = false;
    PaymentRule rule;   // in chips
    StackList chips{};  // by hand; infinite where nothing bounds what is paid
    DueList stake{};    // chips that a point of each pair is worth
    double point = 1;   // chips per point of the results
    IcmModel places;
    StackList prior_worth{};  // worth of each hand's stack before the deal

    // Computes the worth of the stacks before the deal; call it after all else is set.
    void begin(std::size_t count) {
        known = true;
        if (places.paid()) prior_worth = places.worth(chips, chips, count);
    }

    // `points`: what the first of each pair receives; `fantasyland`: points of each hand's next fantasyland, from each opponent.
    double change(const RulesTable& rules, std::size_t hand, std::size_t count, const DueList& points, const StackList& fantasyland) const;

    // The same between two hands, for hand `a` of them; not by places.
    double change(std::size_t a, double points, double fantasyland_a, double fantasyland_b) const {
        const double worth = stake[0] / point;
        const double due = points * stake[0];
        const double moved = due < 0 ? -std::min(-due, max_loss(a)) : std::min(due, max_loss(1 - a));
        double result = (moved - due) / point + points * (worth - 1);
        if (fantasyland_a != 0 || fantasyland_b != 0) {
            const double value = fantasyland_a - fantasyland_b;
            result += limited_value(value, stake[0], chips[a] + moved, chips[1 - a] - moved) * worth - value;
        }
        return result;
    }

    // Points that a hand may expect on average from each opponent of fantasylands worth `value`, as the stacks are now.
    double paid(std::size_t hand, std::size_t count, double value) const {
        double sum = 0;
        std::size_t pair = 0;
        bool all = true;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                if (a != hand && b != hand) continue;
                const double result = limited_value(value, stake[pair], chips[hand], chips[a == hand ? b : a]);
                all = all && result == value;
                sum += result;
            }
        }
        return all ? value : sum / static_cast<double>(count - 1);
    }

private:
    double max_loss(std::size_t payer) const { return std::min(rule.loss_limit, rule.paid(chips[payer], chips, chips, payer, 1 - payer)); }

    // Points that the first of two is to expect of fantasylands worth `value` to it, with the stacks that both have then.
    double limited_value(double value, double stake, double own, double other) const;

    // The normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17); like its density the same on every C library.
    static double normal_cdf(double x) {
        if (x < 0) return 1 - normal_cdf(-x);
        const double t = 1 / (1 + 0.2316419 * x);
        return 1 - normal_density(x) * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    }
    static double normal_density(double x) { return 0.39894228040143268 * static_cast<double>(exponential(static_cast<float>(-0.5 * x * x))); }

    // What a hand gains by places, in points: a chip is worth on average what it is worth in a deal.
    double icm_change(std::size_t hand, std::size_t count, const StackList& after) const;
};

}  // namespace triptych::learn
