// The best of the pairs that each three cards hold, on average over all threes: counted, eight at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace triptych::learn {

class Threes {
public:
    explicit Threes(std::size_t cards) : cards_(cards), width_((cards + lanes - 1) / lanes * lanes) {
        for (std::size_t p = 0; p < cards; ++p) best_[p].fill(never);
    }

    // Points of the pair of the p-th and the q-th card; every pair is set once.
    void set(std::size_t p, std::size_t q, float points) {
        best_[p][q] = best_[q][p] = points;
        pairs_ += static_cast<double>(points);
    }

    double mean() const {
        // Each pair with each third card counts every three three times, and with its own cards and the padding itself.
        double all = 0;
        for (std::size_t p = 0; p < cards_; ++p) {
            std::array<float, lanes> sum{};
            for (std::size_t q = 0; q < p; ++q) {
                const float own = best_[p][q];
                for (std::size_t block = 0; block < width_; block += lanes) {
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        sum[lane] += std::max(own, std::max(best_[p][block + lane], best_[q][block + lane]));
                    }
                }
            }
            for (const float part : sum) all += static_cast<double>(part);
        }
        const auto n = static_cast<double>(cards_);
        const auto itself = static_cast<double>(width_ - cards_ + 2);
        return (all - itself * pairs_) / 3 / (n * (n - 1) * (n - 2) / 6);
    }

private:
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t most_cards = 56;  // a multiple of the lanes that holds a deck
    static constexpr float never = -1e9F;

    std::size_t cards_;
    std::size_t width_;
    double pairs_ = 0;
    std::array<std::array<float, most_cards>, most_cards> best_;  // by two cards, written before it is read
};

}  // namespace triptych::learn
