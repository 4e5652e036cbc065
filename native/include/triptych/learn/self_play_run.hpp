// Self-play, compiled once and apart from other choices: together they would take longer.
#pragma once

#include <cstdint>

#include "triptych/learn/self_play.hpp"

namespace triptych::learn {

void play_deals(SelfPlay& play, std::uint64_t deals, const Method& method);

}  // namespace triptych::learn
