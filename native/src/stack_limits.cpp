// Effect of stack limits on a deal's points (stack_limits.hpp).
#include "triptych/learn/stack_limits.hpp"

namespace triptych::learn {

double StackLimits::change(const RulesTable& rules, std::size_t hand, std::size_t count, const DueList& points, const StackList& fantasyland) const {
    DueList dues{};
    for (std::size_t pair = 0; pair < max_dues; ++pair) dues[pair] = points[pair] * stake[pair];
    StackList now = chips;
    const DueList moved = rule.settle(dues, now, count);
    StackList after = now;
    double result = 0;
    double plain = 0;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b, ++pair) {
            if (!play_each_other(rules, a, b, count - 1)) continue;
            const double value = fantasyland[a] - fantasyland[b];
            const double to_come = fantasyland[a] != 0 || fantasyland[b] != 0 ? limited_value(value, stake[pair], now[a], now[b]) : 0;
            after[a] += to_come * stake[pair];
            after[b] -= to_come * stake[pair];
            if (a != hand && b != hand) continue;
            const double sign = a == hand ? 1 : -1;
            const double worth = stake[pair] / point;
            result += sign * ((moved[pair] - dues[pair]) / point + points[pair] * (worth - 1) + (to_come * worth - value));
            plain += sign * (points[pair] + value);
        }
    }
    return places.paid() ? icm_change(hand, count, after) - plain : result;
}

double StackLimits::limited_value(double value, double stake, double own, double other) const {
    const StackList then{own, other};
    const double lose = std::min(rule.loss_limit, rule.paid(own, then, then, 0, 1)) / stake;
    const double win = std::min(rule.loss_limit, rule.paid(other, then, then, 1, 0)) / stake;
    if (win >= value + certain_spreads * fantasyland_spread && -lose <= value - certain_spreads * fantasyland_spread) return value;
    const double low = (-lose - value) / fantasyland_spread;
    const double high = (win - value) / fantasyland_spread;
    return -lose * normal_cdf(low) + win * normal_cdf(-high) + value * (normal_cdf(high) - normal_cdf(low)) +
           fantasyland_spread * (normal_density(low) - normal_density(high));
}

double StackLimits::icm_change(std::size_t hand, std::size_t count, const StackList& after) const {
    double all = places.chips_elsewhere();
    for (std::size_t i = 0; i < count; ++i) all += chips[i];
    StackList then{};
    for (std::size_t i = 0; i < count; ++i) then[i] = std::max(after[i], 0.0);
    const double gained = places.worth(then, chips, count)[hand] - prior_worth[hand];
    return gained * all / places.prize_total() / point;
}

}  // namespace triptych::learn
