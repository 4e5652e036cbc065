// The mean, over all triples of cards, of the best pair in a triple: enumerated, eight triples at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace triptych::learn {

class BestPairInTriples {
public:
    explicit BestPairInTriples(std::size_t cards) : cards_(cards), width_((cards + lanes - 1) / lanes * lanes) {
        for (std::size_t p = 0; p < cards; ++p) std::fill_n(best_[p].begin(), width_, no_points);
    }

    // Points of the pair of the p-th and the q-th card; every pair is set once.
    void set(std::size_t p, std::size_t q, float points) {
        best_[p][q] = best_[q][p] = points;
        pairs_ += static_cast<double>(points);
    }

    double mean() const {
        // Each pair with each third card counts every three three times, and with its own cards and the padding itself.
        double total = 0;
        for (std::size_t p = 0; p < cards_; ++p) {
            std::array<float, lanes> sum{};
            for (std::size_t q = 0; q < p; ++q) {
                const float pair = best_[p][q];
                for (std::size_t block = 0; block < width_; block += lanes) {
                    for (std::size_t lane = 0; lane < lanes; ++lane) { sum[lane] += std::max(pair, std::max(best_[p][block + lane], best_[q][block + lane])); }
                }
            }
            for (const float part : sum) total += static_cast<double>(part);
        }
        const auto itself = static_cast<double>(width_ - cards_ + 2);
        return (total - itself * pairs_) / 3 / triple_count(cards_);
    }

    // Sums the triples that hold each card, so that cards can be excluded.
    void prepare_exclusion() {
        std::array<float, max_cards> with{};
        for (std::size_t p = 0; p < cards_; ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                const float pair = best_[p][q];
                for (std::size_t block = 0; block < width_; block += lanes) {
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        with[block + lane] += std::max(pair, std::max(best_[p][block + lane], best_[q][block + lane]));
                    }
                }
            }
        }
        sum_ = 0;
        for (std::size_t r = 0; r < cards_; ++r) {
            sum_with_[r] = static_cast<double>(with[r]);
            for (std::size_t q = 0; q < cards_; ++q) sum_with_[r] -= q == r ? 0 : static_cast<double>(best_[r][q]);
            sum_ += sum_with_[r];
        }
        sum_ /= 3;
    }

    // The mean without the p-th card, or without the p-th and the q-th; after `prepare_exclusion`.
    double mean_without(std::size_t p) const { return (sum_ - sum_with_[p]) / triple_count(cards_ - 1); }
    double mean_without(std::size_t p, std::size_t q) const {
        double both = 0;
        for (std::size_t r = 0; r < cards_; ++r) {
            if (r != p && r != q) both += static_cast<double>(std::max(best_[p][q], std::max(best_[p][r], best_[q][r])));
        }
        return (sum_ - sum_with_[p] - sum_with_[q] + both) / triple_count(cards_ - 2);
    }

private:
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t max_cards = 56;  // a multiple of the lanes that holds a deck
    static constexpr float no_points = -1e9F;

    static double triple_count(std::size_t cards) {
        const auto n = static_cast<double>(cards);
        return n * (n - 1) * (n - 2) / 6;
    }

    std::size_t cards_;
    std::size_t width_;
    double pairs_ = 0;
    double sum_ = 0;                                            // of all threes
    std::array<double, max_cards> sum_with_{};                  // of those that hold a card
    std::array<std::array<float, max_cards>, max_cards> best_;  // by two cards, written before it is read
};

}  // namespace triptych::learn
