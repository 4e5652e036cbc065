// Every way in which a board with one or two free slots can end, and what the best of them bring over all draws of the
// last street: counted, not sampled.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "triptych/learn/duel.hpp"
#include "triptych/learn/slot_rows.hpp"
#include "triptych/learn/threes.hpp"

namespace triptych::learn {

// Means over all draws.
struct Expected {
    double rows = 0;
    double royalties = 0;
    double other = 0;
    double land = 0;
    double stacks = 0;  // what they change of these points
    double fouls = 0;   // share of draws
    double lands = 0;
    OwnParts own{};  // of rows, royalties, other and land
    OwnParts opponents() const { return {own.rows - rows, own.royalties - royalties, own.other - other, own.land - land}; }
    double total() const { return rows + royalties + other + land + stacks; }
    void add(const Expected& more, double share) {
        rows += share * more.rows;
        royalties += share * more.royalties;
        other += share * more.other;
        land += share * more.land;
        stacks += share * more.stacks;
        fouls += share * more.fouls;
        lands += share * more.lands;
        own.add(more.own, share);
    }
};

class Endings {
public:
    static constexpr std::size_t most_slots = 2;
    static constexpr std::size_t most_dealt = 3;

    // `cards` of a hand lie as score/board.hpp orders them, `filled` says how many of each row are there. `guide(rows)`: points of a
    // finished board where the opponent's is not known; asked only when `blind`.
    template <typename Guide>
    void build(const RulesTable& rules, const Duel& duel, const std::array<Card, board_size>& cards,
               const std::array<std::size_t, row_count>& filled, CardSet unseen, std::uint8_t hand, bool blind, const Guide& guide) {
        slots_ = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = filled[row]; i < row_size[row]; ++i) slot_[slots_++] = row_start[row] + i;
        }
        same_row_ = slots_ == 2 && SlotRows::row_of(slot_[0]) == SlotRows::row_of(slot_[1]);
        count_ = 0;
        for (CardSet left = unseen; left != 0; left &= left - 1) card_[count_++] = static_cast<Card>(std::countr_zero(left));
        blind_ = blind;
        SlotRows boards(rules, cards, filled, {slot_.data(), slots_}, {card_.data(), count_});
        const auto end = [&](std::size_t i, std::size_t j) {
            const RowValues rows = boards.with(i, j);
            Finish found = duel.finish(rows, hand);
            if (blind) found.guide = guide(rows);
            return found;
        };
        ends_.clear();
        ends_.resize(slots_ == 2 ? count_ * count_ : count_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (slots_ == 1) {
                ends_[i] = end(i, i);
                continue;
            }
            for (std::size_t j = 0; j < count_; ++j) {
                if (i != j && !(same_row_ && j < i)) ends_[i * count_ + j] = end(i, j);
            }
        }
        if (blind) rank_all();
    }

    bool built() const { return !ends_.empty(); }

    // What `expect` returns as its total, faster, without its parts.
    double points(const Duel& duel, CardSet available, std::size_t dealt, std::span<const Finish> others) {
        if (slots_ == 2 && dealt == 3 && !blind_) return best_of_threes(duel, available, others.front());
        double sum = 0;
        each_best(duel, available, dealt, others, [&](const Finish& mine, double share) {
            float most = duel.points(others.front(), mine);
            for (const Finish& other : others.subspan(1)) most = std::max(most, duel.points(other, mine));
            sum -= share * static_cast<double>(most);
        });
        return sum;
    }

    // The mean over all draws of `dealt` of the `available` cards, each played in the best way: against the one board
    // `others` that is seen, or, built blind, by the guide, after which the opponent takes the best of `others`.
    Expected expect(const Duel& duel, CardSet available, std::size_t dealt, std::span<const Finish> others) {
        Expected sum;
        each_best(duel, available, dealt, others, [&](const Finish& mine, double share) { add(sum, duel, mine, others, share); });
        return sum;
    }

