// Every way to fill the free slots of one row from a pool of cards, sorted by what they are worth.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/exact/goal.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych {

inline constexpr std::size_t max_pool = 20;

// One row as far as it is fixed.
struct FixedRow {
    std::array<Card, 5> cards{};
    std::size_t count = 0;
};

// Value above, mask of the pool's cards below: sorts by value.
struct Fill {
    std::uint64_t packed;

    Fill() = default;
    Fill(Rank value, std::uint32_t mask) : packed(std::uint64_t{value} << 32 | mask) {}
    Rank value() const { return static_cast<Rank>(packed >> 32); }
    std::uint32_t mask() const { return static_cast<std::uint32_t>(packed); }
};

// The pool of cards that may still be placed; jokers come last.
struct Pool {
    std::array<Card, max_pool> cards{};
    std::size_t count = 0;
    std::uint32_t jokers = 0;  // mask

    std::uint32_t all() const { return (1U << count) - 1; }
};

namespace detail {

// Calls found(key, ranks, mask) for every choice of Left cards from the pool's real cards.
template <int Left, typename Found>
void each_choice_of(const Pool& pool, std::size_t first, std::size_t end, std::uint64_t key, unsigned ranks_seen,
                    std::uint32_t mask, const Found& found) {
    if constexpr (Left == 0) {
        found(key, ranks_seen, mask);
    } else {
        for (std::size_t i = first; i + Left <= end; ++i) {
            const Card card = pool.cards[i];
            each_choice_of<Left - 1>(pool, i + 1, end, key + card_key(card), ranks_seen | 1U << rank_of(card),
                                     mask | 1U << i, found);
        }
    }
}

template <typename Found>
void each_choice_of(int left, const Pool& pool, std::uint64_t key, unsigned ranks_seen, const Found& found) {
    switch (left) {
        case 0: return each_choice_of<0>(pool, 0, pool.count, key, ranks_seen, 0, found);
        case 1: return each_choice_of<1>(pool, 0, pool.count, key, ranks_seen, 0, found);
        case 2: return each_choice_of<2>(pool, 0, pool.count, key, ranks_seen, 0, found);
        case 3: return each_choice_of<3>(pool, 0, pool.count, key, ranks_seen, 0, found);
        case 4: return each_choice_of<4>(pool, 0, pool.count, key, ranks_seen, 0, found);
        default: return each_choice_of<5>(pool, 0, pool.count, key, ranks_seen, 0, found);
    }
}

// Calls found(mask) for every choice of `left` cards from the whole pool, jokers too.
template <typename Found>
void each_mask(int left, std::size_t first, std::size_t end, std::uint32_t mask, const Found& found) {
    if (left == 0) return found(mask);
    for (std::size_t i = first; i + static_cast<std::size_t>(left) <= end; ++i) {
        each_mask(left - 1, i + 1, end, mask | 1U << i, found);
    }
}

}  // namespace detail

// A row's fixed cards and those of a fill, in one array; returns how many.
inline std::size_t row_cards(const Pool& pool, const FixedRow& fixed, std::uint32_t mask, Card* out) {
    std::size_t count = fixed.count;
    std::copy_n(fixed.cards.begin(), count, out);
    for (; mask != 0; mask &= mask - 1) out[count++] = pool.cards[static_cast<std::size_t>(std::countr_zero(mask))];
    return count;
}

// Values of one row whose jokers may stand for any card; each distinct value once or more, in no order.
template <typename Found>
void each_joker_value(const RulesTable& rules, const Card* cards, std::size_t size, const Found& found) {
    constexpr CardSet real_cards = bit(first_joker) - 1;
    detail::each_value(rules, detail::OpenRow(cards, size), real_cards, [&](Rank value, CardSet) { found(value); });
}

// Fills of one worth. `order` grows with their value. Sorted, highest first, once FiveFills::sort has seen `bin`.
struct Stretch {
    const Fill* begin;
    const Fill* end;
    std::size_t cls;
    std::size_t bin;
    std::size_t order;
};

// Values inside classes at which a condition of fantasyland cuts them: `TT` in the middle, 86432 as a low.
class LandCuts {
public:
    static constexpr std::size_t most = 2 * max_land_conditions;  // of two rows that share their fills

