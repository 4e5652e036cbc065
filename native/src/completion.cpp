// The search for the best way to finish a board, and the fills of rows that it looks through.
#include "triptych/exact/completion.hpp"

#include <cstring>
#include <iterator>

namespace triptych {

void FiveFills::build(const RulesTable& rules, bool low, const Pool& pool, const FixedRow& fixed, const LandCuts& cuts) {
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
    std::stable_sort(starts_[bin], ends_[bin], [](const Fill& a, const Fill& b) { return a.value() > b.value(); });
}

Rank FiveFills::at_most(const Fill& fill, std::size_t bin, Rank limit) const {
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
    detail::each_mask(left, 0, pool_->count, 0, [&](std::uint32_t mask) {
        std::array<Card, 5> cards;
        row_cards(*pool_, *fixed_, mask, cards.data());
        if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(compared(rank5(cards.data())), mask);
        for (const Rank value : values_with_jokers(cards.data())) *ends_[bin_of(value)]++ = Fill(value, mask);
    });
}

const std::vector<Rank>& FiveFills::values_with_jokers(const Card* cards) {
    const detail::OpenRow row(cards, 5);
    const std::uint64_t key = (std::uint64_t{row.weights} * 3 + row.jokers) * 2 + (row.suit >= 0 ? 1 : 0);
    const auto [found, is_new] = joker_values_.try_emplace(key);
    if (!is_new) return found->second;
    std::array<Rank, most_bins> best{};
    each_joker_value(*rules_, cards, 5, [&](Rank raw) {
        const Rank value = compared(raw);
        if (low_ && !low_fits(*rules_, value)) return;
        Rank& top = best[bin_of(value)];
        top = std::max(top, value);
    });
    std::copy_if(best.begin(), best.begin() + bins_, std::back_inserter(found->second), [](Rank value) { return value != 0; });
    return found->second;
}

void FiveFills::sort_by_digits(Fill* begin, std::size_t count) {
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

const Fill* FiveFills::next_cut(const Goal& goal, Row row, const Fill* begin, const Fill* end) {
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

void FrontFills::build(const Goal& goal, const Pool& pool, const FixedRow& fixed) {
    raw_.clear();
    const int left = 3 - static_cast<int>(fixed.count);
    detail::each_mask(left, 0, pool.count, 0, [&](std::uint32_t mask) { collect(goal, pool, fixed, mask); });
    const std::size_t sides = sides_of(goal);
    const std::size_t buckets = front_classes * sides;
    std::array<std::uint32_t, most_buckets + 1> at;
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

void FrontFills::collect(const Goal& goal, const Pool& pool, const FixedRow& fixed, std::uint32_t mask) {
    std::array<Card, 3> cards;
    row_cards(pool, fixed, mask, cards.data());
    if (std::none_of(cards.begin(), cards.end(), is_joker)) return add(goal, rank3(cards.data()), mask);
    each_joker_value(*goal.rules, cards.data(), 3, [&](Rank value) { add(goal, value, mask); });
}

void FrontFills::add(const Goal& goal, Rank value, std::uint32_t mask) {
    std::size_t side = 0;
    for (std::size_t i = 0; i < goal.opponent_count; ++i) {
        const Rank theirs = goal.opponents[i].rows[front_row];
        side += static_cast<std::size_t>((value > theirs) + (value >= theirs));
    }
    raw_.push_back({Fill(value, mask), front_class(value) * sides_of(goal) + side});
}

FrontFills::Bucket FrontFills::describe(const Pool& pool, const FixedRow& fixed, std::size_t cls, std::size_t begin,
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

const Completion& Completer::solve(const Goal& goal, const FixedRows& fixed, const Pool& pool) {
    prepare(goal, fixed, pool);
    find_best();
    return best_;
}

Prospects Completer::prospects(const Goal& goal, const FixedRows& fixed, const Pool& pool) {
    prepare(goal, fixed, pool);
    Prospects out;
    out.classes = {category(fronts_.all().back().high), middles().highest_class(), backs_.highest_class()};
    if (careful_) {
        find_best();
        out.fantasyland = best_.legal && goal.next_land(best_.rows, row_royalties(*rules_, best_.rows)) > 0;
    } else {
        list_classes();
        find_any(true);
        out.fantasyland = best_.legal;
        if (!best_.legal) find_any(false);
    }
    out.legal = best_.legal;
    return out;
}

void Completer::prepare(const Goal& goal, const FixedRows& fixed, const Pool& pool) {
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
    any_ = false;
}

void Completer::find_best() {
    list_classes();
    list_triples();
    for (const Triple& triple : triples_) {
        if (triple.pay < best_.value) break;
        if (triple.pay == best_.value && highest(backs_at_[triple.back].cls) < best_.rows[back_row]) continue;
        explore(triple);
    }
}

void Completer::find_any(bool fantasyland) {
    any_ = true;
    const auto& fronts = fronts_.all();
    for (std::size_t b = backs_at_.size(); b-- > 0;)
        for (std::size_t m = 0; m < middles_at_.size(); ++m) {
            const Stretch& back = backs_at_[b];
            const Stretch& middle = middles_at_[m];
            if (!low_ && middle.cls > back.cls) break;
            const Rank limit = highest(low_ ? back.cls : middle.cls);
            for (std::size_t f = 0; f < fronts.size() && fronts[f].low <= limit; ++f) {
                const RowValues rows{fronts[f].high, middle.begin->value(), back.begin->value()};
                if ((goal_->next_land(rows, row_royalties(*rules_, rows)) > 0) != fantasyland) continue;
                explore({0, 0, static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(f)});
                if (best_.legal) return;
            }
        }
}

void Completer::find_deuce() {
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

double Completer::most(const RowValues& rows) const {
    double value = goal_->value(rows, deuce_fixed_);
    if (naturals_ && in_a_natural(rows[back_row]) && (low_ || in_a_natural(rows[middle_row]))) {
        value = std::max(value, goal_->value(rows, deuce_fixed_, goal_->highest_natural()));
    }
    if (deuce_mask_ != 0) {
        for (std::size_t row = 0; row < row_count; ++row) value = std::max(value, goal_->value(rows, row));
    }
    return value;
}

void Completer::list_classes() {
    backs_at_.clear();
    middles_at_.clear();
    backs_.stretches(*goal_, back_row, [&](const Stretch& back) { backs_at_.push_back(back); });
    middles().stretches(*goal_, middle_row, [&](const Stretch& middle) { middles_at_.push_back(middle); });
}

void Completer::list_triples() {
    triples_.clear();
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

void Completer::explore(const Triple& triple) {
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
            if (any_ && best_.legal) return;
        }
    }
}

void Completer::try_front(double pay, const FrontFills::Bucket& bucket, const Fill& back, const Fill& middle, Rank mid) {
    const std::uint32_t rest = pool_->all() & ~(back.mask() | middle.mask());
    const Rank limit = low_ ? back.value() : mid;
    const Fill* found = nullptr;
    if (any_) {
        const auto fits = [&](const Fill& front) { return (front.mask() & ~rest) == 0 && !above(front.value(), limit); };
        const Fill* begin = &fronts_[bucket.begin];
        best_.legal = std::any_of(begin, begin + (bucket.end - bucket.begin), fits);
        return;
    }
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

Completion Completer::exact(const Fill& back, const Fill& middle, Rank mid, const Fill& front) const {
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

void Completer::accept(const Completion& found) {
    if (!found.legal) return;
    const auto reversed = [](const RowValues& rows) { return std::array{rows[2], rows[1], rows[0]}; };
    if (found.value > best_.value || (found.value == best_.value && reversed(found.rows) > reversed(best_.rows))) {
        best_ = found;
    }
}

}  // namespace triptych
