// What of a rollout's points was luck of the cards. What a hand's last draw brought it more than the mean of all draws that might
// have come then is no merit of what was placed before; and how many of each rank and suit every hand gets explains a fifth to a
// third of what rollouts of one placement differ by. What such counts are worth is fitted to the rollouts that sorted
// the placements, and how often they come is known exactly (hypergeometric), so their worth less its mean can be taken
// from other rollouts: it leaves what is expected as it is, whatever the fit, and blurs less (a control variate; Lavenberg and Welch 1981).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "triptych/learn/endings.hpp"
#include "triptych/learn/playout.hpp"

namespace triptych::learn {

class CardLuck {
public:
    // Found on first streets three-handed: fewer tell too little, more tell no more.
    static constexpr std::size_t least = 1500;
    static constexpr std::size_t most = 4096;
    static constexpr std::size_t placements = 4;  // that have a fit of their own, at most
    static constexpr double ridge = 20;

    void clear() {
        fit_ = nullptr;
        forget();
    }

    bool known() const { return fit_ != nullptr; }

    // Notes the rollouts of these placements until it is told to stop.
    void listen(std::vector<std::size_t> numbers) {
        forget();
        numbers_ = std::move(numbers);
        listening_ = true;
    }
    void stop() { listening_ = false; }
    bool listening() const { return listening_; }
    bool noted() const { return !ends_.empty(); }

    // Reads the cards of an order that has been dealt out.
    void look(const SearchTask& task, const Playout& playout) {
        hands_ = task.count;
        turns_ = playout.turns();
        me_ = task.me;
        const Counts come = counts_of(playout.to_come());
        if (come != come_) means_.clear();
        come_ = come;
        size_ = static_cast<std::size_t>(std::popcount(playout.to_come()));
        reached_.clear();
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            for (std::size_t h = 0; h < hands_; ++h) {
                const CardSet cards = playout.drawn(turn, h);
                const Counts counts = counts_of(cards);
                if (turn == 0) drawn_[h] = static_cast<std::size_t>(std::popcount(cards));
                for (std::size_t f = 0; f < features; ++f) {
                    reached_.push_back(static_cast<std::uint16_t>(place(h, f) + std::min<std::size_t>(counts[f], levels[f])));
                }
            }
        }
        if (!listening_) return;
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) {
                const std::size_t reached = reached_[h * features + f] - place(h, f);
                for (std::size_t level = 0; level < reached; ++level) levels_.push_back(static_cast<std::uint16_t>(h * width + start[f] + level));
            }
        }
        ends_.push_back(levels_.size());
    }

    // Notes what the order that it looked at brought the next of the placements.
    void note(const Expected& found, const Playout& playout) {
        points_.push_back(parts_of(found));
        drawn_luck_.push_back(last_luck(playout));
    }

    // Fits to what it and the `other` one have noted; placements without a fit of their own share that of the `best`.
    void fit(const CardLuck* other, std::size_t best) {
        if (other != nullptr) {
            for (const std::size_t end : other->ends_) ends_.push_back(end + levels_.size());
            levels_.insert(levels_.end(), other->levels_.begin(), other->levels_.end());
            points_.insert(points_.end(), other->points_.begin(), other->points_.end());
            drawn_luck_.insert(drawn_luck_.end(), other->drawn_luck_.begin(), other->drawn_luck_.end());
        }
        ends_.resize(std::min(ends_.size(), most));
        auto fit = std::make_shared<Fit>();
        fit->numbers = numbers_;
        fit->best = static_cast<std::size_t>(std::find(numbers_.begin(), numbers_.end(), best) - numbers_.begin()) % numbers_.size();
        std::vector<std::array<Parts, max_hands>> drawn;
        for (std::size_t c = 0; c < numbers_.size(); ++c) drawn.push_back(take_drawn(c));
        const std::vector<std::vector<double>> worth = solved();
        for (std::size_t c = 0; c < numbers_.size(); ++c) {
            fit->tables.push_back(table(&worth[c * part_count]));
            fit->tables.back().drawn = drawn[c];
        }
        fit_ = std::move(fit);
        forget();
    }

    // Takes over what another one has fitted.
    void share(const CardLuck& other) {
        forget();
        fit_ = other.fit_;
    }

    // Takes luck from what the order brought a placement, the mean over its turns.
    void take(std::size_t number, Expected& found, const Playout& playout) {
        const auto at = static_cast<std::size_t>(std::find(fit_->numbers.begin(), fit_->numbers.end(), number) - fit_->numbers.begin());
        const std::size_t which = at < fit_->numbers.size() ? at : fit_->best;
        const Table& table = fit_->tables[which];
        Parts luck{};
        for (const std::uint16_t reached : reached_) add(luck, table.worth[reached]);
        const Lucks drawn = last_luck(playout);
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t part = 0; part < part_count; ++part) luck[part] += table.drawn[h][part] * drawn[h];
        }
        for (float& part : luck) part /= static_cast<float>(turns_);
        if (means_.empty()) {
            for (const Table& one : fit_->tables) means_.push_back(mean(one));
        }
        const auto less = [&](std::size_t part) { return static_cast<double>(luck[part]) - static_cast<double>(means_[which][part]); };
        found.rows -= less(0);
        found.royalties -= less(1);
        found.other -= less(2);
        found.land -= less(3);
        found.stacks -= less(4);
        take_own(which, found.own, drawn[me_]);
    }

