// All final boards of a board with one or two free slots, and the points of the best ones over all draws of the last street:
// enumerated, not sampled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "triptych/learn/best_pair_in_triples.hpp"
#include "triptych/learn/pair_payoff.hpp"
#include "triptych/learn/slot_values.hpp"

namespace triptych::learn {

// Means over all draws.
struct ExpectedPoints {
    double rows = 0;
    double royalties = 0;
    double other = 0;
    double fantasyland = 0;
    double stacks = 0;  // what they change of these points
    double fouls = 0;   // share of draws
    double fantasylands = 0;
    OwnParts own{};  // of rows, royalties, other and fantasyland
    OwnParts opponents() const { return {own.rows - rows, own.royalties - royalties, own.other - other, own.fantasyland - fantasyland}; }
    double total() const { return rows + royalties + other + fantasyland + stacks; }
    void add(const ExpectedPoints& more, double share) {
        rows += share * more.rows;
        royalties += share * more.royalties;
        other += share * more.other;
        fantasyland += share * more.fantasyland;
        stacks += share * more.stacks;
        fouls += share * more.fouls;
        fantasylands += share * more.fantasylands;
        own.add(more.own, share);
    }
};

class LastStreetOutcomes {
public:
    static constexpr std::size_t max_slots = 2;
    static constexpr std::size_t max_dealt = 3;

    // `cards` of a hand lie as score/board.hpp orders them, `filled` says how many of each row are there. `estimate(rows)`: points of a
    // finished board while the opponent's is unknown; used only when `opponent_acts_later`.
    template <typename Estimate>
    void build(const RulesTable& rules, const PairPayoff& payoffs, const std::array<Card, board_size>& cards, const std::array<std::size_t, row_count>& filled,
               CardSet unseen, std::uint8_t hand, bool opponent_acts_later, const Estimate& estimate) {
        slots_ = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = filled[row]; i < row_size[row]; ++i) slot_[slots_++] = row_start[row] + i;
        }
        same_row_ = slots_ == 2 && SlotValues::row_of(slot_[0]) == SlotValues::row_of(slot_[1]);
        count_ = 0;
        for (CardSet left = unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
        opponent_acts_later_ = opponent_acts_later;
        SlotValues slot_values(rules, cards, filled, {slot_.data(), slots_}, {card_.data(), count_});
        const auto finish_board = [&](std::size_t i, std::size_t j) {
            const RowValues rows = slot_values.with(i, j);
            FinalBoard result = payoffs.finish(rows, hand);
            if (opponent_acts_later) result.estimate = estimate(rows);
            return result;
        };
        boards_.clear();
        boards_.resize(slots_ == 2 ? count_ * count_ : count_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (slots_ == 1) {
                boards_[i] = finish_board(i, i);
                continue;
            }
            for (std::size_t j = 0; j < count_; ++j) {
                if (i != j && !(same_row_ && j < i)) boards_[i * count_ + j] = finish_board(i, j);
            }
        }
        if (opponent_acts_later) rank_all();
    }

    bool built() const { return !boards_.empty(); }

    // What `expect` returns as its total, faster, without its parts.
    double points(const PairPayoff& payoffs, CardSet available, std::size_t dealt, std::span<const FinalBoard> others) {
        if (slots_ == 2 && dealt == 3 && !opponent_acts_later_) return mean_of_best_pairs(payoffs, available, others.front());
        double sum = 0;
        for_each_best_board(payoffs, available, dealt, others, [&](const FinalBoard& mine, double share) {
            float best_points = payoffs.points(others.front(), mine);
            for (const FinalBoard& other : others.subspan(1)) best_points = std::max(best_points, payoffs.points(other, mine));
            sum -= share * static_cast<double>(best_points);
        });
        return sum;
    }

    // The mean over all draws of `dealt` of the `available` cards, each played in the best way: against the one board
    // `others` that is seen, or, built blind, by the guide, after which the opponent takes the best of `others`.
    ExpectedPoints expect(const PairPayoff& payoffs, CardSet available, std::size_t dealt, std::span<const FinalBoard> others) {
        ExpectedPoints sum;
        for_each_best_board(payoffs, available, dealt, others, [&](const FinalBoard& mine, double share) { add(sum, payoffs, mine, others, share); });
        return sum;
    }

private:
    static constexpr unsigned card_bits = 8;
    static constexpr std::uint64_t card_mask = (1U << card_bits) - 1;