    void add(const Goal& goal, Row row, bool low) {
        for (const LandCondition& asked : goal.land_cards > 0 ? repeat_conditions(*goal.rules) : entry_conditions(*goal.rules)) {
            const Rank least = least_of(asked, row);
            if (least == 0 || least == never_reached) continue;
            if (low ? low_class(least) == low_class(least - 1) : five_class(least) == five_class(least - 1)) cuts_[count_++] = least;
        }
    }

    std::size_t count() const { return count_; }
    std::size_t below(Rank value) const {
        return static_cast<std::size_t>(std::count_if(cuts_.begin(), cuts_.begin() + count_, [&](Rank cut) { return cut <= value; }));
    }

private:
    std::array<Rank, most> cuts_{};
    std::size_t count_ = 0;
};

// The fills of a five-card row, in a bin for each class, or for each part of a class that fantasyland cuts. Bins are
// sorted only when they are looked into.
class FiveFills {
public:
    void build(const RulesTable& rules, bool low, const Pool& pool, const FixedRow& fixed, const LandCuts& cuts = {}) {
        pool_ = &pool;
        fixed_ = &fixed;
        rules_ = &rules;
        low_ = low;
        cuts_ = cuts;
        bins_ = five_classes + cuts.count();
        reserve(pool.count, 5 - fixed.count);
        for (std::size_t i = 0; i < bins_; ++i) ends_[i] = starts_[i];
        sorted_ = 0;
        jokers_ = pool.jokers != 0 || std::any_of(fixed.cards.begin(), fixed.cards.begin() + fixed.count, is_joker);
        jokers_ ? with_jokers() : without_jokers();
    }

    bool has_jokers() const { return jokers_; }

    // The best class that some fill has; five_classes when there is none.
    std::size_t highest_class() const {
        for (std::size_t bin = bins_; bin-- > 0;) {
            if (ends_[bin] != starts_[bin]) return class_of(starts_[bin]->value());
        }
        return five_classes;
    }

    // Calls found(Stretch) for each bin, cut where a known opponent's row lies inside it.
    template <typename Found>
    void stretches(const Goal& goal, Row row, const Found& found) {
        for (std::size_t bin = 0; bin < bins_; ++bin) {
            if (ends_[bin] == starts_[bin]) continue;
            bool cut = false;
            for (std::size_t i = 0; i < goal.opponent_count; ++i) {
                const Rank theirs = goal.opponents[i].rows[row];
                cut = cut || bin_of(theirs) == bin;
            }
            const Fill* begin = starts_[bin];
            const std::size_t cls = class_of(begin->value());
            if (cut) sort(bin);
            std::size_t order = (bin + 1) * pieces;
            while (begin != ends_[bin]) {
                const Fill* end = cut ? next_cut(goal, row, begin, ends_[bin]) : ends_[bin];
                found(Stretch{begin, end, cls, bin, --order});
                begin = end;
            }
        }
    }

    void sort(std::size_t bin) {
        if ((sorted_ >> bin & 1U) != 0) return;
        sorted_ |= std::uint64_t{1} << bin;
        const auto count = static_cast<std::size_t>(ends_[bin] - starts_[bin]);
        if (count > 96) return sort_by_digits(starts_[bin], count);
        std::stable_sort(starts_[bin], ends_[bin], [](const Fill& a, const Fill& b) { return a.value() > b.value(); });
    }

    // The best value of a fill with jokers that is at most `limit` and of the same bin; 0 = none.
    Rank at_most(const Fill& fill, std::size_t bin, Rank limit) const {
        std::array<Card, 5> cards;
        row_cards(*pool_, *fixed_, fill.mask(), cards.data());
        if (std::none_of(cards.begin(), cards.end(), is_joker)) return 0;
        Rank best = 0;
        each_joker_value(*rules_, cards.data(), 5, [&](Rank raw) {
            const Rank value = compared(raw);
            if (value <= limit && value > best && bin_of(value) == bin) best = value;
        });
        return best;
    }

private:
    static constexpr std::size_t pieces = 2 * max_opponents + 2;
    static constexpr std::size_t most_bins = five_classes + LandCuts::most;

