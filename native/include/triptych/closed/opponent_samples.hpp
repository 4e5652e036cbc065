// The opponents of a closed deal as the solver takes them: samples of one to three hands, each sample as likely.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/score/showdown.hpp"

namespace triptych {

inline constexpr std::size_t max_closed_seats = 3;

// An opponent's hand as it meets a setting.
struct ClosedHand {
    RowValues rows{};  // as they are compared; 0 for an offending row where only rows foul
    RowPoints royalties{};
    std::uint8_t deuce = row_count;
    bool live = false;   // a board that is compared row by row
    bool dead = false;   // a board that loses whole
    bool legal = false;  // a board without a foul
    bool gone = false;   // surrendered
    HeldNatural natural{};
};

inline ClosedHand closed_hand(const RulesTable& rules, const Hand& hand) {
    const HandScore score = detail::score_hand(rules, hand);
    ClosedHand made;
    const bool board = score.natural.entry < 0 && (hand.kind == HandKind::board || hand.kind == HandKind::dead);
    if (board) made.rows = values_with_suit(rules, score.rows, hand.cards.data());
    made.royalties = score.royalties;
    made.natural = score.natural;
    made.gone = hand.kind == HandKind::surrender;
    made.legal = board && score.offending == 0;
    made.dead = board && score.offending != 0 && rules.foul_rows == 0;
    made.live = board && !made.dead;
    if (board) made.deuce = static_cast<std::uint8_t>(deuce_row(hand.cards.data()));
    for (std::size_t row = 0; rules.foul_rows != 0 && row < row_count; ++row) {
        if ((score.offending >> row & 1U) != 0) made.rows[row] = 0;
    }
    return made;
}

// Hands that samples are made of, and their order by the value of each row, lowest first.
struct OpponentHands {
    std::vector<ClosedHand> hands;
    std::array<std::vector<std::uint32_t>, row_count> order;

    void sort() {
        for (std::size_t row = 0; row < row_count; ++row) {
            order[row].resize(hands.size());
            for (std::size_t i = 0; i < hands.size(); ++i) order[row][i] = static_cast<std::uint32_t>(i);
            std::stable_sort(order[row].begin(), order[row].end(), [&](std::uint32_t a, std::uint32_t b) { return hands[a].rows[row] < hands[b].rows[row]; });
        }
    }
};

// Sums over the opponents' rows up to a value. A royalty counts twice where a deuce of spades doubles it: `[1]` when
// it is the own one.
struct RowSums {
    Rank value = 0;
    double stake = 0;
    std::array<double, 2> paid{};  // how often a royalty of one's own row is paid
    std::array<double, 2> cost{};  // the opponents' royalties
};

// Samples made from a pool, and all sums over them that do not need the rows of one opponent together.
class OpponentSamples {
public:
    using Seats = std::vector<std::vector<std::uint32_t>>;  // a seat's hand of each sample

    void set(const RulesTable& rules, const OpponentHands& pool, const Seats& seats, const std::vector<double>& stakes) {
        rules_ = &rules;
        pool_ = &pool;
        seats_ = &seats;
        stakes_ = stakes;
        weight_.assign(pool.hands.size(), 0.0);
        for (std::size_t seat = 0; seat < seats.size(); ++seat) {
            for (std::uint32_t hand : seats[seat]) weight_[hand] += stakes[seat];
        }
        add_hands();
        for (std::size_t row = 0; row < row_count; ++row) add_row(row);
    }

    const RulesTable& rules() const { return *rules_; }
    const OpponentHands& pool() const { return *pool_; }
    std::size_t samples() const { return seats_->front().size(); }
    std::size_t seats() const { return seats_->size(); }
    double stake(std::size_t seat) const { return stakes_[seat]; }
    std::uint32_t index(std::size_t seat, std::size_t sample) const { return (*seats_)[seat][sample]; }
    const ClosedHand& hand(std::size_t seat, std::size_t sample) const { return pool_->hands[index(seat, sample)]; }
    const std::vector<std::uint32_t>& seat(std::size_t seat) const { return (*seats_)[seat]; }
    bool any_dead() const { return dead_ > 0; }

