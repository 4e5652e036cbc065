// The learner's value of an afterstate: for one board in progress, the expected vector of outcomes.
//
// A sum of table entries (row states, classes of row pairs, live cards), learned by temporal-coherence TD
// (Beal and Smith 1999; Jaskowski 2018 for 2048). Outcomes are real ones only: royalties by row, foul, the
// fantasyland reached by its number of cards, and how strong each row ends up. A weight per outcome turns the
// vector into points, so scoring methods, fantasyland values and opponents plug in without learning again.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "triptych/learn/row_state.hpp"
#include "triptych/score/cards.hpp"

namespace triptych::learn {

inline constexpr std::size_t strength_bins = 4;           // a row ends above the 1st … 4th quintile of finished rows
inline constexpr std::size_t fantasyland_size_count = 5;  // 13 … 17 cards

enum Outcome : std::size_t {
    royalty_outcome = 0,  // front, middle, back
    foul_outcome = 3,
    fantasyland_outcome = 4,
    strength_outcome = fantasyland_outcome + fantasyland_size_count,  // front bins, middle bins, back bins
    outcome_count = strength_outcome + 3 * strength_bins,
};

// Objective variants, each a part of the points: fantasyland, no foul, the back. Used only to select extra candidates.
enum ObjectiveVariant : std::size_t { fantasyland_first, safety_first, back_first, variant_count };
using VariantPoints = std::array<float, variant_count>;

inline constexpr std::size_t outcome_width = 24;  // padded so that loops vectorize
using Outcomes = std::array<float, outcome_width>;

inline float dot(const Outcomes& weights, const float* values) {
    float sum = 0;
    for (std::size_t i = 0; i < outcome_width; ++i) sum += weights[i] * values[i];
    return sum;
}

inline VariantPoints split_by_variant(const Outcomes& weights, const float* values) {
    const auto part = [&](std::size_t first, std::size_t count) {
        float sum = 0;
        for (std::size_t i = first; i < first + count; ++i) sum += weights[i] * values[i];
        return sum;
    };
    constexpr std::size_t back = 2;
    return {part(fantasyland_outcome, fantasyland_size_count), part(foul_outcome, 1),
            part(royalty_outcome + back, 1) + part(strength_outcome + back * strength_bins, strength_bins)};
}

// Cards that a player has not seen, counted by rank and by suit.
struct LiveCards {
    std::array<std::int8_t, ranks> of_rank{};
    std::array<std::int8_t, suits> of_suit{};

    explicit LiveCards(CardSet unseen) {
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            of_rank[rank] = static_cast<std::int8_t>(std::popcount(suits_of_rank(unseen, static_cast<int>(rank))));
        }
        for (std::size_t suit = 0; suit < suits; ++suit) { of_suit[suit] = static_cast<std::int8_t>(std::popcount(unseen & (0x1111111111111ULL << suit))); }
    }
};

using Board = std::array<PartialRow, 3>;  // front, middle, back

inline constexpr std::size_t live_buckets = 8;
inline constexpr std::size_t max_features = 13;

// What the tables ask of a row: its state, how many cards it has, how many live ones pair one of them, and the suit of its
// flush, -1 = none or still any.
struct RowKey {
    std::uint32_t state;
    std::uint32_t size;
    std::int32_t matching;
    std::int32_t suit;
};

inline RowKey feature_key(const PartialRow& row, const LiveCards& live) {
    RowKey key{row.state(), row.size, 0, row.suited() ? row.suit : -1};
    for (std::size_t i = 0; i < row.size; ++i) {
        if (row.rank[i] >= ranks || (i > 0 && row.rank[i] == row.rank[i - 1])) continue;
        key.matching += live.of_rank[static_cast<std::size_t>(row.rank[i])];
    }
    return key;
}

// The entries of one board; `count` of them are in use.
struct Features {
    std::array<std::uint32_t, max_features> entry;  // written before it is read
    std::size_t count = 0;
    void add(std::uint32_t value) { entry[count++] = value; }
};

