// The best setting of a fantasyland against boards that are not known: the mean over weighted samples of opponents,
// exact over all settings (Rules §3 to §5).
//
// A board whose three rows are all at least as high is never worth less, so of all settings only those count that no
// other one equals or beats in every row: some hundred of up to 171 million. Each of them is scored against every sample.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "triptych/closed/settings.hpp"
#include "triptych/exact/fills.hpp"
#include "triptych/exact/objective.hpp"

namespace triptych {

struct WeightedOpponents {
    std::array<Opponent, max_opponents> boards{};
    double weight = 1;
};

struct FantasylandSolution {
    bool legal = false;  // false: every way fouls
    double value = -std::numeric_limits<double>::infinity();
    RowValues rows{};
    std::array<std::uint32_t, row_count> masks{};
    std::size_t settings = 0;  // that no other one beats in every row
};

class FantasylandSolver {
public:
    // Whether higher rows are never worth less. The next fantasyland must not be worth less than nothing either.
    static bool solves(const RulesTable& rules) {
        return ClosedSettings::prunes(rules, false) && rules.joker_off_board == 0 && rules.natural_auto == 0 &&
               static_cast<JokerValue>(rules.joker_value) == JokerValue::best_legal;
    }

    // Every legal setting that no other one equals or beats in every row: the values of its rows, their cards as masks.
    template <typename Visit>
    void undominated(const RulesTable& rules, const Pool& pool, const Visit& visit) {
        find(rules, pool);
        for (const Setting& setting : settings_) visit(setting.rows, setting.masks);
    }

    // `objective` says how many boards a sample has, and what the fantasylands are worth.
    FantasylandSolution best(const Objective& objective, const std::vector<WeightedOpponents>& samples, const Pool& pool) {
        find(*objective.rules, pool);
        return score(objective, samples);
    }

private:
    void find(const RulesTable& rules, const Pool& pool) {
        rules_ = &rules;
        low_ = rules.middle_low != 0;
        list_rows(pool);
        find_undominated(pool);
    }

    struct Setting {
        RowValues rows;
        std::array<std::uint32_t, row_count> masks;
    };
    // Middle and front of a setting found under a back at least as high; middles fall and fronts rise from step to step.
    struct Step {
        Rank middle;
        Rank front;
    };

    static bool higher(const RowFill& a, const RowFill& b) { return a.value() > b.value(); }

    // Every row that the pool can make, the highest first; with jokers in every value that it can take, but a back only
    // in its highest: the scorer takes back, middle and front each as high as the one behind it lets it be.
    void list_rows(const Pool& pool) {
        backs_.clear();
        middles_.clear();
        fronts_.clear();
        const FixedRow none;
        detail::for_each_mask(5, 0, pool.count, 0, [&](std::uint32_t mask) {
            std::array<Card, 5> cards;
            row_cards(pool, none, mask, cards.data());
            Rank top = 0;
            for_each_value(cards.data(), 5, [&](Rank raw) {
                top = std::max(top, five_card_value(*rules_, raw));
                const Rank middle = middle_value(*rules_, raw);
                if (!low_ || low_fits(*rules_, middle)) middles_.emplace_back(middle, mask);
            });
            backs_.emplace_back(top, mask);
        });
        detail::for_each_mask(3, 0, pool.count, 0, [&](std::uint32_t mask) {
            std::array<Card, 3> cards;
            row_cards(pool, none, mask, cards.data());
            for_each_value(cards.data(), 3, [&](Rank value) { fronts_.emplace_back(value, mask); });
        });
        for (auto* rows : {&backs_, &middles_, &fronts_}) std::stable_sort(rows->begin(), rows->end(), higher);
    }

    template <typename Visit>
    void for_each_value(const Card* cards, std::size_t size, const Visit& visit) const {
        if (std::any_of(cards, cards + size, is_joker)) return for_each_joker_value(*rules_, cards, size, visit);
        visit(size == 3 ? rank3(cards) : rank5(cards));
    }

