// The learner with the rules that it plays by: shared by the bindings that use it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "input.hpp"
#include "triptych/learn/playout.hpp"
#include "triptych/learn/selfplay.hpp"

namespace triptych::bind {

namespace nb = nanobind;
using namespace triptych::learn;

inline constexpr double largest_weight = 1e9;
inline constexpr std::uint64_t most_deals = 1'000'000'000;  // of one call
inline constexpr int most_looks = 1'000'000;
inline constexpr double largest_noise = 1e6;  // points

inline Outcomes outcomes_of(const std::vector<float>& values) {
    need(values.size() == outcome_count && all_within(values, -largest_weight, largest_weight), "a wrong number of outcome weights, or no numbers");
    Outcomes out{};
    std::copy(values.begin(), values.end(), out.begin());
    return out;
}

inline Strengths strengths_of(const std::vector<Rank>& values) {
    need(values.size() == 3 * strength_bins, "a wrong number of row strengths");
    Strengths out{};
    for (std::size_t i = 0; i < values.size(); ++i) out[i / strength_bins][i % strength_bins] = values[i];
    return out;
}

// The learner with the rules that it plays by.
class Learner {
public:
    Learner(const RulesTable& rules, const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers,
            const std::vector<float>& weights, const std::vector<Rank>& strengths, std::uint64_t seed)
        : rules_(rules),
          shape_(shape_of(dealt, placed, hands, jokers, max_street_cards)),
          play_(rules, shape_, strengths_of(strengths), outcomes_of(weights), jokers, seed) {
        const std::size_t cards = hands * std::accumulate(dealt.begin(), dealt.end(), std::size_t{0});
        need(cards <= shape_.deck, "too few cards for so many hands");
    }

    void play(std::uint64_t deals, bool learning, float rate, float decay, float noise, int draws, int others, float spread) {
        need(deals <= most_deals && draws <= most_looks && others <= most_looks, "too many deals at once");
        need(all_within(std::array{rate, decay}, 0, 1) && all_within(std::array{noise, spread}, 0, largest_noise), "a rate is a share, and noise some points");
        nb::gil_scoped_release release;
        play_.play(deals, {learning, rate, decay, noise, draws, others, spread});
    }

    // Since the last call; starts counting again.
    PlayStats pop_stats() {
        const PlayStats stats = play_.stats();
        play_.clear_stats();
        return stats;
    }

    // Row values of the last deal's legal boards, three numbers a board.
    std::vector<Rank> last_values() const {
        std::vector<Rank> out;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            const RowValues values = board_values(rules_, play_.boards()[h].cards.data());
            if (offending_rows(rules_, values) == 0) out.insert(out.end(), values.begin(), values.end());
        }
        return out;
    }

    // Cards of the last deal's boards, 13 a hand, front first.
    nb::bytes last_boards() const {
        std::vector<char> out;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            const auto& cards = play_.boards()[h].cards;
            out.insert(out.end(), cards.begin(), cards.end());
        }
        return nb::bytes(out.data(), out.size());
    }

    nb::ndarray<nb::numpy, float, nb::ndim<2>> table() {
        return {play_.value().mean().data(), {play_.value().map().size(), outcome_width}, nb::find(this)};
    }

    // After the table was written from outside: the points of every entry again.
    void refresh_weights() { play_.value().weigh(Outcomes(play_.value().weights())); }

    // Views of all that learning changes; with the number of deals played they are the whole state of a run.
    nb::list memory() {
        nb::list out;
        for (const std::span<float> part : play_.value().memory()) {
            out.append(nb::ndarray<nb::numpy, float, nb::ndim<1>>(part.data(), {part.size()}, nb::find(this)));
        }
        return out;
    }

    std::uint64_t played() const { return play_.played(); }
    void resume(std::uint64_t played) { play_.go_on(played); }

    void set_outcome_weights(const std::vector<float>& weights) { play_.value().weigh(outcomes_of(weights)); }
    // The same tables, where fantasylands of 0 to 17 cards are worth so many points; it shares what they learned.
    Learner with_fantasyland_values(const std::vector<float>& value) const {
        need(value.size() == most_land_cards + 1 && all_within(value, -largest_weight, largest_weight), "one fantasyland value for 0 to 17 cards");
        Learner other = *this;
        Outcomes weights = play_.value().weights();
        std::copy_n(value.begin() + 13, land_sizes, weights.begin() + land_outcome);
        other.play_.value().weigh(weights);
        return other;
    }
    void set_strengths(const std::vector<Rank>& strengths) { play_.set_strengths(strengths_of(strengths)); }

    // How freely its players choose, by street; without any, nothing is believed of what they threw away.
    void set_temperature(const std::vector<float>& temperature) {
        need(temperature.empty() || temperature.size() == shape_.streets, "one temperature a street, or none");
        for (const float one : temperature) need(one >= 0 && one < 1e6F, "a temperature is points from 0 on");
        temperature_ = {};
        std::copy(temperature.begin(), temperature.end(), temperature_.begin());
    }

    // What others who answer a first street change of the points (playout.hpp); less than all: nothing of the rest.
    void set_first_answers(const std::vector<std::array<float, FirstAnswers::parts>>& change) {
        need(change.size() <= FirstAnswers::count, "too many numbers of hands");
        for (const auto& one : change) need(all_within(one, -largest_weight, largest_weight), "what answers change is a number of points");
        first_answers_ = {};
        std::copy(change.begin(), change.end(), first_answers_.change.begin());
    }

    const std::array<float, max_streets>& temperature() const { return temperature_; }
    const FirstAnswers& first_answers() const { return first_answers_; }
    const RulesTable& rules() const { return rules_; }
    const DealShape& shape() const { return shape_; }
    const SelfPlay& self() const { return play_; }

private:
    RulesTable rules_;
    DealShape shape_;
    SelfPlay play_;
    std::array<float, max_streets> temperature_{};
    FirstAnswers first_answers_;
};

}  // namespace triptych::bind
