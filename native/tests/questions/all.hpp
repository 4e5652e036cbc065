// One question to the kernel, whichever the first choice names.
#pragma once

#include "questions/closed.hpp"
#include "questions/games.hpp"
#include "questions/learn.hpp"
#include "questions/score.hpp"
#include "questions/solve.hpp"

namespace triptych::questions {

using Question = void (*)(Chance&);

inline constexpr Question every_question[] = {
    ask_rank, ask_bounds, ask_deal, ask_completion, ask_street, ask_outs, ask_table, ask_field, ask_batch, ask_game, ask_search,
    ask_belief, ask_stacks, ask_own_parts, ask_self_play, ask_land_field,
};
inline constexpr std::size_t question_count = sizeof(every_question) / sizeof(every_question[0]);

}  // namespace triptych::questions
