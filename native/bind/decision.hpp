// One decision under search for the bindings: learn::Decision, compiled apart from them and from nanobind (decision*.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "triptych/learn/belief.hpp"
#include "triptych/learn/candidate.hpp"
#include "triptych/learn/course.hpp"
#include "triptych/learn/land_search.hpp"

namespace triptych::learn {
class Decision;
}

namespace triptych::bind {

class BoundDecision {
public:
    using Field = std::vector<learn::Candidate>;
    using Chosen = std::span<const std::size_t>;
    using Both = std::function<void(const std::function<void()>& first, const std::function<void()>& second)>;

    BoundDecision(const learn::ValueTables& value, const RulesTable& rules, const DealShape& shape, const learn::Strengths& strengths);
    BoundDecision(BoundDecision&& other) noexcept;
    ~BoundDecision();

    void share(Both both);
    Field candidates(const learn::SearchTask& task, std::span<const learn::RowMasks> named);
    void run(const learn::SearchTask& task, Field& field, std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool hurried);
    void measure(const learn::SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first);
    // Bare points; `add` is called with those of every rollout.
    void sample(const learn::SearchTask& task, Field& field, Chosen chosen, std::uint64_t each, std::uint64_t seed, std::uint64_t first,
                const std::function<void(double)>& add);
    learn::Streets course(const learn::SearchTask& task, const learn::Candidate& candidate, std::uint64_t each, std::uint64_t seed,
                          std::uint64_t first) const;
    std::vector<learn::Expected> answers(const learn::SearchTask& task, const learn::Candidate& candidate, std::uint64_t each, std::uint64_t seed);
    learn::RowMasks masks(const learn::Candidate& candidate) const;
    bool solvable(const learn::SearchTask& task) const;
    const learn::Belief& belief() const;
    const learn::Belief& careful(const learn::SearchTask& task);

private:
    std::unique_ptr<learn::Decision> decision_;
};

}  // namespace triptych::bind
