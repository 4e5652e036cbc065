#include "decision.hpp"

#include <utility>

#include "triptych/learn/decision.hpp"

namespace triptych::bind {

using namespace triptych::learn;

BoundDecision::BoundDecision(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
    : decision_(std::make_unique<Decision>(value, rules, shape, strengths)) {}
BoundDecision::BoundDecision(BoundDecision&& other) noexcept = default;
BoundDecision::~BoundDecision() = default;

void BoundDecision::share(Both both) { decision_->share(std::move(both)); }

BoundDecision::Field BoundDecision::candidates(const SearchTask& task, std::span<const RowMasks> named) {
    return decision_->candidates(task, named);
}

void BoundDecision::run(const SearchTask& task, Field& field, std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool hurried) {
    decision_->run(task, field, width, rollouts, seed, hurried);
}

RowMasks BoundDecision::masks(const Candidate& candidate) const { return decision_->masks(candidate); }
bool BoundDecision::solvable(const SearchTask& task) const { return decision_->solvable(task); }
const Belief& BoundDecision::belief() const { return decision_->belief(); }
const Belief& BoundDecision::careful(const SearchTask& task) { return decision_->careful(task); }

}  // namespace triptych::bind
