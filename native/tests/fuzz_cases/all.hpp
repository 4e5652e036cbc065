// All cases; the fuzzer's first byte chooses one.
#pragma once

#include "fuzz_cases/closed.hpp"
#include "fuzz_cases/games.hpp"
#include "fuzz_cases/learn.hpp"
#include "fuzz_cases/score.hpp"
#include "fuzz_cases/solve.hpp"

namespace triptych::fuzz_cases {

using FuzzCase = void (*)(FuzzInput&);

inline constexpr FuzzCase all_cases[] = {
    check_rank,  check_bounds, check_deal,   check_completion, check_street, check_outs,      check_table,     check_field,
    check_batch, check_game,   check_search, check_belief,     check_stacks, check_own_parts, check_self_play, check_fantasyland_against_samples,
};
inline constexpr std::size_t case_count = sizeof(all_cases) / sizeof(all_cases[0]);

}  // namespace triptych::fuzz_cases
