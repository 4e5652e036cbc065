// What the learner might hold boards against, at random.
#pragma once

#include <cstddef>

#include "triptych/learn/self_play.hpp"

struct RandomOutcomes {
    explicit RandomOutcomes(triptych::Random& random) {
        for (auto& row : strengths) {
            for (triptych::Rank& bin : row) bin = static_cast<triptych::Rank>(random.below(6)) << 20;
        }
        for (std::size_t i = 0; i < triptych::learn::outcome_count; ++i) weights[i] = static_cast<float>(random.below(40)) - 20;
    }
    triptych::learn::StrengthThresholds strengths{};
    triptych::learn::Outcomes weights{};
};
