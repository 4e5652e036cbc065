// The best way to finish a board: rows that are partly fixed, and a pool of cards of which some are left over.
// Fantasyland, closed settings, last streets and look-ahead samples are all this one question.
//
// Method: the fills of the three rows are classed once. What classes of back, middle and front bring together is known
// before any board is laid, so the triples of classes are tried from the dearest down, and the first that some board
// can hold is the answer. Of equal values the highest back wins, then the highest middle, then the highest front.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "triptych/exact/fills.hpp"

namespace triptych {

using FixedRows = std::array<FixedRow, row_count>;

struct Completion {
    bool legal = false;  // false: every way fouls, and the masks are empty
    double value = -std::numeric_limits<double>::infinity();
    RowValues rows{};
    std::array<std::uint32_t, row_count> masks{};  // cards of the pool by row
};

class Completer {
public:
    // Exact. The pool holds at least as many cards as there are free slots.
    const Completion& solve(const Goal& goal, const FixedRows& fixed, const Pool& pool) {
        goal_ = &goal;
        rules_ = goal.rules;
        fixed_ = &fixed;
        pool_ = &pool;
        best_ = {};
        low_ = rules_->middle_low != 0;
        share_ = !low_ && fixed[back_row].count == 0 && fixed[middle_row].count == 0;
        LandCuts cuts;
        cuts.add(goal, back_row, false);
        if (share_) cuts.add(goal, middle_row, false);
        backs_.build(*rules_, false, pool, fixed[back_row], cuts);
        if (!share_) {
            LandCuts own;
            own.add(goal, middle_row, low_);
            own_middles_.build(*rules_, low_, pool, fixed[middle_row], own);
        }
        fronts_.build(goal, pool, fixed[front_row]);
        jokers_ = backs_.has_jokers() || middles().has_jokers() || pool.jokers != 0 || joker_in(fixed[front_row]);
        find_deuce();
        const bool plain_jokers = static_cast<JokerValue>(rules_->joker_value) == JokerValue::best_legal &&
                                  rules_->joker_off_board == 0;
        naturals_ = goal.counts_naturals();
        careful_ = naturals_ || deuce_mask_ != 0 || (jokers_ && (!plain_jokers || !goal.lands_rise()));
        list_triples();
        for (const Triple& triple : triples_) {
            if (triple.pay < best_.value) break;
            if (triple.pay == best_.value && highest(backs_at_[triple.back].cls) < best_.rows[back_row]) continue;
            explore(triple);
        }
        return best_;
    }

private:
    // Classes of the three rows: the most that a board of them brings, and where they stand in their lists.
    struct Triple {
        double pay;
        std::uint64_t order;
        std::uint16_t back;
        std::uint16_t middle;
        std::uint16_t front;
    };

    FiveFills& middles() { return share_ ? backs_ : own_middles_; }

    static bool joker_in(const FixedRow& row) {
        return std::any_of(row.cards.begin(), row.cards.begin() + row.count, is_joker);
    }

