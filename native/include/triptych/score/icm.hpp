// What stacks are worth in a tournament that pays places: Malmuth-Harville, the chance of the first place in proportion
// to the chips, and so on among the others (Harville 1973; Malmuth 1987).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace triptych {

class IcmModel {
public:
    static constexpr std::size_t max_players = 12;  // the work doubles with each player

    // `prizes` by place, the first one first; `chips` of players who are still in and sit elsewhere.
    IcmModel() = default;
    IcmModel(std::vector<double> prizes, std::vector<double> chips_elsewhere) : prizes_(std::move(prizes)), elsewhere_(std::move(chips_elsewhere)) {}

    bool paid() const { return !prizes_.empty(); }
    double chips_elsewhere() const {
        double sum = 0;
        for (const double chips : elsewhere_) sum += chips;
        return sum;
    }
    double prize_total() const {
        double sum = 0;
        for (const double prize : prizes_) sum += prize;
        return sum;
    }

    // What each of `count` players at the table may expect, by chips now. Who has none is out: placed by the chips
    // `before`, behind all who have some; equal chips share what their places bring.
    template <std::size_t Size>
    std::array<double, Size> worth(const std::array<double, Size>& now, const std::array<double, Size>& before, std::size_t count) const {
        std::array<double, max_players> left{};
        std::size_t players = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (now[i] > 0) left[players++] = now[i];
        }
        std::copy(elsewhere_.begin(), elsewhere_.end(), left.begin() + static_cast<std::ptrdiff_t>(players));
        players += elsewhere_.size();
        const std::array<double, max_players> shares = share(left, players);
        std::array<double, Size> result{};
        std::size_t next = 0;
        for (std::size_t i = 0; i < count; ++i) result[i] = now[i] > 0 ? shares[next++] : eliminated_worth(now, before, count, i, players);
        return result;
    }

private:
    double prize(std::size_t place) const { return place < prizes_.size() ? prizes_[place] : 0.0; }

    template <std::size_t Size>
    double eliminated_worth(const std::array<double, Size>& now, const std::array<double, Size>& before, std::size_t count, std::size_t i,
                            std::size_t players_ahead) const {
        std::size_t place = players_ahead;
        std::size_t equal = 0;
        for (std::size_t j = 0; j < count; ++j) {
            if (now[j] > 0) continue;
            place += before[j] > before[i] ? 1U : 0U;
            equal += before[j] == before[i] ? 1U : 0U;
        }
        double sum = 0;
        for (std::size_t k = 0; k < equal; ++k) sum += prize(place + k);
        return sum / static_cast<double>(equal);
    }

    // Over the sets of players, as bits, that may have taken the places so far.
    std::array<double, max_players> share(const std::array<double, max_players>& chips, std::size_t count) const {
        std::array<double, max_players> worth{};
        std::array<double, std::size_t{1} << max_players> chance;
        const std::size_t prize_total = (std::size_t{1} << count) - 1;
        std::fill_n(chance.begin(), prize_total + 1, 0.0);
        chance[0] = 1;
        for (std::size_t placed = 0; placed < prize_total; ++placed) {
            if (chance[placed] == 0) continue;
            const auto place = static_cast<std::size_t>(std::popcount(placed));
            double rest = 0;
            for (std::size_t i = 0; i < count; ++i) rest += (placed >> i & 1U) != 0 ? 0.0 : chips[i];
            if (place >= prizes_.size()) continue;
            for (std::size_t i = 0; i < count; ++i) {
                if ((placed >> i & 1U) != 0) continue;
                const double next = chance[placed] * chips[i] / rest;
                worth[i] += next * prizes_[place];
                chance[placed | std::size_t{1} << i] += next;
            }
        }
        return worth;
    }

    std::vector<double> prizes_;
    std::vector<double> elsewhere_;
};

}  // namespace triptych
