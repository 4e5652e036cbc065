// What a row that is not full can still become: its lowest and highest value over all completions.
//
// Rows are bounded one by one with every card that is not on the own board, so a board that these bounds condemn is
// fouled for certain; the opposite is not promised, since two rows may need the same card.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "triptych/score/board.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych {

struct RowBounds {
    Rank least;
    Rank most;

    static constexpr char name[] = "RowBounds";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("least", least)("most", most);
    }
};

inline constexpr RowBounds unbounded_row = {0, 0xFFFFFFF};

namespace detail {

// Tries every set of ranks, and one suit where the real cards allow it, in the open places of a row.
class Completions {
public:
    Completions(const RulesTable& rules, Row row, const Card* cards, std::size_t count, CardSet free)
        : rules_(rules), row_(row), open_(cards, count), size_(row_size[row]) {
        constexpr CardSet real_cards = bit(first_joker) - 1;
        repeat_ = (open_.jokers > 0 || (free & ~real_cards) != 0) && rules.joker_off_board == 0;
        free_ = repeat_ ? real_cards : free & real_cards;
        places_ = size_ - open_.real;
        if (size_ == 5) own_suit_ = open_.suit;
    }

    RowBounds bounds() {
        if (open_.real == 0) return unbounded_row;
        fill(0, ranks - 1, own_suit_ >= 0);
        return bounds_;
    }

private:
    void fill(std::size_t placed, int highest, bool suited) {
        if (placed == places_) {
            take(suited);
            return;
        }
        for (int rank = highest; rank >= 0; --rank) {
            const unsigned free = suits_of_rank(free_, rank);
            std::size_t same = 0;
            while (same < placed && ranks_[open_.real + placed - 1 - same] == rank) ++same;
            if (!repeat_ && std::popcount(free) <= static_cast<int>(same)) continue;
            ranks_[open_.real + placed] = rank;
            const bool in_suit = suited && (free >> own_suit_ & 1U) != 0 && (same == 0 || repeat_);
            fill(placed + 1, rank, in_suit);
        }
    }

    void take(bool suited) {
        std::copy_n(open_.ranks_of.begin(), open_.real, ranks_.begin());
        if (size_ == 3) {
            widen(rank3(static_cast<Card>(ranks_[0] * 4), static_cast<Card>(ranks_[1] * 4), static_cast<Card>(ranks_[2] * 4)));
            return;
        }
        std::uint32_t sum = 0;
        for (int rank : ranks_) sum += weight[static_cast<std::size_t>(rank)];
        const Rank plain = rank_of_weights(sum);
        if (category(plain) == five_of_a_kind && rules_.five_of_a_kind == 0) return;
        widen(compared(plain));
        if (!suited) return;
        std::array<int, 5> ascending = ranks_;
        std::sort(ascending.begin(), ascending.end());
        widen(compared(flush_of_ranks(ascending)));
    }

    Rank compared(Rank value) const { return row_ == middle_row ? middle_value(rules_, value) : five_card_value(rules_, value); }

    void widen(Rank value) {
        bounds_.least = std::min(bounds_.least, value);
        bounds_.most = std::max(bounds_.most, value);
    }

    const RulesTable& rules_;
    Row row_;
    JokerRow open_;
    std::size_t size_;
    std::size_t places_;
    CardSet free_;
    bool repeat_;
    int own_suit_ = -1;
    std::array<int, 5> ranks_{};
    RowBounds bounds_ = {unbounded_row.most, unbounded_row.least};
};

}  // namespace detail

// Cards off a board of `own` cards, as `row_bounds` takes them; `jokers`: whether one may still come.
constexpr CardSet cards_to_come(CardSet own, bool jokers) {
    constexpr CardSet real_cards = bit(first_joker) - 1;
    return (real_cards & ~own) | (jokers ? bit(first_joker) : 0);
}

// Bounds of a row with `count` cards so far, jokers among them; `free` = cards that its open places may still get, jokers
// among them where one may still come: that one may repeat a card as those that lie there do.
inline RowBounds row_bounds(const RulesTable& rules, Row row, const Card* cards, std::size_t count, CardSet free) {
    const bool jokers = std::any_of(cards, cards + count, is_joker);
    if (count == row_size[row] && !jokers) {
        const Rank value = row == front_row ? rank3(cards) : row == middle_row ? middle_value(rules, rank5(cards)) : five_card_value(rules, rank5(cards));
        return {value, value};
    }
    return detail::Completions(rules, row, cards, count, free).bounds();
}

// Rows that break the order whatever else comes, as offending_rows has them; 0 = the bounds condemn nothing.
inline unsigned certainly_fouled_rows(const RulesTable& rules, const std::array<RowBounds, row_count>& rows) {
    const auto above = [&](const RowBounds& upper, const RowBounds& lower) {
        return rules.strict_order != 0 ? upper.least >= lower.most : upper.least > lower.most;
    };
    unsigned bad = above(rows[front_row], rows[back_row]) ? 5U : 0U;
    if (rules.middle_low != 0) {
        const Rank best = rows[middle_row].most;
        return low_fits(rules, best) || best == unbounded_row.most ? bad : bad | 2U;
    }
    if (above(rows[middle_row], rows[back_row])) bad |= 6U;
    if (above(rows[front_row], rows[middle_row])) bad |= 3U;
    return bad;
}

}  // namespace triptych
