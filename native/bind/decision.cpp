#include "decision.hpp"

#include <utility>

#include "triptych/learn/decision.hpp"

namespace triptych::bind {

using namespace triptych::learn;

BoundDecision::BoundDecision(const Learner& learner)
    : decision_(std::make_unique<Decision>(learner.self().value(), learner.rules(), learner.shape(), learner.self().strengths())) {}
BoundDecision::BoundDecision(BoundDecision&& other) noexcept = default;
BoundDecision::~BoundDecision() = default;

void BoundDecision::share(Both both) { decision_->share(std::move(both)); }

BoundDecision::Field BoundDecision::candidates(const SearchTask& task, std::span<const RowMasks> named) {
    return decision_->candidates(task, named);
}

void BoundDecision::run(const SearchTask& task, Field& field, std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool hurried) {
    decision_->run(task, field, width, rollouts, seed, hurried);
}

void BoundDecision::measure(const SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first) {
    decision_->measure(task, field, chosen, each, seed, first);
}

void BoundDecision::sample(const SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first,
                           const std::function<void(double)>& told) {
    decision_->measure<false>(task, field, chosen, each, seed, first, told);
}

Streets BoundDecision::course(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed,
                              std::uint64_t first) const {
    return decision_->course(task, candidate, each, seed, first);
}

std::vector<Expected> BoundDecision::answers(const SearchTask& task, const Candidate& candidate, std::uint64_t each, std::uint64_t seed) {
    return decision_->answers(task, candidate, each, seed);
}

RowMasks BoundDecision::masks(const Candidate& candidate) const { return decision_->masks(candidate); }
bool BoundDecision::solvable(const SearchTask& task) const { return decision_->solvable(task); }
const Belief& BoundDecision::belief() const { return decision_->belief(); }
const Belief& BoundDecision::careful(const SearchTask& task) { return decision_->careful(task); }

}  // namespace triptych::bind
