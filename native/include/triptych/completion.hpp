// The best way to finish a board: rows that are partly fixed, and a pool of cards of which some are left over.
// Fantasyland, closed settings, last streets and look-ahead samples are all this one question.
//
// Method: the fills of the back and of the middle are classed once. Pairs of classes are tried in the order of the
// most that they could bring with any front of the pool, and the search ends at the first pair that cannot do better
// than what is found. Of equal values the highest back wins, then the highest middle, then the highest front.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "triptych/fills.hpp"

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
        backs_.build(*rules_, false, pool, fixed[back_row]);
        share_ = !low_ && fixed[back_row].count == 0 && fixed[middle_row].count == 0;
        if (!share_) own_middles_.build(*rules_, low_, pool, fixed[middle_row]);
        fronts_.build(goal, pool, fixed[front_row]);
        jokers_ = backs_.has_jokers() || middles().has_jokers() || pool.jokers != 0 || joker_in(fixed[front_row]);
        find_deuce();
        const bool plain_jokers = static_cast<JokerValue>(rules_->joker_value) == JokerValue::best_legal &&
                                  rules_->joker_off_board == 0;
        careful_ = deuce_mask_ != 0 || (jokers_ && !plain_jokers);
        list_pairs();
        for (const ClassPair& pair : pairs_) {
            if (pair.bound < best_.value) break;
            if (pair.bound == best_.value && highest(pair.back.cls) < best_.rows[back_row]) continue;
            explore(pair);
        }
        return best_;
    }

private:
    struct ClassPair {
        double bound;
        std::size_t order;
        Stretch back;
        Stretch middle;
    };

    struct UsefulFront {
        double pay;
        const FrontFills::Bucket* bucket;
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
        if (deuce_mask_ != 0) {
            for (std::size_t row = 0; row < row_count; ++row) value = std::max(value, goal_->value(rows, row));
        }
        return value;
    }

    void list_pairs() {
        pairs_.clear();
        middle_stretches_.clear();
        middles().stretches(*goal_, middle_row, [&](const Stretch& middle) { middle_stretches_.push_back(middle); });
        backs_.stretches(*goal_, back_row, [&](const Stretch& back) {
            for (const Stretch& middle : middle_stretches_) {
                if (!low_ && middle.cls > back.cls) continue;
                double bound = best_.value;
                for (const FrontFills::Bucket& front : fronts_.all()) {
                    const RowValues rows = {front.high, middle.begin->value(), back.begin->value()};
                    if (low_ ? front.low > highest(back.cls) : front.low > highest(middle.cls)) continue;
                    bound = std::max(bound, most(rows));
                }
                if (bound == -std::numeric_limits<double>::infinity()) continue;
                pairs_.push_back({bound, back.order << 16 | middle.order, back, middle});
            }
        });
        std::sort(pairs_.begin(), pairs_.end(), [](const ClassPair& a, const ClassPair& b) {
            return a.bound != b.bound ? a.bound > b.bound : a.order > b.order;
        });
    }

    static Rank highest(std::size_t cls) {
        return cls >= straight_flush ? ~Rank{0} : static_cast<Rank>((cls + 1) << 20) - 1;
    }

    // Fronts that could still improve on the best, the dearest first; of equal ones the highest.
    void list_useful(Rank middle, Rank back) {
        useful_.clear();
        least_front_ = ~Rank{0};
        for (const FrontFills::Bucket& bucket : fronts_.all()) {
            const double pay = most({bucket.high, middle, back});
            if (pay < best_.value) continue;
            useful_.push_back({pay, &bucket});
            least_front_ = std::min(least_front_, bucket.low);
        }
        std::sort(useful_.begin(), useful_.end(), [](const UsefulFront& a, const UsefulFront& b) {
            return a.pay != b.pay ? a.pay > b.pay : a.bucket->high > b.bucket->high;
        });
    }

    void explore(const ClassPair& pair) {
        backs_.sort(pair.back.cls);
        middles().sort(pair.middle.cls);
        const Rank some_middle = pair.middle.begin->value();
        const Rank some_back = pair.back.begin->value();
        list_useful(some_middle, some_back);
        double listed_for = best_.value;
        const bool middle_jokers = middles().has_jokers();
        const Fill* first = pair.middle.begin;
        for (const Fill* back = pair.back.begin; back != pair.back.end; ++back) {
            const Rank high = back->value();
            if (pair.bound == best_.value && high < best_.rows[back_row]) return;
            if (high < least_front_) return;
            if (!low_ && !middle_jokers) {
                while (first != pair.middle.end && above(first->value(), high)) ++first;
            }
            for (const Fill* middle = first; middle != pair.middle.end; ++middle) {
                Rank mid = middle->value();
                if (!low_ && mid < least_front_) break;
                if (pair.bound == best_.value && high == best_.rows[back_row] && mid < best_.rows[middle_row]) break;
                if ((back->mask() & middle->mask()) != 0) continue;
                if (middle_jokers && !low_ && above(mid, high)) {
                    mid = middles().at_most(*middle, pair.middle.cls, rules_->strict_order != 0 ? high - 1 : high);
                    if (mid == 0) continue;
                }
                try_front(*back, *middle, mid);
                if (best_.value != listed_for) {
                    list_useful(some_middle, some_back);
                    listed_for = best_.value;
                    if (pair.bound < best_.value || high < least_front_) return;
                }
            }
        }
    }

    bool above(Rank upper, Rank lower) const { return rules_->strict_order != 0 ? upper >= lower : upper > lower; }

    void try_front(const Fill& back, const Fill& middle, Rank mid) {
        const std::uint32_t rest = pool_->all() & ~(back.mask() | middle.mask());
        const Rank limit = low_ ? back.value() : mid;
        for (const UsefulFront& useful : useful_) {
            const FrontFills::Bucket& bucket = *useful.bucket;
            if (bucket.least > std::popcount(rest & bucket.needs)) continue;
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
            if (found == nullptr || careful_) continue;
            accept(jokers_ ? exact(back, middle, mid, *found)
                           : Completion{true, useful.pay, {found->value(), mid, back.value()},
                                        {found->mask(), middle.mask(), back.mask()}});
            return;
        }
    }

    // The value that the scorer gives, where a class alone does not decide it.
    Completion exact(const Fill& back, const Fill& middle, Rank mid, const Fill& front) const {
        Completion found{true, 0, {front.value(), mid, back.value()}, {front.mask(), middle.mask(), back.mask()}};
        if (jokers_) {
            std::array<Card, board_size> board;
            for (std::size_t row = 0; row < row_count; ++row) {
                row_cards(*pool_, (*fixed_)[row], found.masks[row], board.data() + row_start[row]);
            }
            found.rows = board_values(*rules_, board.data());
            found.legal = is_legal(*rules_, found.rows);
        }
        std::size_t deuce = deuce_fixed_;
        for (std::size_t row = 0; row < row_count; ++row) {
            if ((found.masks[row] & deuce_mask_) != 0) deuce = row;
        }
        found.value = goal_->value(found.rows, deuce);
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
    bool careful_ = false;  // a class does not decide the value: every board is scored
    Rank least_front_ = 0;
    FiveFills backs_;
    FiveFills own_middles_;
    FrontFills fronts_;
    std::vector<Stretch> middle_stretches_;
    std::vector<ClassPair> pairs_;
    std::vector<UsefulFront> useful_;
    Completion best_;
};

}  // namespace triptych
