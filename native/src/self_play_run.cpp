// Self-play.
#include "triptych/learn/self_play_run.hpp"

namespace triptych::learn {

void play_deals(SelfPlay& play, std::uint64_t deals, const Method& method) { play.play(deals, method); }

}  // namespace triptych::learn
