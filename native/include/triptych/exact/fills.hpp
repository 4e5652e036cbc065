// Every way to fill the free slots of one row from a pool of cards, sorted by what they are worth.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "triptych/exact/objective.hpp"
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
struct RowFill {
    std::uint64_t packed;

    RowFill() = default;
    RowFill(Rank value, std::uint32_t mask) : packed(std::uint64_t{value} << 32 | mask) {}
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

// Calls visit(key, ranks, mask) for every choice of Left cards from the pool's real cards.
template <int Left, typename Visit>
void for_each_combination(const Pool& pool, std::size_t first, std::size_t end, std::uint64_t key, unsigned ranks_seen, std::uint32_t mask,
                          const Visit& visit) {
    if constexpr (Left == 0) {
        visit(key, ranks_seen, mask);
    } else {
        for (std::size_t i = first; i + Left <= end; ++i) {
            const Card card = pool.cards[i];
            for_each_combination<Left - 1>(pool, i + 1, end, key + card_key(card), ranks_seen | 1U << rank_of(card), mask | 1U << i, visit);
        }
    }
}

template <typename Visit>
void for_each_combination(int left, const Pool& pool, std::uint64_t key, unsigned ranks_seen, const Visit& visit) {
    switch (left) {
        case 0:
            return for_each_combination<0>(pool, 0, pool.count, key, ranks_seen, 0, visit);
        case 1:
            return for_each_combination<1>(pool, 0, pool.count, key, ranks_seen, 0, visit);
        case 2:
            return for_each_combination<2>(pool, 0, pool.count, key, ranks_seen, 0, visit);
        case 3:
            return for_each_combination<3>(pool, 0, pool.count, key, ranks_seen, 0, visit);
        case 4:
            return for_each_combination<4>(pool, 0, pool.count, key, ranks_seen, 0, visit);
        default:
            return for_each_combination<5>(pool, 0, pool.count, key, ranks_seen, 0, visit);
    }
}

// Calls visit(mask) for every choice of `left` cards from the whole pool, jokers too.
template <typename Visit>
void for_each_mask(int left, std::size_t first, std::size_t end, std::uint32_t mask, const Visit& visit) {
    if (left == 0) return visit(mask);
    for (std::size_t i = first; i + static_cast<std::size_t>(left) <= end; ++i) { for_each_mask(left - 1, i + 1, end, mask | 1U << i, visit); }
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
template <typename Visit>
void for_each_joker_value(const RulesTable& rules, const Card* cards, std::size_t size, const Visit& visit) {
    constexpr CardSet real_cards = bit(first_joker) - 1;
    detail::for_each_value(rules, detail::JokerRow(cards, size), real_cards, [&](Rank value, CardSet) { visit(value); });
}

// Fills of one worth. `order` grows with their value. Sorted, highest first, once FiveFills::sort has seen `bin`.
struct EqualFills {
    const RowFill* begin;
    const RowFill* end;
    std::size_t cls;
    std::size_t bin;
    std::size_t order;
};

// Values inside classes at which a condition of fantasyland cuts them: `TT` in the middle, 86432 as a low.
class FantasylandThresholds {
public:
    static constexpr std::size_t max_count = 2 * max_fantasyland_conditions;  // of two rows that share their fills

    void add(const Objective& objective, Row row, bool low) {
        for (const FantasylandCondition& condition :
             objective.fantasyland_cards > 0 ? repeat_conditions(*objective.rules) : entry_conditions(*objective.rules)) {
            const Rank min_count = min_value(condition, row);
            if (min_count == 0 || min_count == never_reached) continue;
            if (low ? low_class(min_count) == low_class(min_count - 1) : five_class(min_count) == five_class(min_count - 1)) cuts_[count_++] = min_count;
        }
    }

    friend bool operator==(const FantasylandThresholds&, const FantasylandThresholds&) = default;

    std::size_t count() const { return count_; }
    std::size_t below(Rank value) const {
        return static_cast<std::size_t>(std::count_if(cuts_.begin(), cuts_.begin() + count_, [&](Rank cut) { return cut <= value; }));
    }

private:
    std::array<Rank, max_count> cuts_{};
    std::size_t count_ = 0;
};

// The fills of a five-card row, in a bin for each class, or for each part of a class that fantasyland cuts. Bins are
// sorted only when they are looked into.
class FiveFills {
public:
    void build(const RulesTable& rules, bool low, const Pool& pool, const FixedRow& fixed, const FantasylandThresholds& cuts = {});

    bool has_jokers() const { return jokers_; }

    // The best class that some fill has; five_classes when there is none.
    std::size_t highest_class() const;

    // Calls visit(EqualFills) for each bin, cut where a known opponent's row lies inside it.
    template <typename Visit>
    void for_each_group(const Objective& objective, Row row, const Visit& visit) {
        for (std::size_t bin = 0; bin < bins_; ++bin) {
            if (ends_[bin] == starts_[bin]) continue;
            bool cut = false;
            for (std::size_t i = 0; i < objective.opponent_count; ++i) {
                const Rank theirs = objective.opponents[i].rows[row];
                cut = cut || bin_of(theirs) == bin;
            }
            const RowFill* begin = starts_[bin];
            const std::size_t cls = class_of(begin->value());
            if (cut) sort(bin);
            std::size_t order = (bin + 1) * pieces;
            while (begin != ends_[bin]) {
                const RowFill* end = cut ? next_cut(objective, row, begin, ends_[bin]) : ends_[bin];
                visit(EqualFills{begin, end, cls, bin, --order});
                begin = end;
            }
        }
    }

    void sort(std::size_t bin);

    // The best value of a fill with jokers that is at most `limit` and of the same bin; 0 = none.
    Rank at_most(const RowFill& fill, std::size_t bin, Rank limit) const;

private:
    static constexpr std::size_t pieces = 2 * max_opponents + 2;
    static constexpr std::size_t max_bins = five_classes + FantasylandThresholds::max_count;

    std::size_t class_of(Rank value) const { return low_ ? low_class(value) : five_class(value); }
    std::size_t bin_of(Rank value) const { return cuts_.count() == 0 ? class_of(value) : class_of(value) + cuts_.below(value); }
    Rank compared(Rank value) const { return low_ ? low_order(value) : five_card_value(*rules_, value); }

    void reserve(std::size_t pool, std::size_t free) {
        std::size_t fills = 1;
        for (std::size_t i = 0; i < free; ++i) fills = fills * (pool - i) / (i + 1);
        capacity_ = std::max(capacity_, fills);
        if (storage_.size() < bins_ * capacity_) storage_.resize(bins_ * capacity_);
        for (std::size_t i = 0; i < bins_; ++i) starts_[i] = storage_.data() + i * capacity_;
    }

    void add(Rank value, std::uint32_t mask) {
        if (low_ && !low_fits(*rules_, value)) return;
        *ends_[bin_of(value)]++ = RowFill(value, mask);
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
        detail::for_each_combination(left, *pool_, key, seen, [&](std::uint64_t sum, unsigned set, std::uint32_t mask) {
            const Rank raw = is_suited(sum) ? rank_of_suited(set) : rank_of_weights(static_cast<std::uint32_t>(sum));
            const Rank value = compared(raw);
            if (!low_ || low_fits(*rules_, value)) *ends_[bin(value)]++ = RowFill(value, mask);
        });
    }

    void with_jokers();

    // The best value of each bin that a row with jokers can be; it depends on the ranks of its real cards and on whether they
    // are of one suit.
    const std::vector<Rank>& values_with_jokers(const Card* cards);

    // Highest first, of equal values the first stays first. The fills of a bin differ in their last 20 bits only, but
    // for the lows where any is legal. An even number of rounds ends where it began.
    void sort_by_digits(RowFill* begin, std::size_t count);

    static const RowFill* next_cut(const Objective& objective, Row row, const RowFill* begin, const RowFill* end);

    const Pool* pool_ = nullptr;
    const FixedRow* fixed_ = nullptr;
    const RulesTable* rules_ = nullptr;
    bool low_ = false;
    bool jokers_ = false;
    FantasylandThresholds cuts_;
    std::size_t bins_ = five_classes;
    std::uint64_t sorted_ = 0;                                           // bins
    std::unordered_map<std::uint64_t, std::vector<Rank>> joker_values_;  // for the rules, row and cuts that are remembered
    RulesTable remembered_rules_{};
    bool remembered_low_ = false;
    FantasylandThresholds remembered_cuts_;
    std::size_t capacity_ = 0;
    std::vector<RowFill> storage_;
    std::vector<RowFill> scratch_;
    std::array<RowFill*, max_bins> starts_{};
    std::array<RowFill*, max_bins> ends_{};
};

// The fills of the front, by class and by the side of the opponents' fronts on which they fall.
class FrontFills {
public:
    static constexpr std::size_t max_buckets = front_classes * (2 * max_opponents + 1);

    struct Bucket {
        std::size_t begin;
        std::size_t end;
        Rank high;
        Rank low;
        std::uint32_t pair_cards;  // cards of which a fill of this bucket holds at least `min_count`; 0 = unknown
        int min_count;
    };

    void build(const Objective& objective, const Pool& pool, const FixedRow& fixed);

    const std::vector<Bucket>& all() const { return buckets_; }
    const RowFill& operator[](std::size_t index) const { return fills_[index]; }

private:
    struct Entry {
        RowFill fill;
        std::size_t bucket;
    };

    static std::size_t sides_of(const Objective& objective) { return 2 * objective.opponent_count + 1; }

    void collect(const Objective& objective, const Pool& pool, const FixedRow& fixed, std::uint32_t mask);

    void add(const Objective& objective, Rank value, std::uint32_t mask);

    Bucket describe(const Pool& pool, const FixedRow& fixed, std::size_t cls, std::size_t begin, std::size_t end) const;

    std::vector<Entry> raw_;
    std::vector<RowFill> fills_;
    std::vector<Bucket> buckets_;
};

}  // namespace triptych
