// The search for the best way to finish a board, and the fills of rows that it looks through.
#include "triptych/exact/completion.hpp"

#include <cstring>
#include <iterator>

namespace triptych {

void FiveFills::build(const RulesTable& rules, bool low, const Pool& pool, const FixedRow& fixed, const FantasylandThresholds& cuts) {
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

std::size_t FiveFills::highest_class() const {
    for (std::size_t bin = bins_; bin-- > 0;) {
        if (ends_[bin] != starts_[bin]) return class_of(starts_[bin]->value());
    }
    return five_classes;
}

void FiveFills::sort(std::size_t bin) {
    if ((sorted_ >> bin & 1U) != 0) return;
    sorted_ |= std::uint64_t{1} << bin;
    const auto count = static_cast<std::size_t>(ends_[bin] - starts_[bin]);
    if (count > 96) return sort_by_digits(starts_[bin], count);
    std::stable_sort(starts_[bin], ends_[bin], [](const RowFill& a, const RowFill& b) { return a.value() > b.value(); });
}

Rank FiveFills::at_most(const RowFill& fill, std::size_t bin, Rank limit) const {
    std::array<Card, 5> cards;
    row_cards(*pool_, *fixed_, fill.mask(), cards.data());
    if (std::none_of(cards.begin(), cards.end(), is_joker)) return 0;
    Rank best = 0;
    for_each_joker_value(*rules_, cards.data(), 5, [&](Rank raw) {
        const Rank value = compared(raw);
        if (value <= limit && value > best && bin_of(value) == bin) best = value;
    });
    return best;
}

void FiveFills::without_jokers() {
    if (cuts_.count() == 0) return each_real_fill([&](Rank value) { return class_of(value); });
    each_real_fill([&](Rank value) { return bin_of(value); });
}

void FiveFills::with_jokers() {
    if (std::memcmp(&remembered_rules_, rules_, sizeof *rules_) != 0 || remembered_low_ != low_ || !(remembered_cuts_ == cuts_)) {
        remembered_rules_ = *rules_;
        remembered_low_ = low_;
        remembered_cuts_ = cuts_;
        joker_values_.clear();
    }
    const int left = 5 - static_cast<int>(fixed_->count);
    detail::for_each_mask(left, 0, pool_->count, 0, [&](std::uint32_t mask) {
        std::array<Card, 5> cards;
        row_cards(*pool_, *fixed_, mask, cards.data());
        if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(compared(rank5(cards.data())), mask);
        for (const Rank value : values_with_jokers(cards.data())) *ends_[bin_of(value)]++ = RowFill(value, mask);
    });
}

const std::vector<Rank>& FiveFills::values_with_jokers(const Card* cards) {
    const detail::JokerRow row(cards, 5);
    const std::uint64_t key = (std::uint64_t{row.weights} * 3 + row.jokers) * 2 + (row.suit >= 0 ? 1 : 0);
    const auto [entry, is_new] = joker_values_.try_emplace(key);
    if (!is_new) return entry->second;
    std::array<Rank, max_bins> best{};
    for_each_joker_value(*rules_, cards, 5, [&](Rank raw) {
        const Rank value = compared(raw);
        if (low_ && !low_fits(*rules_, value)) return;
        Rank& top = best[bin_of(value)];
        top = std::max(top, value);
    });
    std::copy_if(best.begin(), best.begin() + bins_, std::back_inserter(entry->second), [](Rank value) { return value != 0; });
    return entry->second;
}

void FiveFills::sort_by_digits(RowFill* begin, std::size_t count) {
    constexpr unsigned bits = 10;
    constexpr std::uint32_t digits = 1U << bits;
    const unsigned rounds = low_ && rules_->low_any != 0 ? 4 : 2;
    scratch_.resize(std::max(scratch_.size(), count));
    RowFill* from = begin;
    RowFill* to = scratch_.data();
    for (unsigned shift = 0; shift < rounds * bits; shift += bits) {
        std::array<std::uint32_t, digits + 1> at{};
        const auto digit = [&](const RowFill& fill) { return ~(fill.value() >> shift) & (digits - 1); };
        for (std::size_t i = 0; i < count; ++i) ++at[digit(from[i]) + 1];
        for (std::uint32_t i = 1; i < digits; ++i) at[i] += at[i - 1];
        for (std::size_t i = 0; i < count; ++i) to[at[digit(from[i])]++] = from[i];
        std::swap(from, to);
    }
}

const RowFill* FiveFills::next_cut(const Objective& objective, Row row, const RowFill* begin, const RowFill* end) {
    const auto side = [&](Rank value) {
        int sum = 0;
        for (std::size_t i = 0; i < objective.opponent_count; ++i) {
            const Rank theirs = objective.opponents[i].rows[row];
            sum += (value > theirs) + (value >= theirs);
        }
        return sum;
    };
    const int here = side(begin->value());
    return std::partition_point(begin, end, [&](const RowFill& fill) { return side(fill.value()) == here; });
}

void FrontFills::build(const Objective& objective, const Pool& pool, const FixedRow& fixed) {
    raw_.clear();
    const int left = 3 - static_cast<int>(fixed.count);
    detail::for_each_mask(left, 0, pool.count, 0, [&](std::uint32_t mask) { collect(objective, pool, fixed, mask); });
    const std::size_t sides = sides_of(objective);
    const std::size_t buckets = front_classes * sides;
    std::array<std::uint32_t, max_buckets + 1> at;
    std::fill_n(at.begin(), buckets + 1, 0U);
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

void FrontFills::collect(const Objective& objective, const Pool& pool, const FixedRow& fixed, std::uint32_t mask) {
    std::array<Card, 3> cards;
    row_cards(pool, fixed, mask, cards.data());
    if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(objective, rank3(cards.data()), mask);
    for_each_joker_value(*objective.rules, cards.data(), 3, [&](Rank value) { add(objective, value, mask); });
}

void FrontFills::add(const Objective& objective, Rank value, std::uint32_t mask) {
    std::size_t side = 0;
    for (std::size_t i = 0; i < objective.opponent_count; ++i) {
        const Rank theirs = objective.opponents[i].rows[front_row];
        side += static_cast<std::size_t>((value > theirs) + (value >= theirs));
    }
    raw_.push_back({RowFill(value, mask), front_class(value) * sides_of(objective) + side});
}

FrontFills::Bucket FrontFills::describe(const Pool& pool, const FixedRow& fixed, std::size_t cls, std::size_t begin, std::size_t end) const {
    Bucket bucket{begin, end, 0, ~Rank{0}, 0, 0};
    for (std::size_t i = begin; i < end; ++i) {
        bucket.high = std::max(bucket.high, fills_[i].value());
        bucket.low = std::min(bucket.low, fills_[i].value());
    }
    if (cls == 0 || fixed.count > 0 || pool.jokers != 0) return bucket;
    const int rank = static_cast<int>((cls - 1) % ranks);
    for (std::size_t i = 0; i < pool.count; ++i) {
        if (rank_of(pool.cards[i]) == rank) bucket.pair_cards |= 1U << i;
    }
    bucket.min_count = cls > ranks ? 3 : 2;
    return bucket;
}

const Completion& BoardCompleter::solve(const Objective& objective, const FixedRows& fixed, const Pool& pool) {
    prepare(objective, fixed, pool);
    find_best();
    return best_;
}

Prospects BoardCompleter::prospects(const Objective& objective, const FixedRows& fixed, const Pool& pool) {
    prepare(objective, fixed, pool);
    Prospects out;
    out.classes = {category(fronts_.all().back().high), middles().highest_class(), backs_.highest_class()};
    if (scores_every_board_) {
        find_best();
        out.fantasyland = best_.legal && objective.next_fantasyland_value(best_.rows, row_royalties(*rules_, best_.rows)) > 0;
    } else {
        list_classes();
        find_any(true);
        out.fantasyland = best_.legal;
        if (!best_.legal) find_any(false);
    }
    out.legal = best_.legal;
    return out;
}

void BoardCompleter::prepare(const Objective& objective, const FixedRows& fixed, const Pool& pool) {
    objective_ = &objective;
    rules_ = objective.rules;
    fixed_ = &fixed;
    pool_ = &pool;
    best_ = {};
    low_ = rules_->middle_low != 0;
    shares_fills_ = !low_ && fixed[back_row].count == 0 && fixed[middle_row].count == 0;
    FantasylandThresholds cuts;
    cuts.add(objective, back_row, false);
    if (shares_fills_) cuts.add(objective, middle_row, false);
    backs_.build(*rules_, false, pool, fixed[back_row], cuts);
    if (!shares_fills_) {
        FantasylandThresholds own;
        own.add(objective, middle_row, low_);
        own_middles_.build(*rules_, low_, pool, fixed[middle_row], own);
    }
    fronts_.build(objective, pool, fixed[front_row]);
    jokers_ = backs_.has_jokers() || middles().has_jokers() || pool.jokers != 0 || joker_in(fixed[front_row]);
    find_deuce();
    const bool plain_jokers = static_cast<JokerValue>(rules_->joker_value) == JokerValue::best_legal && rules_->joker_off_board == 0;
    naturals_ = objective.counts_naturals();
    scores_every_board_ = naturals_ || deuce_mask_ != 0 || (jokers_ && (!plain_jokers || !objective.more_cards_are_worth_more()));
    any_legal_ = false;
}

void BoardCompleter::find_best() {
    list_classes();
    list_triples();
    for (const Triple& triple : triples_) {
        if (triple.bound < best_.value) break;
        if (triple.bound == best_.value && highest(back_groups_[triple.back].cls) < best_.rows[back_row]) continue;
        explore(triple);
    }
}

void BoardCompleter::find_any(bool fantasyland) {
    any_legal_ = true;
    const auto& fronts = fronts_.all();
    for (std::size_t b = back_groups_.size(); b-- > 0;)
        for (std::size_t m = 0; m < middle_groups_.size(); ++m) {
            const EqualFills& back = back_groups_[b];
            const EqualFills& middle = middle_groups_[m];
            if (!low_ && middle.cls > back.cls) break;
            const Rank limit = highest(low_ ? back.cls : middle.cls);
            for (std::size_t f = 0; f < fronts.size() && fronts[f].low <= limit; ++f) {
                const RowValues rows{fronts[f].high, middle.begin->value(), back.begin->value()};
                if ((objective_->next_fantasyland_value(rows, row_royalties(*rules_, rows)) > 0) != fantasyland) continue;
                explore({0, 0, static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(f)});
                if (best_.legal) return;
            }
        }
}

void BoardCompleter::find_deuce() {
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

double BoardCompleter::upper_bound(const RowValues& rows) const {
    double value = objective_->value(rows, deuce_fixed_);
    if (naturals_ && in_a_natural(rows[back_row]) && (low_ || in_a_natural(rows[middle_row]))) {
        value = std::max(value, objective_->value(rows, deuce_fixed_, objective_->highest_natural()));
    }
    if (deuce_mask_ != 0) {
        for (std::size_t row = 0; row < row_count; ++row) value = std::max(value, objective_->value(rows, row));
    }
    return value;
}

void BoardCompleter::list_classes() {
    back_groups_.clear();
    middle_groups_.clear();
    backs_.for_each_group(*objective_, back_row, [&](const EqualFills& back) { back_groups_.push_back(back); });
    middles().for_each_group(*objective_, middle_row, [&](const EqualFills& middle) { middle_groups_.push_back(middle); });
}

void BoardCompleter::list_triples() {
    triples_.clear();
    const auto& fronts = fronts_.all();
    for (std::size_t b = 0; b < back_groups_.size(); ++b)
        for (std::size_t m = 0; m < middle_groups_.size(); ++m) {
            const EqualFills& back = back_groups_[b];
            const EqualFills& middle = middle_groups_[m];
            if (!low_ && middle.cls > back.cls) continue;
            const Rank limit = highest(low_ ? back.cls : middle.cls);
            const std::uint64_t order = std::uint64_t{back.order} << 32 | std::uint64_t{middle.order} << 16;
            for (std::size_t f = 0; f < fronts.size() && fronts[f].low <= limit; ++f) {
                const double bound = upper_bound({fronts[f].high, middle.begin->value(), back.begin->value()});
                triples_.push_back({bound, order | f, static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(f)});
            }
        }
    std::sort(triples_.begin(), triples_.end(), [](const Triple& a, const Triple& b) { return a.bound != b.bound ? a.bound > b.bound : a.order > b.order; });
}

void BoardCompleter::explore(const Triple& triple) {
    const EqualFills& backs = back_groups_[triple.back];
    const EqualFills& group = middle_groups_[triple.middle];
    const FrontFills::Bucket& front = fronts_.all()[triple.front];
    backs_.sort(backs.bin);
    middles().sort(group.bin);
    possible_.clear();
    for (const RowFill* middle = group.begin; middle != group.end; ++middle) {
        if (!low_ && middle->value() < front.low) break;
        if (leaves_front(front, middle->mask())) possible_.push_back(*middle);
    }
    const bool may_lower_joker = middles().has_jokers() && !low_;  // a joker may stand for less to keep below the back
    std::size_t first = 0;
    for (const RowFill* back = backs.begin; back != backs.end; ++back) {
        const Rank high = back->value();
        if (high < front.low) return;
        if (triple.bound == best_.value && high < best_.rows[back_row]) return;
        if (!leaves_front(front, back->mask())) continue;
        if (!low_ && !may_lower_joker) {
            while (first != possible_.size() && above(possible_[first].value(), high)) ++first;
        }
        for (std::size_t i = first; i < possible_.size(); ++i) {
            const RowFill& middle = possible_[i];
            Rank middle_value_used = middle.value();
            if (triple.bound == best_.value && high == best_.rows[back_row] && middle_value_used < best_.rows[middle_row]) break;
            if ((back->mask() & middle.mask()) != 0 || !leaves_front(front, back->mask() | middle.mask())) continue;
            if (may_lower_joker && above(middle_value_used, high)) {
                middle_value_used = middles().at_most(middle, group.bin, rules_->strict_order != 0 ? high - 1 : high);
                if (middle_value_used == 0) continue;
            }
            try_front(triple.bound, front, *back, middle, middle_value_used);
            if (any_legal_ && best_.legal) return;
        }
    }
}

void BoardCompleter::try_front(double bound, const FrontFills::Bucket& bucket, const RowFill& back, const RowFill& middle, Rank middle_value_used) {
    const std::uint32_t rest = pool_->all() & ~(back.mask() | middle.mask());
    const Rank limit = low_ ? back.value() : middle_value_used;
    const RowFill* result = nullptr;
    if (any_legal_) {
        const auto is_placeable = [&](const RowFill& front) { return (front.mask() & ~rest) == 0 && !above(front.value(), limit); };
        const RowFill* begin = &fronts_[bucket.begin];
        best_.legal = std::any_of(begin, begin + (bucket.end - bucket.begin), is_placeable);
        return;
    }
    for (std::size_t i = bucket.begin; i < bucket.end; ++i) {
        const RowFill& front = fronts_[i];
        if ((front.mask() & ~rest) != 0 || above(front.value(), limit)) continue;
        if (scores_every_board_) {
            accept(exact(back, middle, middle_value_used, front));
        } else if (result == nullptr || front.value() > result->value()) {
            result = &front;
        }
    }
    if (result == nullptr) return;
    accept(jokers_ ? exact(back, middle, middle_value_used, *result)
                   : Completion{true, bound, {result->value(), middle_value_used, back.value()}, {result->mask(), middle.mask(), back.mask()}});
}

Completion BoardCompleter::exact(const RowFill& back, const RowFill& middle, Rank middle_value_used, const RowFill& front) const {
    Completion result{true, 0, {front.value(), middle_value_used, back.value()}, {front.mask(), middle.mask(), back.mask()}};
    HeldNatural natural;
    if (jokers_ || naturals_) {
        std::array<Card, board_size> board;
        for (std::size_t row = 0; row < row_count; ++row) { row_cards(*pool_, (*fixed_)[row], result.masks[row], board.data() + row_start[row]); }
        result.rows = board_values(*rules_, board.data());
        result.legal = is_legal(*rules_, result.rows);
        if (naturals_ && shows_natural(*rules_, board.data())) natural = best_natural(*rules_, board.data());
    }
    std::size_t deuce = deuce_fixed_;
    for (std::size_t row = 0; row < row_count; ++row) {
        if ((result.masks[row] & deuce_mask_) != 0) deuce = row;
    }
    result.value = objective_->value(result.rows, deuce, natural);
    return result;
}

void BoardCompleter::accept(const Completion& result) {
    if (!result.legal) return;
    const auto reversed = [](const RowValues& rows) { return std::array{rows[2], rows[1], rows[0]}; };
    if (result.value > best_.value || (result.value == best_.value && reversed(result.rows) > reversed(best_.rows))) { best_ = result; }
}

}  // namespace triptych
