#include "decision.hpp"

#include "triptych/learn/decision.hpp"

namespace triptych::bind {

using namespace triptych::learn;

void BoundDecision::measure(const SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
    decision_->measure(task, field, chosen, each, seed, first);
}

void BoundDecision::sample(const SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first,
                           const std::function<void(double)>& add) {
    decision_->measure<false>(task, field, chosen, each, seed, first, add);
}

Streets BoundDecision::course(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed,
                              std::uint64_t first) const {
    return decision_->course(task, candidate, each, seed, first);
}

std::vector<Expected> BoundDecision::answers(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed) {
    return decision_->answers(task, candidate, each, seed);
}

}  // namespace triptych::bind