    // Points of a board against naturals, fouls and surrenders; of a row and its royalty against all boards.
    double besides_rows(bool legal) const { return naturals_ + dead_ * foul_price(*rules_) + (legal ? gone_ * rules_->surrender_points : 0.0); }
    struct RowWorth {
        double won = 0;  // stakes of the boards that the row beats
        double lost = 0;
        double points = 0;  // minus what the opponents' royalties cost
        double paid = 0;    // points for each point of the own royalty
    };
    RowWorth row(std::size_t row, Rank value, bool deuce) const {
        const auto& sums = sums_[row];
        const auto below = [](const RowSums& sum, Rank other) { return sum.value < other; };
        const auto at = std::lower_bound(sums.begin(), sums.end(), value, below);
        const RowSums under = at == sums.begin() ? RowSums{} : *(at - 1);
        const bool ties = at != sums.end() && at->value == value;
        const RowSums up_to = ties ? *at : under;
        const RowSums all = sums.empty() ? RowSums{} : sums.back();
        const std::size_t own = deuce ? 1 : 0;
        const bool winner = rules_->royalty_row_winner != 0;
        RowWorth worth{under.stake, all.stake - up_to.stake, 0, 0};
        worth.paid = (winner ? under.paid[own] : all.paid[own]) + dead_paid_[row][own];
        if (value != 0 || rules_->foul_pays_royalties != 0) { worth.points = winner ? up_to.cost[own] - all.cost[own] : -all.cost[own]; }
        return worth;
    }
    // Points of a board that fouls whole; `deuce` = its row with the deuce of spades.
    double foul(std::size_t deuce) const {
        double points = naturals_ - live_ * foul_price(*rules_);
        for (std::size_t row = 0; rules_->foul_pays_royalties != 0 && row < row_count; ++row) {
            if (!sums_[row].empty()) points -= sums_[row].back().cost[doubles() && deuce == row ? 1 : 0] * foul_royalty_factor(*rules_);
        }
        return points;
    }
    double surrender() const { return naturals_ - legal_ * rules_->surrender_points; }
    double natural(const HeldNatural& held) const {
        double points = 0;
        for (std::size_t i = 0; i < weight_.size(); ++i) {
            if (weight_[i] != 0) points += weight_[i] * natural_points(*rules_, held, pool_->hands[i].natural);
        }
        return points;
    }
    bool doubles() const { return rules_->deuce_of_spades != 0; }

private:
    void add_hands() {
        naturals_ = dead_ = gone_ = live_ = legal_ = 0;
        dead_paid_ = {};
        for (std::size_t i = 0; i < weight_.size(); ++i) {
            const double weight = weight_[i];
            if (weight == 0) continue;
            const ClosedHand& hand = pool_->hands[i];
            naturals_ += weight * natural_points(*rules_, HeldNatural{}, hand.natural);
            if (hand.gone) gone_ += weight;
            if (hand.live) live_ += weight;
            if (hand.legal) legal_ += weight;
            if (!hand.dead) continue;
            dead_ += weight;
            for (std::size_t row = 0; rules_->foul_pays_royalties != 0 && row < row_count; ++row) {
                dead_paid_[row][0] += weight * (doubles() && hand.deuce == row ? 2 : 1) * foul_royalty_factor(*rules_);
                dead_paid_[row][1] += weight * 2 * foul_royalty_factor(*rules_);
            }
        }
    }

    void add_row(std::size_t row) {
        auto& sums = sums_[row];
        sums.clear();
        RowSums sum;
        for (std::uint32_t i : pool_->order[row]) {
            const ClosedHand& hand = pool_->hands[i];
            const double weight = weight_[i];
            if (weight == 0 || !hand.live) continue;
            const double factor = doubles() && hand.deuce == row ? 2 : 1;
            const double royalty = hand.royalties[row];
            const bool paid = hand.rows[row] != 0 || rules_->foul_pays_royalties != 0;
            sum.stake += weight;
            sum.paid[0] += paid ? weight * factor : 0;
            sum.paid[1] += paid ? weight * 2 : 0;
            sum.cost[0] += weight * factor * royalty;
            sum.cost[1] += weight * 2 * royalty;
            sum.value = hand.rows[row];
            if (!sums.empty() && sums.back().value == sum.value) sums.back() = sum;
            else sums.push_back(sum);
        }
    }

    const RulesTable* rules_ = nullptr;
    const OpponentHands* pool_ = nullptr;
    const Seats* seats_ = nullptr;
    std::vector<double> stakes_;
    std::vector<double> weight_;  // of a hand of the pool: the stakes of all its samples
    std::array<std::vector<RowSums>, row_count> sums_;
    double naturals_ = 0;
    double dead_ = 0;
    double gone_ = 0;
    double live_ = 0;
    double legal_ = 0;
    std::array<std::array<double, 2>, row_count> dead_paid_{};
};

// A table with all that it points into: samples of opponents, hand by hand of each sample, and the stake of each seat.
struct OwnedSamples {
    RulesTable rules;
    OpponentHands pool;
    OpponentSamples::Seats seats;
    OpponentSamples table;

    OwnedSamples(const RulesTable& from, const std::vector<Hand>& hands, const std::vector<double>& stakes) : rules(from), seats(stakes.size()) {
        for (const Hand& hand : hands) pool.hands.push_back(closed_hand(rules, hand));
        pool.sort();
        for (std::size_t i = 0; i < hands.size(); ++i) seats[i % stakes.size()].push_back(static_cast<std::uint32_t>(i));
        table.set(rules, pool, seats, stakes);
    }
    OwnedSamples(const OwnedSamples&) = delete;
};

}  // namespace triptych