    std::size_t class_of(Rank value) const { return low_ ? low_class(value) : five_class(value); }
    std::size_t bin_of(Rank value) const {
        return cuts_.count() == 0 ? class_of(value) : class_of(value) + cuts_.below(value);
    }
    Rank compared(Rank value) const { return low_ ? low_order(value) : five_card_value(*rules_, value); }

    void reserve(std::size_t pool, std::size_t free) {
        std::size_t most = 1;
        for (std::size_t i = 0; i < free; ++i) most = most * (pool - i) / (i + 1);
        capacity_ = std::max(capacity_, most);
        if (storage_.size() < bins_ * capacity_) storage_.resize(bins_ * capacity_);
        for (std::size_t i = 0; i < bins_; ++i) starts_[i] = storage_.data() + i * capacity_;
    }

    void add(Rank value, std::uint32_t mask) {
        if (low_ && !low_fits(*rules_, value)) return;
        *ends_[bin_of(value)]++ = Fill(value, mask);
    }

    void without_jokers() {
        if (cuts_.count() == 0) return each_real_fill([&](Rank value) { return class_of(value); });
        each_real_fill([&](Rank value) { return bin_of(value); });
    }

    template <typename Bin>
    void each_real_fill(const Bin& bin) {
        std::uint64_t key = 0;
        unsigned seen = 0;
        for (std::size_t i = 0; i < fixed_->count; ++i) {
            key += card_key(fixed_->cards[i]);
            seen |= 1U << rank_of(fixed_->cards[i]);
        }
        const int left = 5 - static_cast<int>(fixed_->count);
        detail::each_choice_of(left, *pool_, key, seen, [&](std::uint64_t sum, unsigned set, std::uint32_t mask) {
            const Rank raw = is_suited(sum) ? rank_of_suited(set) : rank_of_weights(static_cast<std::uint32_t>(sum));
            const Rank value = compared(raw);
            if (!low_ || low_fits(*rules_, value)) *ends_[bin(value)]++ = Fill(value, mask);
        });
    }

    void with_jokers() {
        const int left = 5 - static_cast<int>(fixed_->count);
        detail::each_mask(left, 0, pool_->count, 0, [&](std::uint32_t mask) {
            std::array<Card, 5> cards;
            row_cards(*pool_, *fixed_, mask, cards.data());
            if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(compared(rank5(cards.data())), mask);
            std::array<Rank, most_bins> best{};
            each_joker_value(*rules_, cards.data(), 5, [&](Rank raw) {
                const Rank value = compared(raw);
                if (low_ && !low_fits(*rules_, value)) return;
                Rank& top = best[bin_of(value)];
                top = std::max(top, value);
            });
            for (std::size_t bin = 0; bin < bins_; ++bin) {
                if (best[bin] != 0) add(best[bin], mask);
            }
        });
    }

    // Highest first, of equal values the first stays first. The fills of a bin differ in their last 20 bits only, but
    // for the lows where any is legal. An even number of rounds ends where it began.
    void sort_by_digits(Fill* begin, std::size_t count) {
        constexpr unsigned bits = 10;
        constexpr std::uint32_t digits = 1U << bits;
        const unsigned rounds = low_ && rules_->low_any != 0 ? 4 : 2;
        scratch_.resize(std::max(scratch_.size(), count));
        Fill* from = begin;
        Fill* to = scratch_.data();
        for (unsigned shift = 0; shift < rounds * bits; shift += bits) {
            std::array<std::uint32_t, digits + 1> at{};
            const auto digit = [&](const Fill& fill) { return ~(fill.value() >> shift) & (digits - 1); };
            for (std::size_t i = 0; i < count; ++i) ++at[digit(from[i]) + 1];
            for (std::uint32_t i = 1; i < digits; ++i) at[i] += at[i - 1];
            for (std::size_t i = 0; i < count; ++i) to[at[digit(from[i])]++] = from[i];
            std::swap(from, to);
        }
    }

    static const Fill* next_cut(const Goal& goal, Row row, const Fill* begin, const Fill* end) {
        const auto side = [&](Rank value) {
            int sum = 0;
            for (std::size_t i = 0; i < goal.opponent_count; ++i) {
                const Rank theirs = goal.opponents[i].rows[row];
                sum += (value > theirs) + (value >= theirs);
            }
            return sum;
        };
        const int here = side(begin->value());
        return std::partition_point(begin, end, [&](const Fill& fill) { return side(fill.value()) == here; });
    }