    // The endings that some draw leads to, and their shares of all draws.
    template <typename Visit>
    void for_each_best_board(const PairPayoff& payoffs, CardSet available, std::size_t dealt, std::span<const FinalBoard> others, const Visit& visit) {
        if (!opponent_acts_later_) rank_against(payoffs, available, others.front());
        std::size_t cards = 0;
        for (std::size_t i = 0; i < count_; ++i) cards += available >> card_[i] & 1U;
        double left = draws(static_cast<double>(cards), dealt);
        const double share = 1 / left;
        worse_.fill(0);
        auto rest = static_cast<double>(cards);  // one slot: cards that are not better
        for (const std::uint64_t key : ranked_) {
            const std::size_t i = key >> card_bits & card_mask;
            const std::size_t j = key & card_mask;
            if ((available >> card_[i] & available >> card_[j] & 1U) == 0) continue;
            double draws_with = 1;
            if (slots_ == 1) {
                rest -= 1;
                draws_with = draws(rest, dealt - 1);
            } else if (dealt == 3) {
                const CardSet both = (worse_[i] | worse_[j]) & ~(bit(card_[i]) | bit(card_[j]));
                draws_with = static_cast<double>(cards - 2 - static_cast<std::size_t>(std::popcount(both)));
                worse_[i] |= bit(card_[j]);
                worse_[j] |= bit(card_[i]);
            }
            if (draws_with <= 0) continue;
            visit(boards_[slots_ == 1 ? i : i * count_ + j], draws_with * share);
            left -= draws_with;
            if (left < 0.5) break;
        }
    }

    // Two slots, three cards a draw: the mean over all draws of the best of its pairs.
    double mean_of_best_pairs(const PairPayoff& payoffs, CardSet available, const FinalBoard& other) const {
        std::array<std::size_t, 64> card{};
        std::size_t n = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if ((available >> card_[i] & 1U) != 0) card[n++] = i;
        }
        BestPairInTriples triples(n);
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                float best_points = payoffs.points(boards_[card[q] * count_ + card[p]], other);
                if (!same_row_) best_points = std::max(best_points, payoffs.points(boards_[card[p] * count_ + card[q]], other));
                triples.set(p, q, best_points);
            }
        }
        return triples.mean();
    }

    static double draws(double cards, std::size_t dealt) {
        double ways = 1;
        for (std::size_t i = 0; i < dealt; ++i) ways *= (cards - static_cast<double>(i)) / static_cast<double>(i + 1);
        return ways;
    }

    // Sorts downwards as an integer: a float's bits, turned round where it is negative, and below them the cards in the
    // slots, eight bits each, so that no division is needed to read them.
    static std::uint64_t key(float points, std::size_t i, std::size_t j) {
        const auto bits = std::bit_cast<std::uint32_t>(points);
        const std::uint32_t ordered_bits = bits >> 31 != 0 ? ~bits : bits | 0x80000000U;
        return static_cast<std::uint64_t>(ordered_bits) << 32 | i << card_bits | j;
    }

    // Each one or two cards once, in the better of their two orders; best first.
    template <typename Points>
    void rank(CardSet available, const Points& points) {
        ranked_.clear();
        for (std::size_t i = 0; i < count_; ++i) {
            if ((available >> card_[i] & 1U) == 0) continue;
            if (slots_ == 1) {
                ranked_.push_back(key(points(boards_[i]), i, i));
                continue;
            }
            for (std::size_t j = i + 1; j < count_; ++j) {
                if ((available >> card_[j] & 1U) == 0) continue;
                const std::uint64_t first = key(points(boards_[i * count_ + j]), i, j);
                ranked_.push_back(same_row_ ? first : std::max(first, key(points(boards_[j * count_ + i]), j, i)));
            }
        }
        std::sort(ranked_.begin(), ranked_.end(), std::greater<>());
    }

    void rank_all() {
        rank(~CardSet{0}, [](const FinalBoard& finish_board) { return finish_board.estimate; });
    }

    void rank_against(const PairPayoff& payoffs, CardSet available, const FinalBoard& other) {
        rank(available, [&](const FinalBoard& finish_board) { return payoffs.points(finish_board, other); });
    }

    static void add(ExpectedPoints& sum, const PairPayoff& payoffs, const FinalBoard& mine, std::span<const FinalBoard> others, double share) {
        const FinalBoard* response = &others.front();
        float best_points = payoffs.points(*response, mine);
        for (const FinalBoard& other : others.subspan(1)) {
            const float points = payoffs.points(other, mine);
            if (points <= best_points) continue;
            best_points = points;
            response = &other;
        }
        const PairPayment paid = payoffs.paid(mine, *response);
        sum.rows += share * static_cast<double>(paid.rows);
        sum.royalties += share * static_cast<double>(paid.royalties);
        sum.other += share * static_cast<double>(paid.other);
        sum.fantasyland += share * static_cast<double>(paid.fantasyland);
        sum.stacks += share * static_cast<double>(paid.stacks);
        sum.fouls += mine.legal ? 0 : share;
        sum.fantasylands += mine.fantasyland > 0 ? share : 0;
        sum.own.add(payoffs.own_parts(mine, *response, paid), share);
    }

    std::array<std::size_t, max_slots> slot_{};
    std::size_t slots_ = 0;
    bool same_row_ = false;
    bool opponent_acts_later_ = false;
    std::array<Card, 64> card_{};
    std::size_t count_ = 0;
    std::vector<FinalBoard> boards_;
    std::vector<std::uint64_t> ranked_;
    std::array<CardSet, 64> worse_{};
};

}  // namespace triptych::learn
