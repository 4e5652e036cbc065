// A placement under search and the sums over its rollouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "triptych/learn/last_street_outcomes.hpp"
#include "triptych/learn/placements.hpp"

namespace triptych::learn {

// Sums over the rollouts of one placement, in the searching player's points. `exact`: one sum without error.
struct Candidate {
    static constexpr double control_weight = 0.7;  // both measured on bench/decisions
    static constexpr double control_prior_samples = 4000;

    Placement placement;
    std::size_t number = 0;  // rank by prior
    float prior = 0;
    float lookahead_value = 0;  // mean prior one draw later; the prior where there was no lookahead
    double luck = 0;            // of own cards, by the learned value, against one opponent
    std::uint64_t rollouts = 0;
    double points = 0;
    double squares = 0;
    double rows = 0;
    double royalties = 0;
    double other = 0;  // fouls
    double fantasyland = 0;
    double stacks = 0;
    double fouls = 0;
    double fantasylands = 0;
    OwnParts own{};  // the searching player's share of rows, royalties, other and fantasyland
    bool exact = false;

    // Adds points only; returns them.
    double add(double sample) {
        ++rollouts;
        points += sample;
        squares += sample * sample;
        return sample;
    }

    // Adds points by parts; `sign` -1: from the opponent's point of view.
    double add(const ExpectedPoints& expected, double sign = 1) {
        rows += sign * expected.rows;
        royalties += sign * expected.royalties;
        other += sign * expected.other;
        fantasyland += sign * expected.fantasyland;
        stacks += sign * expected.stacks;
        fouls += expected.fouls;
        fantasylands += expected.fantasylands;
        own.add(sign > 0 ? expected.own : expected.opponents());
        return add(sign * expected.total());
    }

    // Adds the sums of another run.
    void add(const Candidate& more) {
        rollouts += more.rollouts;
        points += more.points;
        squares += more.squares;
        rows += more.rows;
        royalties += more.royalties;
        other += more.other;
        fantasyland += more.fantasyland;
        stacks += more.stacks;
        luck += more.luck;
        fouls += more.fouls;
        fantasylands += more.fantasylands;
        own.add(more.own);
    }

    void reset() { *this = Candidate{placement, number, prior, lookahead_value}; }
    double mean() const { return points / static_cast<double>(rollouts); }
    // Mean of points less luck, where the prior (against one opponent) counts like `prior_samples` rollouts. The estimate of luck
    // is slightly biased: the more rollouts there are, the less of it is subtracted.
    double posterior_mean(double prior_samples, double opponents) const {
        const auto n = static_cast<double>(rollouts);
        const double share = control_weight * control_prior_samples / (control_prior_samples + n);
        return (points + opponents * (prior_samples * static_cast<double>(lookahead_value) - share * luck)) / (n + prior_samples);
    }
    double error() const { return exact ? 0 : error(static_cast<double>(rollouts) - 1); }
    // Standard error with `count` rollouts.
    double error(double count) const {
        const double square = squares / static_cast<double>(rollouts) - mean() * mean();
        return rollouts < 2 ? std::numeric_limits<double>::infinity() : std::sqrt(std::max(0.0, square) / count);
    }
};

}  // namespace triptych::learn
