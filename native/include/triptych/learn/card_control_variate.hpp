// Control variate for the luck of the cards in rollouts (Lavenberg and Welch 1981). It has two parts:
//  - how much better each hand's last draw was than the mean of all draws that were possible then,
//  - how many cards of each rank and suit every hand gets; this explains a fifth to a third of a rollout's variance.
// The worth of these counts is fitted to the rollouts of the screening rounds, and their exact mean is known (hypergeometric).
// Subtracting worth less mean from other rollouts keeps the expectation, whatever the fit, and reduces the variance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "triptych/learn/last_street_outcomes.hpp"
#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

class CardControlVariate {
public:
    // Measured on three-handed first streets: fewer samples are too noisy, more gain nothing.
    static constexpr std::size_t min_samples = 1500;
    static constexpr std::size_t max_samples = 4096;
    static constexpr std::size_t max_placements = 4;  // with a fit of their own
    static constexpr double ridge = 20;

    void clear() {
        fit_ = nullptr;
        reset();
    }

    bool is_fitted() const { return fit_ != nullptr; }

    // Records the rollouts of these placements until `stop_recording`.
    void start_recording(std::vector<std::size_t> numbers) {
        reset();
        numbers_ = std::move(numbers);
        is_recording_ = true;
    }
    void stop_recording() { is_recording_ = false; }
    bool is_recording() const { return is_recording_; }
    bool has_samples() const { return !deal_ends_.empty(); }

    // Reads the cards of a deal that was dealt out.
    void read_deal(const SearchTask& task, const Rollout& rollout) {
        hands_ = task.count;
        turns_ = rollout.turns();
        me_ = task.me;
        const Counts live_counts = counts_of(rollout.to_come());
        if (live_counts != live_counts_) means_.clear();
        live_counts_ = live_counts;
        size_ = static_cast<std::size_t>(std::popcount(rollout.to_come()));
        level_index_.clear();
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            for (std::size_t h = 0; h < hands_; ++h) {
                const CardSet cards = rollout.drawn(turn, h);
                const Counts counts = counts_of(cards);
                if (turn == 0) drawn_[h] = static_cast<std::size_t>(std::popcount(cards));
                for (std::size_t f = 0; f < features; ++f) {
                    level_index_.push_back(static_cast<std::uint16_t>(first_level(h, f) + std::min<std::size_t>(counts[f], levels[f])));
                }
            }
        }
        if (!is_recording_) return;
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) {
                const std::size_t reached = level_index_[h * features + f] - first_level(h, f);
                for (std::size_t level = 0; level < reached; ++level) levels_.push_back(static_cast<std::uint16_t>(h * width + start[f] + level));
            }
        }
        deal_ends_.push_back(levels_.size());
    }

    // Records the points of the next placement in the deal that was read.
    void record(const ExpectedPoints& result, const Rollout& rollout) {
        points_.push_back(parts_of(result));
        last_draw_luck_.push_back(last_draw_luck(rollout));
    }

    // Fits to its own records and those of `other`; placements without a fit of their own use that of the `best`.
    void fit(const CardControlVariate* other, std::size_t best) {
        if (other != nullptr) {
            for (const std::size_t end : other->deal_ends_) deal_ends_.push_back(end + levels_.size());
            levels_.insert(levels_.end(), other->levels_.begin(), other->levels_.end());
            points_.insert(points_.end(), other->points_.begin(), other->points_.end());
            last_draw_luck_.insert(last_draw_luck_.end(), other->last_draw_luck_.begin(), other->last_draw_luck_.end());
        }
        deal_ends_.resize(std::min(deal_ends_.size(), max_samples));
        auto fit = std::make_shared<Fit>();
        fit->numbers = numbers_;
        fit->best = static_cast<std::size_t>(std::find(numbers_.begin(), numbers_.end(), best) - numbers_.begin()) % numbers_.size();
        std::vector<std::array<Parts, max_hands>> drawn;
        for (std::size_t c = 0; c < numbers_.size(); ++c) drawn.push_back(fit_last_draws(c));
        const std::vector<std::vector<double>> worth = solve_regression();
        for (std::size_t c = 0; c < numbers_.size(); ++c) {
            fit->tables.push_back(table(&worth[c * part_count]));
            fit->tables.back().drawn = drawn[c];
        }
        fit_ = std::move(fit);
        reset();
    }

    // Uses the fit of another one.
    void copy_fit(const CardControlVariate& other) {
        reset();
        fit_ = other.fit_;
    }

    // Subtracts the luck from the points of a placement, the mean over the deal's rotations.
    void subtract_luck(std::size_t number, ExpectedPoints& result, const Rollout& rollout) {
        const auto at = static_cast<std::size_t>(std::find(fit_->numbers.begin(), fit_->numbers.end(), number) - fit_->numbers.begin());
        const std::size_t which = at < fit_->numbers.size() ? at : fit_->best;
        const Table& table = fit_->tables[which];
        Parts luck{};
        for (const std::uint16_t level : level_index_) add(luck, table.worth[level]);
        const HandLuck drawn = last_draw_luck(rollout);
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t part = 0; part < part_count; ++part) luck[part] += table.drawn[h][part] * drawn[h];
        }
        for (float& part : luck) part /= static_cast<float>(turns_);
        if (means_.empty()) {
            for (const Table& fitted : fit_->tables) means_.push_back(mean(fitted));
        }
        const auto excess = [&](std::size_t part) { return static_cast<double>(luck[part]) - static_cast<double>(means_[which][part]); };
        result.rows -= excess(0);
        result.royalties -= excess(1);
        result.other -= excess(2);
        result.fantasyland -= excess(3);
        result.stacks -= excess(4);
        subtract_own_luck(which, result.own, drawn[me_]);
    }

