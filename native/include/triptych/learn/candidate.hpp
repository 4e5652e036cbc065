// A placement under search, and what its rollouts have brought so far.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "triptych/learn/choose.hpp"
#include "triptych/learn/endings.hpp"

namespace triptych::learn {

// Sums over rollouts of one placement; points are the searching player's. `exact`: one sum that has no error.
struct Candidate {
    Placement placement;
    std::size_t number = 0;  // in the order of the learned value
    float prior = 0;
    std::uint64_t rollouts = 0;
    double points = 0;
    double squares = 0;
    double rows = 0;
    double royalties = 0;
    double other = 0;  // fouls
    double land = 0;
    double stacks = 0;
    double fouls = 0;
    double lands = 0;
    bool exact = false;

    // Adds points alone; returns them.
    double add(double sample) {
        ++rollouts;
        points += sample;
        squares += sample * sample;
        return sample;
    }

    // Adds what the points come from, as the other hand sees it when `sign` is -1.
    double add(const Expected& found, double sign = 1) {
        rows += sign * found.rows;
        royalties += sign * found.royalties;
        other += sign * found.other;
        land += sign * found.land;
        stacks += sign * found.stacks;
        fouls += found.fouls;
        lands += found.lands;
        return add(sign * found.total());
    }

    // Adds the rollouts of the same placement elsewhere.
    void add(const Candidate& more) {
        rollouts += more.rollouts;
        points += more.points;
        squares += more.squares;
        rows += more.rows;
        royalties += more.royalties;
        other += more.other;
        land += more.land;
        stacks += more.stacks;
        fouls += more.fouls;
        lands += more.lands;
    }

    void forget() { *this = Candidate{placement, number, prior}; }
    double mean() const { return points / static_cast<double>(rollouts); }
    // The mean, where the learned value, which is of one opponent, counts like `trust` rollouts of its own.
    double believed(double trust, double opponents) const {
        return (points + trust * opponents * static_cast<double>(prior)) / (static_cast<double>(rollouts) + trust);
    }
    double error() const {
        const auto n = static_cast<double>(rollouts);
        if (exact) return 0;
        return rollouts < 2 ? std::numeric_limits<double>::infinity() : std::sqrt(std::max(0.0, squares / n - mean() * mean()) / (n - 1));
    }
};

}  // namespace triptych::learn
