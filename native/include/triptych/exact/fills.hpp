// Every way to fill the free slots of one row from a pool of cards, sorted by what they are worth.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "triptych/exact/goal.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych {

inline constexpr std::size_t max_pool = 20;

// One row as far as it is fixed.
struct FixedRow {
    std::array<Card, 5> cards{};
    std::size_t count = 0;

    FixedRow() = default;
    explicit FixedRow(std::span<const Card> fixed) : count(fixed.size()) { std::copy(fixed.begin(), fixed.end(), cards.begin()); }
};

using FixedRows = std::array<FixedRow, row_count>;

inline std::size_t fixed_cards(const FixedRows& rows) { return rows[0].count + rows[1].count + rows[2].count; }

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

    Pool() = default;
    explicit Pool(std::span<const Card> from) : count(from.size()) {
        std::copy(from.begin(), from.end(), cards.begin());
        for (std::size_t i = 0; i < count; ++i) jokers |= static_cast<std::uint32_t>(is_joker(cards[i])) << i;
    }

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
        for (const LandCondition& condition : goal.land_cards > 0 ? repeat_conditions(*goal.rules) : entry_conditions(*goal.rules)) {
            const Rank least = least_of(condition, row);
            if (least == 0 || least == never_reached) continue;
            if (low ? low_class(least) == low_class(least - 1) : five_class(least) == five_class(least - 1)) cuts_[count_++] = least;
        }
    }

    friend bool operator==(const LandCuts&, const LandCuts&) = default;

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
    void build(const RulesTable& rules, bool low, const Pool& pool, const FixedRow& fixed, const LandCuts& cuts = {});

    bool has_jokers() const { return jokers_; }

    // The best class that some fill has; five_classes when there is none.
    std::size_t highest_class() const;

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

    void sort(std::size_t bin);

    // The best value of a fill with jokers that is at most `limit` and of the same bin; 0 = none.
    Rank at_most(const Fill& fill, std::size_t bin, Rank limit) const;

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

    void without_jokers();

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

    void with_jokers();

    // The best value of each bin that a row with jokers can be; it depends on the ranks of its real cards and on whether they
    // are of one suit.
    const std::vector<Rank>& values_with_jokers(const Card* cards);

    // Highest first, of equal values the first stays first. The fills of a bin differ in their last 20 bits only, but
    // for the lows where any is legal. An even number of rounds ends where it began.
    void sort_by_digits(Fill* begin, std::size_t count);

    static const Fill* next_cut(const Goal& goal, Row row, const Fill* begin, const Fill* end);

    const Pool* pool_ = nullptr;
    const FixedRow* fixed_ = nullptr;
    const RulesTable* rules_ = nullptr;
    bool low_ = false;
    bool jokers_ = false;
    LandCuts cuts_;
    std::size_t bins_ = five_classes;
    std::uint64_t sorted_ = 0;  // bins
    std::unordered_map<std::uint64_t, std::vector<Rank>> joker_values_;  // for the rules, row and cuts that are remembered
    RulesTable remembered_rules_{};
    bool remembered_low_ = false;
    LandCuts remembered_cuts_;
    std::size_t capacity_ = 0;
    std::vector<Fill> storage_;
    std::vector<Fill> scratch_;
    std::array<Fill*, most_bins> starts_{};
    std::array<Fill*, most_bins> ends_{};
};

// The fills of the front, by class and by the side of the opponents' fronts on which they fall.
class FrontFills {
public:
    static constexpr std::size_t most_buckets = front_classes * (2 * max_opponents + 1);

    struct Bucket {
        std::size_t begin;
        std::size_t end;
        Rank high;
        Rank low;
        std::uint32_t needs;  // cards of which a fill of this bucket holds at least `least`; 0 = unknown
        int least;
    };

    void build(const Goal& goal, const Pool& pool, const FixedRow& fixed);

    const std::vector<Bucket>& all() const { return buckets_; }
    const Fill& operator[](std::size_t index) const { return fills_[index]; }

private:
    struct Entry {
        Fill fill;
        std::size_t bucket;
    };

    static std::size_t sides_of(const Goal& goal) { return 2 * goal.opponent_count + 1; }

    void collect(const Goal& goal, const Pool& pool, const FixedRow& fixed, std::uint32_t mask);

    void add(const Goal& goal, Rank value, std::uint32_t mask);

    Bucket describe(const Pool& pool, const FixedRow& fixed, std::size_t cls, std::size_t begin,
                    std::size_t end) const;

    std::vector<Entry> raw_;
    std::vector<Fill> fills_;
    std::vector<Bucket> buckets_;
};

}  // namespace triptych