private:
    static constexpr std::size_t part_count = 5;
    using Parts = std::array<float, 8>;  // padded so that loops vectorize

    // Ranks, jokers, suits: of so many cards of them each has a worth of its own; none of more.
    static constexpr std::size_t features = ranks + 1 + suits;
    static constexpr std::size_t most_level = 7;
    static constexpr auto levels = [] {
        std::array<std::size_t, features> found{};
        for (std::size_t f = 0; f < features; ++f) found[f] = f < ranks ? 4 : f == ranks ? 2 : most_level;
        return found;
    }();
    static constexpr auto start = [] {
        std::array<std::size_t, features + 1> found{};
        for (std::size_t f = 0; f < features; ++f) found[f + 1] = found[f] + levels[f];
        return found;
    }();
    static constexpr std::size_t width = start[features];  // of a hand
    using Counts = std::array<std::uint8_t, features>;

    using Lucks = std::array<float, max_hands>;

    struct Table {
        std::array<Parts, max_hands> drawn{};                                              // worth of a point of a hand's last draw
        std::array<Parts, max_hands * features * (most_level + 1)> worth{};                // by `place` and how many a hand gets
        std::array<std::array<std::array<Parts, ranks + 1>, features>, max_hands> mean{};  // by how many may come
    };

    struct Fit {
        std::vector<std::size_t> numbers;
        std::size_t best = 0;
        std::vector<Table> tables;
    };

    static Counts counts_of(CardSet cards) {
        Counts found{};
        for (std::size_t rank = 0; rank < ranks; ++rank) found[rank] = static_cast<std::uint8_t>(std::popcount(suits_of_rank(cards, static_cast<int>(rank))));
        found[ranks] = static_cast<std::uint8_t>(std::popcount(cards >> first_joker));
        for (std::size_t suit = 0; suit < suits; ++suit) {
            found[ranks + 1 + suit] = static_cast<std::uint8_t>(std::popcount(cards & (0x1111111111111ULL << suit)));
        }
        return found;
    }

    // Of a feature's first level among the worths of a table.
    static constexpr std::size_t place(std::size_t hand, std::size_t feature) { return (hand * features + feature) * (most_level + 1); }

    // Takes the luck of the player's own cards from what it brings; that of other cards is left to the opponents. Each hand's
    // luck has a mean of zero, so neither side's expectation changes.
    void take_own(std::size_t which, OwnParts& own, float drawn) const {
        const Table& table = fit_->tables[which];
        Parts luck{};
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            for (std::size_t f = 0; f < features; ++f) add(luck, table.worth[reached_[(turn * hands_ + me_) * features + f]]);
        }
        Parts mean{};
        for (std::size_t f = 0; f < features; ++f) add(mean, table.mean[me_][f][come_[f]]);
        const auto less = [&](std::size_t part) {
            const float all = luck[part] + table.drawn[me_][part] * drawn;
            return static_cast<double>(all / static_cast<float>(turns_)) - static_cast<double>(mean[part]);
        };
        own.rows -= less(0);
        own.royalties -= less(1);
        own.other -= less(2);
        own.land -= less(3);
    }

    // Of what may come in the orders now.
    Parts mean(const Table& table) const {
        Parts found{};
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) add(found, table.mean[h][f][come_[f]]);
        }
        return found;
    }

    Lucks last_luck(const Playout& playout) const {
        Lucks found{};
        for (std::size_t h = 0; h < hands_; ++h) found[h] = playout.last_luck(h);
        return found;
    }

    static Parts parts_of(const Expected& found) {
        return {static_cast<float>(found.rows), static_cast<float>(found.royalties), static_cast<float>(found.other), static_cast<float>(found.land),
                static_cast<float>(found.stacks)};
    }

    static void add(Parts& sum, const Parts& more) {
        for (std::size_t part = 0; part < sum.size(); ++part) sum[part] += more[part];
    }

    void forget() {
        listening_ = false;
        numbers_.clear();
        levels_.clear();
        ends_.clear();
        points_.clear();
        drawn_luck_.clear();
        means_.clear();
    }

    // What the last draws of each hand are worth to a placement, hand by hand, each from what the ones before left; it is taken
    // from what was noted.
    std::array<Parts, max_hands> take_drawn(std::size_t placement) {
        std::array<Parts, max_hands> worth{};
        for (std::size_t h = 0; h < hands_; ++h) {
            double all = ridge;
            std::array<double, part_count> with{};
            for (std::size_t at = placement; at < points_.size(); at += numbers_.size()) {
                const auto luck = static_cast<double>(drawn_luck_[at][h]);
                all += luck * luck;
                for (std::size_t part = 0; part < part_count; ++part) with[part] += luck * static_cast<double>(points_[at][part]);
            }
            for (std::size_t part = 0; part < part_count; ++part) worth[h][part] = static_cast<float>(with[part] / all);
            for (std::size_t at = placement; at < points_.size(); at += numbers_.size()) {
                for (std::size_t part = 0; part < part_count; ++part) points_[at][part] -= worth[h][part] * drawn_luck_[at][h];
            }
        }
        return worth;
    }

    // What each level is worth, by placement and part: ridge regression, by Cholesky's decomposition.
    std::vector<std::vector<double>> solved() const {
        const std::size_t size = hands_ * width;
        const auto n = static_cast<double>(ends_.size());
        const std::size_t answers = numbers_.size() * part_count;
        std::vector<double> often(size);
        std::vector<double> matrix(size * size);
        std::vector<std::vector<double>> worth(answers, std::vector<double>(size));
        std::vector<double> total(answers);
        for (std::size_t deal = 0, from = 0; deal < ends_.size(); from = ends_[deal++]) {
            for (std::size_t i = from; i < ends_[deal]; ++i) {
                often[levels_[i]] += 1;
                for (std::size_t j = from; j <= i; ++j) matrix[levels_[i] * size + levels_[j]] += 1;  // they rise
            }
            for (std::size_t answer = 0; answer < answers; ++answer) {
                const auto points = static_cast<double>(points_[deal * numbers_.size() + answer / part_count][answer % part_count]);
                total[answer] += points;
                if (points == 0) continue;
                for (std::size_t i = from; i < ends_[deal]; ++i) worth[answer][levels_[i]] += points;
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) matrix[i * size + j] -= often[i] * often[j] / n;
            matrix[i * size + i] += ridge;
            for (std::size_t answer = 0; answer < answers; ++answer) worth[answer][i] -= often[i] * total[answer] / n;
        }
        for (std::size_t i = 0; i < size; ++i) {
            double* row = &matrix[i * size];
            for (std::size_t j = 0; j <= i; ++j) {
                const double* other = &matrix[j * size];
                double left = row[j];
                for (std::size_t k = 0; k < j; ++k) left -= row[k] * other[k];
                row[j] = i == j ? std::sqrt(left) : left / other[j];
            }
            for (std::vector<double>& one : worth) {
                for (std::size_t k = 0; k < i; ++k) one[i] -= row[k] * one[k];
                one[i] /= row[i];
            }
        }
        for (std::vector<double>& one : worth) {
            for (std::size_t i = size; i-- > 0;) {
                one[i] /= matrix[i * size + i];
                for (std::size_t k = 0; k < i; ++k) one[k] -= matrix[i * size + k] * one[i];
            }
        }
        return worth;
    }

    // Of one placement, from the worth of each level by part.
    Table table(const std::vector<double>* worth) const {
        Table found;
        for (std::size_t h = 0; h < hands_; ++h) {
            for (std::size_t f = 0; f < features; ++f) {
                for (std::size_t level = 0; level < levels[f]; ++level) {
                    Parts* here = &found.worth[place(h, f)];
                    for (std::size_t part = 0; part < part_count; ++part) {
                        const auto one = static_cast<float>(worth[part][h * width + start[f] + level]);
                        here[level + 1][part] = here[level][part] + one;
                    }
                }
                for (std::size_t among = 0; among < found.mean[h][f].size(); ++among) found.mean[h][f][among] = mean(&found.worth[place(h, f)], levels[f], drawn_[h], among);
            }
        }
        return found;
    }

    // The mean worth of what a hand gets of a rank or a suit when so many cards are `drawn` and so many of its own may come.
    Parts mean(const Parts* worth, std::size_t last, std::size_t drawn, std::size_t among) const {
        std::array<double, part_count> sum{};
        if (among > size_) return {};
        const std::size_t fewest = drawn + among > size_ ? drawn + among - size_ : 0;
        const std::size_t end = std::min(drawn, among);
        double all = 0;
        double chance = 1;  // times a constant
        for (std::size_t got = fewest; got <= end; ++got) {
            all += chance;
            for (std::size_t part = 0; part < part_count; ++part) sum[part] += chance * static_cast<double>(worth[std::min(got, last)][part]);
            chance *= static_cast<double>((among - got) * (drawn - got)) / static_cast<double>((got + 1) * (size_ + got + 1 - among - drawn));
        }
        Parts found{};
        for (std::size_t part = 0; part < part_count; ++part) found[part] = static_cast<float>(sum[part] / all);
        return found;
    }

    // Of the order that it looked at.
    std::size_t hands_ = 0;
    std::size_t turns_ = 1;
    std::size_t me_ = 0;
    std::size_t size_ = 0;  // cards that may come
    std::array<std::size_t, max_hands> drawn_{};
    Counts come_{};
    std::vector<std::uint16_t> reached_;  // worths of what each hand gets, by turn, hand and feature
    std::vector<Parts> means_;            // of each fit, by what may come; found when first asked

    // What is noted: placements, the levels that each deal reaches, up to where they go, and points by deal and placement.
    bool listening_ = false;
    std::vector<std::size_t> numbers_;
    std::vector<std::uint16_t> levels_;
    std::vector<std::size_t> ends_;
    std::vector<Parts> points_;
    std::vector<Lucks> drawn_luck_;

    std::shared_ptr<const Fit> fit_;
};

}  // namespace triptych::learn