private:
    static constexpr std::size_t part_count = 5;
    using Parts = std::array<float, 8>;  // padded so that loops vectorize

    // Features: ranks, jokers, suits. Up to `levels` cards of a feature each have a worth; further ones have none.
    static constexpr std::size_t features = ranks + 1 + suits;
    static constexpr std::size_t max_level = 7;
    static constexpr auto levels = [] {
        std::array<std::size_t, features> result{};
        for (std::size_t f = 0; f < features; ++f) result[f] = f < ranks ? 4 : f == ranks ? 2 : max_level;
        return result;
    }();
    static constexpr auto start = [] {
        std::array<std::size_t, features + 1> result{};
        for (std::size_t f = 0; f < features; ++f) result[f + 1] = result[f] + levels[f];
        return result;
    }();
    static constexpr std::size_t width = start[features];  // of a hand
    using Counts = std::array<std::uint8_t, features>;

    using HandLuck = std::array<float, max_hands>;

    struct Table {
        std::array<Parts, max_hands> drawn{};                                              // worth of a point of luck of a hand's last draw
        std::array<Parts, max_hands * features*(max_level + 1)> worth{};                   // by `first_level` and how many a hand gets
        std::array<std::array<std::array<Parts, ranks + 1>, features>, max_hands> mean{};  // by how many are live
    };

    struct Fit {
        std::vector<std::size_t> numbers;
        std::size_t best = 0;
        std::vector<Table> tables;
    };

    static Counts counts_of(CardSet cards) {
        Counts result{};
        for (std::size_t rank = 0; rank < ranks; ++rank) result[rank] = static_cast<std::uint8_t>(std::popcount(suits_of_rank(cards, static_cast<int>(rank))));
        result[ranks] = static_cast<std::uint8_t>(std::popcount(cards >> first_joker));
        for (std::size_t suit = 0; suit < suits; ++suit) {
            result[ranks + 1 + suit] = static_cast<std::uint8_t>(std::popcount(cards & (0x1111111111111ULL << suit)));
        }
        return result;
    }

    // Index of a feature's first level in a table.
    static constexpr std::size_t first_level(std::size_t hand, std::size_t feature) { return (hand * features + feature) * (max_level + 1); }

    // Subtracts the luck of the player's own cards from its own parts; the luck of other cards belongs to the opponents. The luck
    // of each hand has mean zero, so neither side's expectation changes.
    void subtract_own_luck(std::size_t which, OwnParts& own, float drawn) const {
        const Table& table = fit_->tables[which];
        Parts luck{};
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            for (std::size_t f = 0; f < features; ++f) add(luck, table.worth[level_index_[(turn * hands_ + me_) * features + f]]);
        }
        Parts mean{};
        for (std::size_t f = 0; f < features; ++f) add(mean, table.mean[me_][f][live_counts_[f]]);
        const auto excess = [&](std::size_t part) {
            const float all = luck[part] + table.drawn[me_][part] * drawn;
            return static_cast<double>(all / static_cast<float>(turns_)) - static_cast<double>(mean[part]);
        };
        own.rows -= excess(0);
        own.royalties -= excess(1);
        own.other -= excess(2);
        own.fantasyland -= excess(3);
    }

    // The mean over the cards that are live now.
    Parts mean(const Table& table) const {
        Parts result{};
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) add(result, table.mean[h][f][live_counts_[f]]);
        }
        return result;
    }

    HandLuck last_draw_luck(const Rollout& rollout) const {
        HandLuck result{};
        for (std::size_t h = 0; h < hands_; ++h) result[h] = rollout.last_draw_luck(h);
        return result;
    }

    static Parts parts_of(const ExpectedPoints& result) {
        return {static_cast<float>(result.rows), static_cast<float>(result.royalties), static_cast<float>(result.other), static_cast<float>(result.fantasyland),
                static_cast<float>(result.stacks)};
    }

    static void add(Parts& sum, const Parts& more) {
        for (std::size_t part = 0; part < sum.size(); ++part) sum[part] += more[part];
    }

    void reset() {
        is_recording_ = false;
        numbers_.clear();
        levels_.clear();
        deal_ends_.clear();
        points_.clear();
        last_draw_luck_.clear();
        means_.clear();
    }

    // Regression of points on the luck of each hand's last draw, one hand after the other. What it explains is subtracted from
    // the recorded points.
    std::array<Parts, max_hands> fit_last_draws(std::size_t placement) {
        std::array<Parts, max_hands> worth{};
        for (std::size_t h = 0; h < hands_; ++h) {
            double all = ridge;
            std::array<double, part_count> with{};
            for (std::size_t at = placement; at < points_.size(); at += numbers_.size()) {
                const auto luck = static_cast<double>(last_draw_luck_[at][h]);
                all += luck * luck;
                for (std::size_t part = 0; part < part_count; ++part) with[part] += luck * static_cast<double>(points_[at][part]);
            }
            for (std::size_t part = 0; part < part_count; ++part) worth[h][part] = static_cast<float>(with[part] / all);
            for (std::size_t at = placement; at < points_.size(); at += numbers_.size()) {
                for (std::size_t part = 0; part < part_count; ++part) points_[at][part] -= worth[h][part] * last_draw_luck_[at][h];
            }
        }
        return worth;
    }

    // Worth of each level by placement and part: ridge regression, by Cholesky decomposition.
    std::vector<std::vector<double>> solve_regression() const {
        const std::size_t size = hands_ * width;
        const auto n = static_cast<double>(deal_ends_.size());
        const std::size_t target_count = numbers_.size() * part_count;
        std::vector<double> frequency(size);
        std::vector<double> matrix(size * size);
        std::vector<std::vector<double>> worth(target_count, std::vector<double>(size));
        std::vector<double> total(target_count);
        for (std::size_t deal = 0, from = 0; deal < deal_ends_.size(); from = deal_ends_[deal++]) {
            for (std::size_t i = from; i < deal_ends_[deal]; ++i) {
                frequency[levels_[i]] += 1;
                for (std::size_t j = from; j <= i; ++j) matrix[levels_[i] * size + levels_[j]] += 1;  // in ascending order
            }
            for (std::size_t target = 0; target < target_count; ++target) {
                const auto points = static_cast<double>(points_[deal * numbers_.size() + target / part_count][target % part_count]);
                total[target] += points;
                if (points == 0) continue;
                for (std::size_t i = from; i < deal_ends_[deal]; ++i) worth[target][levels_[i]] += points;
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) matrix[i * size + j] -= frequency[i] * frequency[j] / n;
            matrix[i * size + i] += ridge;
            for (std::size_t target = 0; target < target_count; ++target) worth[target][i] -= frequency[i] * total[target] / n;
        }
        for (std::size_t i = 0; i < size; ++i) {
            double* row = &matrix[i * size];
            for (std::size_t j = 0; j <= i; ++j) {
                const double* other = &matrix[j * size];
                double left = row[j];
                for (std::size_t k = 0; k < j; ++k) left -= row[k] * other[k];
                row[j] = i == j ? std::sqrt(left) : left / other[j];
            }
            for (std::vector<double>& column : worth) {
                for (std::size_t k = 0; k < i; ++k) column[i] -= row[k] * column[k];
                column[i] /= row[i];
            }
        }
        for (std::vector<double>& column : worth) {
            for (std::size_t i = size; i-- > 0;) {
                column[i] /= matrix[i * size + i];
                for (std::size_t k = 0; k < i; ++k) column[k] -= matrix[i * size + k] * column[i];
            }
        }
        return worth;
    }

    // The table of one placement, from the worth of each level by part.
    Table table(const std::vector<double>* worth) const {
        Table result;
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) {
                for (std::size_t level = 0; level < levels[f]; ++level) {
                    Parts* here = &result.worth[first_level(h, f)];
                    for (std::size_t part = 0; part < part_count; ++part) {
                        const auto points = static_cast<float>(worth[part][h * width + start[f] + level]);
                        here[level + 1][part] = here[level][part] + points;
                    }
                }
                for (std::size_t live = 0; live < result.mean[h][f].size(); ++live)
                    result.mean[h][f][live] = mean(&result.worth[first_level(h, f)], levels[f], drawn_[h], live);
            }
        }
        return result;
    }

    // Mean worth of a feature when a hand gets `drawn` cards and so many cards of the feature are live.
    Parts mean(const Parts* worth, std::size_t last, std::size_t drawn, std::size_t live) const {
        std::array<double, part_count> sum{};
        if (live > size_) return {};
        const std::size_t fewest = drawn + live > size_ ? drawn + live - size_ : 0;
        const std::size_t end = std::min(drawn, live);
        double all = 0;
        double chance = 1;  // unnormalized
        for (std::size_t count = fewest; count <= end; ++count) {
            all += chance;
            for (std::size_t part = 0; part < part_count; ++part) sum[part] += chance * static_cast<double>(worth[std::min(count, last)][part]);
            chance *= static_cast<double>((live - count) * (drawn - count)) / static_cast<double>((count + 1) * (size_ + count + 1 - live - drawn));
        }
        Parts result{};
        for (std::size_t part = 0; part < part_count; ++part) result[part] = static_cast<float>(sum[part] / all);
        return result;
    }

    // Of the deal that was read.
    std::size_t hands_ = 0;
    std::size_t turns_ = 1;
    std::size_t me_ = 0;
    std::size_t size_ = 0;  // live cards
    std::array<std::size_t, max_hands> drawn_{};
    Counts live_counts_{};
    std::vector<std::uint16_t> level_index_;  // by rotation, hand and feature
    std::vector<Parts> means_;                // of each fit, by live cards; computed on first use

    // Records: placements, the levels that each deal reaches, their ends by deal, and points by deal and placement.
    bool is_recording_ = false;
    std::vector<std::size_t> numbers_;
    std::vector<std::uint16_t> levels_;
    std::vector<std::size_t> deal_ends_;
    std::vector<Parts> points_;
    std::vector<HandLuck> last_draw_luck_;

    std::shared_ptr<const Fit> fit_;
};

}  // namespace triptych::learn