    void find_deuce() {
        deuce_fixed_ = row_count;
        deuce_mask_ = 0;
        if (rules_->deuce_of_spades == 0) return;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < (*fixed_)[row].count; ++i) {
                if ((*fixed_)[row].cards[i] == deuce_of_spades) deuce_fixed_ = row;
            }
        }
        for (std::size_t i = 0; i < pool_->count; ++i) {
            if (pool_->cards[i] == deuce_of_spades) deuce_mask_ = 1U << i;
        }
    }

    // The most that rows of these classes can bring, wherever the deuce of spades of the pool may lie.
    double most(const RowValues& rows) const {
        double value = goal_->value(rows, deuce_fixed_);
        if (naturals_ && in_a_natural(rows[back_row]) && (low_ || in_a_natural(rows[middle_row]))) {
            value = std::max(value, goal_->value(rows, deuce_fixed_, goal_->highest_natural()));
        }
        if (deuce_mask_ != 0) {
            for (std::size_t row = 0; row < row_count; ++row) value = std::max(value, goal_->value(rows, row));
        }
        return value;
    }

    static bool in_a_natural(Rank value) {
        const std::uint32_t kind = category(value);
        return kind == straight || kind == flush || kind == straight_flush;
    }

    void list_triples() {
        triples_.clear();
        backs_at_.clear();
        middles_at_.clear();
        backs_.stretches(*goal_, back_row, [&](const Stretch& back) { backs_at_.push_back(back); });
        middles().stretches(*goal_, middle_row, [&](const Stretch& middle) { middles_at_.push_back(middle); });
        const auto& fronts = fronts_.all();
        for (std::size_t b = 0; b < backs_at_.size(); ++b)
            for (std::size_t m = 0; m < middles_at_.size(); ++m) {
                const Stretch& back = backs_at_[b];
                const Stretch& middle = middles_at_[m];
                if (!low_ && middle.cls > back.cls) continue;
                const Rank limit = highest(low_ ? back.cls : middle.cls);
                const std::uint64_t order = std::uint64_t{back.order} << 32 | std::uint64_t{middle.order} << 16;
                for (std::size_t f = 0; f < fronts.size() && fronts[f].low <= limit; ++f) {
                    const double pay = most({fronts[f].high, middle.begin->value(), back.begin->value()});
                    triples_.push_back({pay, order | f, static_cast<std::uint16_t>(b),
                                        static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(f)});
                }
            }
        std::sort(triples_.begin(), triples_.end(), [](const Triple& a, const Triple& b) {
            return a.pay != b.pay ? a.pay > b.pay : a.order > b.order;
        });
    }

    static Rank highest(std::size_t cls) {
        return cls >= straight_flush ? ~Rank{0} : static_cast<Rank>((cls + 1) << 20) - 1;
    }

    // Whether cards outside `mask` leave enough for a front of this bucket.
    static bool leaves(const FrontFills::Bucket& front, std::uint32_t mask) {
        return std::popcount(front.needs & ~mask) >= front.least;
    }

    void explore(const Triple& triple) {
        const Stretch& backs = backs_at_[triple.back];
        const Stretch& stretch = middles_at_[triple.middle];
        const FrontFills::Bucket& front = fronts_.all()[triple.front];
        backs_.sort(backs.bin);
        middles().sort(stretch.bin);
        possible_.clear();
        for (const Fill* middle = stretch.begin; middle != stretch.end; ++middle) {
            if (!low_ && middle->value() < front.low) break;
            if (leaves(front, middle->mask())) possible_.push_back(*middle);
        }
        const bool fit = middles().has_jokers() && !low_;  // a joker may stand for less to keep below the back
        std::size_t first = 0;
        for (const Fill* back = backs.begin; back != backs.end; ++back) {
            const Rank high = back->value();
            if (high < front.low) return;
            if (triple.pay == best_.value && high < best_.rows[back_row]) return;
            if (!leaves(front, back->mask())) continue;
            if (!low_ && !fit) {
                while (first != possible_.size() && above(possible_[first].value(), high)) ++first;
            }
            for (std::size_t i = first; i < possible_.size(); ++i) {
                const Fill& middle = possible_[i];
                Rank mid = middle.value();
                if (triple.pay == best_.value && high == best_.rows[back_row] && mid < best_.rows[middle_row]) break;
                if ((back->mask() & middle.mask()) != 0 || !leaves(front, back->mask() | middle.mask())) continue;
                if (fit && above(mid, high)) {
                    mid = middles().at_most(middle, stretch.bin, rules_->strict_order != 0 ? high - 1 : high);
                    if (mid == 0) continue;
                }
                try_front(triple.pay, front, *back, middle, mid);
            }
        }
    }

    bool above(Rank upper, Rank lower) const { return rules_->strict_order != 0 ? upper >= lower : upper > lower; }

    void try_front(double pay, const FrontFills::Bucket& bucket, const Fill& back, const Fill& middle, Rank mid) {
        const std::uint32_t rest = pool_->all() & ~(back.mask() | middle.mask());
        const Rank limit = low_ ? back.value() : mid;
        const Fill* found = nullptr;
        for (std::size_t i = bucket.begin; i < bucket.end; ++i) {
            const Fill& front = fronts_[i];
            if ((front.mask() & ~rest) != 0 || above(front.value(), limit)) continue;
            if (careful_) {
                accept(exact(back, middle, mid, front));
            } else if (found == nullptr || front.value() > found->value()) {
                found = &front;
            }
        }
        if (found == nullptr) return;
        accept(jokers_ ? exact(back, middle, mid, *found)
                       : Completion{true, pay, {found->value(), mid, back.value()},
                                    {found->mask(), middle.mask(), back.mask()}});
    }

    // The value that the scorer gives, where a class alone does not decide it.
    Completion exact(const Fill& back, const Fill& middle, Rank mid, const Fill& front) const {
        Completion found{true, 0, {front.value(), mid, back.value()}, {front.mask(), middle.mask(), back.mask()}};
        HeldNatural natural;
        if (jokers_ || naturals_) {
            std::array<Card, board_size> board;
            for (std::size_t row = 0; row < row_count; ++row) {
                row_cards(*pool_, (*fixed_)[row], found.masks[row], board.data() + row_start[row]);
            }
            found.rows = board_values(*rules_, board.data());
            found.legal = is_legal(*rules_, found.rows);
            if (naturals_ && shows_natural(*rules_, board.data())) natural = best_natural(*rules_, board.data());
        }
        std::size_t deuce = deuce_fixed_;
        for (std::size_t row = 0; row < row_count; ++row) {
            if ((found.masks[row] & deuce_mask_) != 0) deuce = row;
        }
        found.value = goal_->value(found.rows, deuce, natural);
        return found;
    }

    void accept(const Completion& found) {
        if (!found.legal) return;
        const auto reversed = [](const RowValues& rows) { return std::array{rows[2], rows[1], rows[0]}; };
        if (found.value > best_.value || (found.value == best_.value && reversed(found.rows) > reversed(best_.rows))) {
            best_ = found;
        }
    }

    const Goal* goal_ = nullptr;
    const RulesTable* rules_ = nullptr;
    const FixedRows* fixed_ = nullptr;
    const Pool* pool_ = nullptr;
    bool low_ = false;
    bool share_ = false;
    bool jokers_ = false;
    std::size_t deuce_fixed_ = row_count;
    std::uint32_t deuce_mask_ = 0;
    bool naturals_ = false;  // rows that show a natural are paid as one
    bool careful_ = false;  // a class does not decide the value: every board is scored
    FiveFills backs_;
    FiveFills own_middles_;
    FrontFills fronts_;
    std::vector<Stretch> backs_at_;
    std::vector<Stretch> middles_at_;
    std::vector<Triple> triples_;
    std::vector<Fill> possible_;
    Completion best_;
};

}  // namespace triptych