// Where each feature's entries lie in the flat table.
class FeatureMap {
public:
    explicit FeatureMap(int jokers) : classes_(jokers), width_(static_cast<std::uint32_t>(classes_.count())) {
        std::uint32_t next = 0;
        for (std::size_t row = 0; row < 3; ++row) {
            state_[row] = next;
            next += row == 0 ? front_states : row_states;
        }
        for (std::size_t row = 0; row < 3; ++row) {
            match_[row] = next;
            next += width_ * live_buckets;
        }
        for (std::size_t row = 1; row < 3; ++row) {
            suit_[row] = next;
            next += width_ * live_buckets;
        }
        for (std::uint32_t& pair : pair_) {
            pair = next;
            next += width_ * width_;
        }
        shape_ = next;
        size_ = next + 4 * 6 * 6;
    }

    std::size_t size() const { return size_; }
    std::uint16_t row_class(std::uint32_t state) const { return classes_[state]; }

    // `add(entry)` for those of one row alone: its state, the live cards that pair it, and those of its flush.
    template <typename Add>
    void for_each_row_entry(std::size_t row, const RowKey& key, const LiveCards& live, const Add& add) const {
        add(state_[row] + key.state);
        if (key.size == 0 || key.size == (row == 0 ? 3 : 5)) return;
        const std::uint32_t base = classes_[key.state] * static_cast<std::uint32_t>(live_buckets);
        add(match_[row] + base + bucket(key.matching));
        if (row > 0 && key.size >= 2 && key.suit >= 0) add(suit_[row] + base + bucket(live.of_suit[static_cast<std::size_t>(key.suit)]));
    }

    std::uint32_t pair(std::size_t which, std::uint16_t upper, std::uint16_t lower) const { return pair_[which] + upper * width_ + lower; }

    std::uint32_t shape(std::size_t front, std::size_t middle, std::size_t back) const {
        return shape_ + static_cast<std::uint32_t>((front * 6 + middle) * 6 + back);
    }

    Features features(const Board& board, const LiveCards& live) const {
        Features result;
        std::array<std::uint16_t, 3> cls{};
        for (std::size_t row = 0; row < 3; ++row) {
            const RowKey key = feature_key(board[row], live);
            cls[row] = classes_[key.state];
            for_each_row_entry(row, key, live, [&](std::uint32_t entry) { result.add(entry); });
        }
        result.add(pair(0, cls[0], cls[1]));
        result.add(pair(1, cls[1], cls[2]));
        result.add(pair(2, cls[0], cls[2]));
        result.add(shape(board[0].size, board[1].size, board[2].size));
        return result;
    }

private:
    static std::uint32_t bucket(int live) { return static_cast<std::uint32_t>(live < 0 ? 0 : live > 7 ? 7 : live); }

    RowClasses classes_;
    std::uint32_t width_;
    std::array<std::uint32_t, 3> state_{};
    std::array<std::uint32_t, 3> match_{};
    std::array<std::uint32_t, 3> suit_{};
    std::array<std::uint32_t, 3> pair_{};  // front-middle, middle-back, front-back
    std::uint32_t shape_ = 0;
    std::uint32_t size_ = 0;
};

// The tables. `points` holds each entry's vector already weighed, for choosing fast. A copy may weigh the same entries
// otherwise; what one of them learns, all of them know from then on.
class ValueFunction {
public:
    ValueFunction(int jokers, const Outcomes& weights)
        : map_(jokers), mean_(std::make_shared<std::vector<float>>(map_.size() * outcome_width)), points_(map_.size()), foul_points_(map_.size()),
          weights_(weights) {}

    // For playing only: points and variant points without the vectors they come from, in a sixth of the memory.
    static ValueFunction points_only(int jokers, const Outcomes& weights) { return {jokers, weights, 0}; }
    void set_points(std::size_t entry, const Outcomes& mean) {
        points_[entry] = dot(weights_, mean.data());
        foul_points_[entry] = weights_[foul_outcome] * mean[foul_outcome];
        variant_points_[entry] = split_by_variant(weights_, mean.data());
    }