private:
    static constexpr unsigned card_bits = 8;
    static constexpr std::uint64_t card_mask = (1U << card_bits) - 1;

    // The endings that some draw leads to, and their shares of all draws.
    template <typename Found>
    void each_best(const Duel& duel, CardSet available, std::size_t dealt, std::span<const Finish> others, const Found& found) {
        if (!blind_) rank_against(duel, available, others.front());
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
            double times = 1;
            if (slots_ == 1) {
                rest -= 1;
                times = draws(rest, dealt - 1);
            } else if (dealt == 3) {
                const CardSet both = (worse_[i] | worse_[j]) & ~(bit(card_[i]) | bit(card_[j]));
                times = static_cast<double>(cards - 2 - static_cast<std::size_t>(std::popcount(both)));
                worse_[i] |= bit(card_[j]);
                worse_[j] |= bit(card_[i]);
            }
            if (times <= 0) continue;
            found(ends_[slots_ == 1 ? i : i * count_ + j], times * share);
            left -= times;
            if (left < 0.5) break;
        }
    }

    // Two slots, three cards a draw: the mean over all draws of the best of its pairs.
    double best_of_threes(const Duel& duel, CardSet available, const Finish& other) const {
        std::array<std::size_t, 64> card{};
        std::size_t n = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if ((available >> card_[i] & 1U) != 0) card[n++] = i;
        }
        Threes threes(n);
        for (std::size_t p = 0; p < n; ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                float most = duel.points(ends_[card[q] * count_ + card[p]], other);
                if (!same_row_) most = std::max(most, duel.points(ends_[card[p] * count_ + card[q]], other));
                threes.set(p, q, most);
            }
        }
        return threes.mean();
    }

    static double draws(double cards, std::size_t dealt) {
        double ways = 1;
        for (std::size_t i = 0; i < dealt; ++i) ways *= (cards - static_cast<double>(i)) / static_cast<double>(i + 1);
        return ways;
    }

    // Sorts downwards as an integer: a float's bits, turned round where it is negative, and below them the cards in the
    // slots, of which no division has to tell one from the other.
    static std::uint64_t key(float points, std::size_t i, std::size_t j) {
        const auto bits = std::bit_cast<std::uint32_t>(points);
        const std::uint32_t rising = bits >> 31 != 0 ? ~bits : bits | 0x80000000U;
        return static_cast<std::uint64_t>(rising) << 32 | i << card_bits | j;
    }

    // Each one or two cards once, in the better of their two orders; best first.
    template <typename Points>
    void rank(CardSet available, const Points& points) {
        ranked_.clear();
        for (std::size_t i = 0; i < count_; ++i) {
            if ((available >> card_[i] & 1U) == 0) continue;
            if (slots_ == 1) {
                ranked_.push_back(key(points(ends_[i]), i, i));
                continue;
            }
            for (std::size_t j = i + 1; j < count_; ++j) {
                if ((available >> card_[j] & 1U) == 0) continue;
                const std::uint64_t first = key(points(ends_[i * count_ + j]), i, j);
                ranked_.push_back(same_row_ ? first : std::max(first, key(points(ends_[j * count_ + i]), j, i)));
            }
        }
        std::sort(ranked_.begin(), ranked_.end(), std::greater<>());
    }

    void rank_all() {
        rank(~CardSet{0}, [](const Finish& end) { return end.guide; });
    }

    void rank_against(const Duel& duel, CardSet available, const Finish& other) {
        rank(available, [&](const Finish& end) { return duel.points(end, other); });
    }

    static void add(Expected& sum, const Duel& duel, const Finish& mine, std::span<const Finish> others, double share) {
        const Finish* answer = &others.front();
        float most = duel.points(*answer, mine);
        for (const Finish& other : others.subspan(1)) {
            const float points = duel.points(other, mine);
            if (points <= most) continue;
            most = points;
            answer = &other;
        }
        const Paid paid = duel.paid(mine, *answer);
        sum.rows += share * static_cast<double>(paid.rows);
        sum.royalties += share * static_cast<double>(paid.royalties);
        sum.other += share * static_cast<double>(paid.other);
        sum.land += share * static_cast<double>(paid.land);
        sum.stacks += share * static_cast<double>(paid.stacks);
        sum.fouls += mine.legal ? 0 : share;
        sum.lands += mine.land > 0 ? share : 0;
        sum.own.add(duel.own(mine, *answer, paid), share);
    }

    std::array<std::size_t, most_slots> slot_{};
    std::size_t slots_ = 0;
    bool same_row_ = false;
    bool blind_ = false;
    std::array<Card, 64> card_{};
    std::size_t count_ = 0;
    std::vector<Finish> ends_;
    std::vector<std::uint64_t> ranked_;
    std::array<CardSet, 64> worse_{};
};

}  // namespace triptych::learn