    const Pool* pool_ = nullptr;
    const FixedRow* fixed_ = nullptr;
    const RulesTable* rules_ = nullptr;
    bool low_ = false;
    bool jokers_ = false;
    LandCuts cuts_;
    std::size_t bins_ = five_classes;
    std::uint64_t sorted_ = 0;  // bins
    std::size_t capacity_ = 0;
    std::vector<Fill> storage_;
    std::vector<Fill> scratch_;
    std::array<Fill*, most_bins> starts_{};
    std::array<Fill*, most_bins> ends_{};
};

// The fills of the front, by class and by the side of the opponents' fronts on which they fall.
class FrontFills {
public:
    static constexpr std::size_t sides = 2 * max_opponents + 1;
    static constexpr std::size_t buckets = front_classes * sides;

    struct Bucket {
        std::size_t begin;
        std::size_t end;
        Rank high;
        Rank low;
        std::uint32_t needs;  // cards of which a fill of this bucket holds at least `least`; 0 = unknown
        int least;
    };

    void build(const Goal& goal, const Pool& pool, const FixedRow& fixed) {
        raw_.clear();
        const int left = 3 - static_cast<int>(fixed.count);
        detail::each_mask(left, 0, pool.count, 0, [&](std::uint32_t mask) { collect(goal, pool, fixed, mask); });
        std::array<std::size_t, buckets + 1> at{};
        for (const Entry& entry : raw_) ++at[entry.bucket + 1];
        for (std::size_t i = 1; i <= buckets; ++i) at[i] += at[i - 1];
        const auto starts = at;
        fills_.resize(raw_.size());
        for (const Entry& entry : raw_) fills_[at[entry.bucket]++] = entry.fill;
        buckets_.clear();
        for (std::size_t i = 0; i < buckets; ++i) {
            if (starts[i] == starts[i + 1]) continue;
            buckets_.push_back(describe(pool, fixed, i / sides, starts[i], starts[i + 1]));
        }
    }

    const std::vector<Bucket>& all() const { return buckets_; }
    const Fill& operator[](std::size_t index) const { return fills_[index]; }

private:
    struct Entry {
        Fill fill;
        std::size_t bucket;
    };

    void collect(const Goal& goal, const Pool& pool, const FixedRow& fixed, std::uint32_t mask) {
        std::array<Card, 3> cards;
        row_cards(pool, fixed, mask, cards.data());
        if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(goal, rank3(cards.data()), mask);
        each_joker_value(*goal.rules, cards.data(), 3, [&](Rank value) { add(goal, value, mask); });
    }

    void add(const Goal& goal, Rank value, std::uint32_t mask) {
        std::size_t side = 0;
        for (std::size_t i = 0; i < goal.opponent_count; ++i) {
            const Rank theirs = goal.opponents[i].rows[front_row];
            side += static_cast<std::size_t>((value > theirs) + (value >= theirs));
        }
        raw_.push_back({Fill(value, mask), front_class(value) * sides + side});
    }

    Bucket describe(const Pool& pool, const FixedRow& fixed, std::size_t cls, std::size_t begin,
                    std::size_t end) const {
        Bucket bucket{begin, end, 0, ~Rank{0}, 0, 0};
        for (std::size_t i = begin; i < end; ++i) {
            bucket.high = std::max(bucket.high, fills_[i].value());
            bucket.low = std::min(bucket.low, fills_[i].value());
        }
        if (cls == 0 || fixed.count > 0 || pool.jokers != 0) return bucket;
        const int rank = static_cast<int>((cls - 1) % ranks);
        for (std::size_t i = 0; i < pool.count; ++i) {
            if (rank_of(pool.cards[i]) == rank) bucket.needs |= 1U << i;
        }
        bucket.least = cls > ranks ? 3 : 2;
        return bucket;
    }

    std::vector<Entry> raw_;
    std::vector<Fill> fills_;
    std::vector<Bucket> buckets_;
};

}  // namespace triptych