    const FeatureMap& map() const { return map_; }
    const Outcomes& weights() const { return weights_; }
    float points(std::uint32_t entry) const { return points_[entry]; }

    // The foul term of an entry's points.
    float foul_points(std::uint32_t entry) const { return foul_points_[entry]; }

    // The variants' parts of a board's points.
    VariantPoints variant_points(const Features& features) const {
        VariantPoints sum{};
        for (std::size_t f = 0; f < features.count; ++f) {
            const std::size_t entry = features.entry[f];
            const VariantPoints points = mean_->empty() ? variant_points_[entry] : split_by_variant(weights_, &(*mean_)[entry * outcome_width]);
            for (std::size_t variant = 0; variant < variant_count; ++variant) sum[variant] += points[variant];
        }
        return sum;
    }
    std::span<float> mean() { return *mean_; }
    std::span<const float> mean() const { return *mean_; }

    // All state that learning changes, so that a run can resume in another process; call `set_weights` after writing to it.
    std::vector<std::span<float>> memory() {
        if (error_.empty()) {
            error_.assign(mean_->size(), 0);
            size_of_error_.assign(mean_->size(), 0);
        }
        return {*mean_, error_, size_of_error_};
    }

    void set_weights(const Outcomes& weights) {
        weights_ = weights;
        for (std::size_t entry = 0; entry < points_.size(); ++entry) refresh(entry);
    }

    Outcomes value(const Features& features) const {
        Outcomes sum{};
        for (std::size_t f = 0; f < features.count; ++f) {
            const float* mean = &(*mean_)[features.entry[f] * outcome_width];
            for (std::size_t i = 0; i < outcome_width; ++i) sum[i] += mean[i];
        }
        return sum;
    }

    // Moves the value of a board towards `target`; every weight has its own rate |sum of errors| / sum of |errors|.
    // Returns what the value was before.
    Outcomes learn(const Features& features, const Outcomes& target, float rate) {
        if (error_.empty()) {
            error_.assign(mean_->size(), 0);
            size_of_error_.assign(mean_->size(), 0);
        }
        const Outcomes now = value(features);
        Outcomes delta{};
        for (std::size_t i = 0; i < outcome_count; ++i) delta[i] = target[i] - now[i];
        const float share = rate / static_cast<float>(features.count);
        for (std::size_t f = 0; f < features.count; ++f) {
            const std::size_t at = features.entry[f] * outcome_width;
            float* mean = &(*mean_)[at];
            float* error = &error_[at];
            float* size = &size_of_error_[at];
            for (std::size_t i = 0; i < outcome_width; ++i) {
                const float coherence = size[i] > 0 ? std::fabs(error[i]) / size[i] : 1.0F;
                mean[i] += share * coherence * delta[i];
                error[i] += delta[i];
                size[i] += std::fabs(delta[i]);
            }
            refresh(features.entry[f]);
        }
        return now;
    }

private:
    ValueFunction(int jokers, const Outcomes& weights, std::size_t table_size)
        : map_(jokers), mean_(std::make_shared<std::vector<float>>(table_size)), points_(map_.size()), foul_points_(map_.size()), variant_points_(map_.size()),
          weights_(weights) {}

    void refresh(std::size_t entry) {
        const float* mean = &(*mean_)[entry * outcome_width];
        points_[entry] = dot(weights_, mean);
        foul_points_[entry] = weights_[foul_outcome] * mean[foul_outcome];
    }

    FeatureMap map_;
    std::shared_ptr<std::vector<float>> mean_;
    std::vector<float> error_;
    std::vector<float> size_of_error_;
    std::vector<float> points_;
    std::vector<float> foul_points_;
    std::vector<VariantPoints> variant_points_;  // where the vectors are not kept
    Outcomes weights_;
};

}  // namespace triptych::learn