    // The first row that may stand under one of this value.
    std::vector<RowFill>::const_iterator first_below(const std::vector<RowFill>& rows, Rank limit) const {
        if (rules_->strict_order == 0) {
            return std::partition_point(rows.begin(), rows.end(), [&](const RowFill& row) { return row.value() > limit; });
        }
        return std::partition_point(rows.begin(), rows.end(), [&](const RowFill& row) { return row.value() >= limit; });
    }

    void find_undominated(const Pool& pool) {
        settings_.clear();
        steps_.clear();
        for (const RowFill& back : backs_) {
            const std::uint32_t rest = pool.all() & ~back.mask();
            const Rank highest = highest_front(fronts_.begin(), rest, 0);
            auto middle = low_ ? middles_.cbegin() : first_below(middles_, back.value());
            for (; middle != middles_.cend(); ++middle) {
                const Rank beaten = best_front_with(middle->value());
                if (beaten >= highest) break;
                if ((middle->mask() & ~rest) != 0) continue;
                const auto first = first_below(fronts_, low_ ? back.value() : middle->value());
                const RowFill* front = fitting(first, rest & ~middle->mask(), beaten);
                if (front == nullptr) continue;
                settings_.push_back({{front->value(), middle->value(), back.value()}, {front->mask(), middle->mask(), back.mask()}});
                add_step({middle->value(), front->value()});
            }
        }
    }

    // The highest front of these cards that is above `least`.
    const RowFill* fitting(std::vector<RowFill>::const_iterator front, std::uint32_t rest, Rank least) const {
        for (; front != fronts_.cend() && front->value() > least; ++front) {
            if ((front->mask() & ~rest) == 0) return &*front;
        }
        return nullptr;
    }
    Rank highest_front(std::vector<RowFill>::const_iterator first, std::uint32_t rest, Rank least) const {
        const RowFill* front = fitting(first, rest, least);
        return front == nullptr ? least : front->value();
    }

    // The highest front found with a middle at least as high.
    Rank best_front_with(Rank middle) const {
        const auto step = std::partition_point(steps_.begin(), steps_.end(), [&](const Step& other) { return other.middle >= middle; });
        return step == steps_.begin() ? 0 : (step - 1)->front;
    }

    void add_step(const Step& step) {
        std::erase_if(steps_, [&](const Step& other) { return other.middle <= step.middle && other.front <= step.front; });
        const auto at = std::partition_point(steps_.begin(), steps_.end(), [&](const Step& other) { return other.middle > step.middle; });
        steps_.insert(at, step);
    }

    FantasylandSolution score(const Objective& base, const std::vector<WeightedOpponents>& samples) {
        FantasylandSolution answer;
        answer.settings = settings_.size();
        std::vector<RowPoints> royalties;
        for (const Setting& setting : settings_) royalties.push_back(row_royalties(*rules_, setting.rows));
        std::vector<double> sums(settings_.size(), 0.0);
        double weights = 0;
        Objective objective = base;
        for (const WeightedOpponents& sample : samples) {
            objective.opponents = sample.boards;
            weights += sample.weight;
            for (std::size_t i = 0; i < settings_.size(); ++i) { sums[i] += sample.weight * objective.from_opponents(settings_[i].rows, royalties[i]); }
        }
        for (std::size_t i = 0; i < settings_.size(); ++i) {
            const double value = sums[i] / weights + objective.next_fantasyland_value(settings_[i].rows, royalties[i]);
            if (value < answer.value || (value == answer.value && !above(settings_[i].rows, answer.rows))) continue;
            answer = {true, value, settings_[i].rows, settings_[i].masks, answer.settings};
        }
        return answer;
    }

    static bool above(const RowValues& a, const RowValues& b) { return std::array{a[2], a[1], a[0]} > std::array{b[2], b[1], b[0]}; }

    const RulesTable* rules_ = nullptr;
    bool low_ = false;
    std::vector<RowFill> backs_;
    std::vector<RowFill> middles_;
    std::vector<RowFill> fronts_;
    std::vector<Step> steps_;
    std::vector<Setting> settings_;
};

}  // namespace triptych
