// Sequential halving (Karnin et al. 2013): all candidates are measured, then the better half of them, until two are left.
// It runs in steps, so that the caller can stop or report in between; the result does not depend on the size of the steps.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "triptych/learn/candidate.hpp"

namespace triptych::learn {

// Rounds until two candidates are left.
inline std::uint64_t halving_rounds(std::size_t left) { return left < 2 ? 1 : static_cast<std::uint64_t>(std::bit_width(left - 1)); }

class SequentialHalving {
public:
    // `budget` rollouts are shared by so many `rounds`, the first of them among the first `left` of the candidates; each of
    // these is measured `min_each` times a round or more.
    SequentialHalving(std::size_t left, std::uint64_t rounds, std::uint64_t budget, std::uint64_t min_each)
        : left_(left), rounds_(left == 0 ? 0 : rounds), budget_(budget), min_each_(min_each) {}

    bool finished() const { return round_ >= rounds_; }
    void end() { round_ = rounds_; }

    // Of the present round: how many are in it, how often each is measured, and how often it has been.
    std::size_t left() const { return left_; }
    std::uint64_t each() const { return finished() ? 0 : std::max(min_each_, budget_ / rounds_ / left_); }
    std::uint64_t measured() const { return measured_; }

    // At most `max_rollouts` rollouts, but one of each. `measure(chosen, each, first)`: so many more of the chosen, from the stream
    // `first` on. `value`: what a candidate is ordered by at the end of a round.
    template <typename Measure, typename Value>
    void step(std::vector<Candidate>& candidates, std::uint64_t max_rollouts, const Measure& measure, const Value& value) {
        if (finished()) return;
        const std::uint64_t target = each();
        const std::uint64_t count = std::min(target - measured_, std::max<std::uint64_t>(1, max_rollouts / left_));
        for (std::size_t i = first_.size(); i < left_; ++i) first_.push_back(i);
        measure(std::span(first_).first(left_), count, stream_);
        stream_ += count;
        measured_ += count;
        if (measured_ < target) return;
        measured_ = 0;
        std::stable_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(left_),
                         [&](const Candidate& a, const Candidate& b) { return value(a) > value(b); });
        if (++round_ < rounds_) left_ = std::max<std::size_t>(2, (left_ + 1) / 2);
    }

private:
    std::size_t left_;
    std::uint64_t rounds_;
    std::uint64_t budget_;
    std::uint64_t min_each_;
    std::uint64_t round_ = 0;
    std::uint64_t measured_ = 0;  // of each, in this round
    std::uint64_t stream_ = 0;
    std::vector<std::size_t> first_;
};

}  // namespace triptych::learn
