// The settings of 13 cards: all 72,072 of them, or only those that no other one beats in every row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/score/board.hpp"
#include "triptych/score/broken_up.hpp"
#include "triptych/score/jokers.hpp"
#include "triptych/score/naturals.hpp"
#include "triptych/score/pairs.hpp"
#include "triptych/score/suit_ties.hpp"

namespace triptych {

inline constexpr std::size_t closed_settings = 72072;  // C(13,3) * C(10,5)

// One way to set 13 cards. `masks`: positions of the cards by row.
struct ClosedSetting {
    std::array<std::uint16_t, row_count> masks{};
    std::uint8_t offending = 0;
    std::uint8_t deuce = row_count;  // row that holds the deuce of spades
    RowValues rows{};                // as they are compared; 0 for an offending row where only rows foul
    RowPoints royalties{};
    int broken = 0;        // the part of the back's royalty that was broken up
    bool natural = false;  // its rows show the natural that the cards hold, and so claim it
};

// The cards of a setting as a board, front first.
inline std::array<Card, board_size> board_of(const ClosedSetting& setting, const Card* cards) {
    std::array<Card, board_size> board{};
    std::size_t next = 0;
    for (unsigned mask : setting.masks) {
        for (unsigned left = mask; left != 0; left &= left - 1) board[next++] = cards[std::countr_zero(left)];
    }
    return board;
}

namespace detail {

// The 252 choices of five of ten places; the first 126 leave out the last place, the others are their complements.
struct SplitTable {
    std::array<std::uint16_t, 252> places{};
    constexpr SplitTable() {
        std::size_t next = 0;
        for (unsigned set = 0; set < 512; ++set) {
            if (std::popcount(set) != 5) continue;
            places[next + 126] = static_cast<std::uint16_t>(1023U & ~set);
            places[next++] = static_cast<std::uint16_t>(set);
        }
    }
};
inline constexpr SplitTable split_table;

}  // namespace detail

class ClosedSettings {
public:
    // Classes every front and every five-card row of the 13 cards.
    void set(const RulesTable& rules, const Card* cards) {
        rules_ = &rules;
        std::copy_n(cards, board_size, cards_.begin());
        jokers_ = std::any_of(cards_.begin(), cards_.end(), is_joker);
        deuce_ = 0;
        for (std::size_t i = 0; i < board_size; ++i) {
            if (cards_[i] == deuce_of_spades) deuce_ = 1U << i;
        }
        if (!jokers_) class_rows();
        sort_fronts();
        held_ = may_show_natural(rules, cards) ? best_natural(rules, cards) : HeldNatural{};
        CardSet own = 0;
        for (std::size_t i = 0; i < board_size; ++i) own |= bit(cards[i]);
        broken_ = rules.broken_up != 0 && holds_quads_or_straight_flush(own);
    }

    // The natural that settings which show it claim; none where no setting does.
    const HeldNatural& held() const { return held_; }

    // Every setting, fouls too.
    void all(std::vector<ClosedSetting>& out) const {
        out.clear();
        out.reserve(closed_settings);
        for (const Front& front : fronts_) {
            for_each_split(front.mask, 252, [&](unsigned middle, unsigned back) { out.push_back(setting(front.mask, middle, back)); });
        }
    }

    // Whether a board with higher rows is never worth less, so that only undominated settings matter.
    static bool prunes(const RulesTable& rules, bool jokers) {
        if (jokers || rules.foul_rows != 0 || rules.one_per_board != 0 || rules.deuce_of_spades != 0) return false;
        // A scoop that doubles the opponent's royalties too can cost more than it wins.
        if (rules.doubles_all != 0 && rules.royalty_row_winner == 0) return false;
        const auto rises = [](const auto& points, std::size_t first, std::size_t last) {
            return std::is_sorted(points.begin() + first, points.begin() + last);
        };
        return rises(rules.royalty_back, 0, 9) && rules.royalty_back[8] <= rules.royalty_back[10] && rises(rules.royalty_middle, 0, 9) &&
               rules.royalty_middle[8] <= rules.royalty_middle[10] && rises(rules.royalty_front_pair, 0, 13) && rises(rules.royalty_front_trips, 0, 13) &&
               rules.royalty_front_pair[12] <= rules.royalty_front_trips[0] && rises(rules.royalty_low, 0, 4);
    }

    // The legal settings that no other legal one equals or beats in every row, and one that fouls if there is one.
    void undominated(std::vector<ClosedSetting>& out) {
        out.clear();
        if (!prunes(*rules_, jokers_)) return all(out);
        // The rows' values do not show what a setting breaks up, or which natural it claims.
        const bool special = broken_ || held_.entry >= 0;
        if (rules_->suit_ties != 0) {
            special ? find_undominated<true, true>(out) : find_undominated<true, false>(out);
        } else {
            special ? find_undominated<false, true>(out) : find_undominated<false, false>(out);
        }
    }

    // The setting with these positions in its rows.
    ClosedSetting setting(unsigned front, unsigned middle, unsigned back) const {
        ClosedSetting made;
        made.masks = {static_cast<std::uint16_t>(front), static_cast<std::uint16_t>(middle), static_cast<std::uint16_t>(back)};
        for (std::uint8_t row = 0; row < row_count; ++row) {
            if ((made.masks[row] & deuce_) != 0) made.deuce = row;
        }
        made.rows = values(made);
        if (held_.entry >= 0 && shows_natural(*rules_, board_of(made, cards_.data()).data())) {
            made.natural = true;
            return made;
        }
        const RowValues ranks_alone = {value_without_suit(*rules_, made.rows[front_row]), value_without_suit(*rules_, made.rows[middle_row]),
                                       value_without_suit(*rules_, made.rows[back_row])};
        made.offending = static_cast<std::uint8_t>(offending_rows(*rules_, ranks_alone));
        if (made.offending == 0 || rules_->foul_rows != 0) {
            if (broken_) made.broken = broken_up_royalty(*rules_, board_of(made, cards_.data()).data());
            made.royalties = row_royalties(*rules_, ranks_alone, made.offending, 7, made.broken);
        }
        for (std::size_t row = 0; rules_->foul_rows != 0 && row < row_count; ++row) {
            if ((made.offending >> row & 1U) != 0) made.rows[row] = 0;
        }
        return made;
    }

private:
    struct Front {
        Rank value;
        std::uint16_t mask;
    };
    // Back and middle of a setting found with a front at least as high as the one in hand.
    struct Step {
        Rank back;
        Rank middle;
        int broken;  // what it earns by breaking up
    };
    static constexpr unsigned every_card = 0x1FFF;

    // Templated, since it looks at every split of every hand. `Suits`: they break ties. `Special`: the cards hold what
    // earns when it is broken up, so that only a setting that earns as much beats another, or a natural that some
    // settings show, which are no boards then.
    template <bool Suits, bool Special>
    void find_undominated(std::vector<ClosedSetting>& out) {
        const auto rank = [](Rank value) { return Suits ? value >> tie_bits : value; };
        steps_.clear();
        bool fouled = false;
        const bool high = rules_->middle_low == 0;
        // Of two five-card rows the higher one goes back, unless suits make both ways of equal rows differ.
        const bool half = high && !Suits;
        for (const Front& front : fronts_) {
            for_each_split(front.mask, half ? 126 : 252, [&](unsigned middle, unsigned back) {
                if (half && back_[back] < back_[middle]) std::swap(middle, back);
                Step step{back_[back], high ? back_[middle] : middle_[middle], 0};
                if constexpr (Special) {
                    const ClosedSetting made = setting(front.mask, middle, back);
                    if (made.natural) return out.push_back(made);
                    step.broken = made.broken;
                }
                if (fouled && is_dominated<Special>(step)) return;
                if (offending_rows(*rules_, {rank(front.value), rank(step.middle), rank(step.back)}) != 0) {
                    if (!fouled) out.push_back(setting(front.mask, middle, back));
                    fouled = true;
                    return;
                }
                if (is_dominated<Special>(step)) return;
                add_step<Special>(step);
                out.push_back(setting(front.mask, middle, back));
            });
        }
        if (!fouled) one_foul(out);
    }

    void class_rows() {
        for (unsigned a = 0; a < 13; ++a)
            for (unsigned b = a + 1; b < 13; ++b)
                for (unsigned c = b + 1; c < 13; ++c)
                    for (unsigned d = c + 1; d < 13; ++d)
                        for (unsigned e = d + 1; e < 13; ++e) {
                            const Rank value = rank5(cards_[a], cards_[b], cards_[c], cards_[d], cards_[e]);
                            const unsigned mask = 1U << a | 1U << b | 1U << c | 1U << d | 1U << e;
                            back_[mask] = five_card_value(*rules_, value);
                            middle_[mask] = middle_value(*rules_, value);
                            if (rules_->suit_ties != 0) add_suits(mask);
                        }
    }

    void add_suits(unsigned mask) {
        std::array<Card, 5> row{};
        std::size_t next = 0;
        for (unsigned left = mask; left != 0; left &= left - 1) row[next++] = cards_[static_cast<std::size_t>(std::countr_zero(left))];
        back_[mask] = value_with_suit(*rules_, back_row, back_[mask], row.data());
        middle_[mask] = value_with_suit(*rules_, middle_row, middle_[mask], row.data());
    }

    void sort_fronts() {
        std::size_t next = 0;
        for (unsigned a = 0; a < 13; ++a)
            for (unsigned b = a + 1; b < 13; ++b)
                for (unsigned c = b + 1; c < 13; ++c) {
                    const std::array<Card, 3> row = {cards_[a], cards_[b], cards_[c]};
                    const Rank value = jokers_ ? 0 : value_with_suit(*rules_, front_row, rank3(row.data()), row.data());
                    fronts_[next++] = {value, static_cast<std::uint16_t>(1U << a | 1U << b | 1U << c)};
                }
        std::stable_sort(fronts_.begin(), fronts_.end(), [](const Front& a, const Front& b) { return a.value > b.value; });
    }

    // Calls visit(middle, back) for the first `count` splits of the ten cards that a front leaves.
    template <typename Visit>
    void for_each_split(unsigned front, std::size_t count, const Visit& visit) const {
        const unsigned rest = every_card & ~front;
        std::array<std::uint16_t, 32> low{};
        std::array<std::uint16_t, 32> high{};
        std::array<std::uint16_t, 10> place{};
        std::size_t next = 0;
        for (unsigned left = rest; left != 0; left &= left - 1) place[next++] = static_cast<std::uint16_t>(left & (~left + 1));
        for (std::size_t set = 1; set < 32; ++set) {
            const auto top = static_cast<std::size_t>(std::bit_width(set) - 1);
            low[set] = static_cast<std::uint16_t>(low[set ^ std::size_t{1} << top] | place[top]);
            high[set] = static_cast<std::uint16_t>(high[set ^ std::size_t{1} << top] | place[top + 5]);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned split = detail::split_table.places[i];
            const unsigned middle = static_cast<unsigned>(low[split & 31U] | high[split >> 5]);
            visit(middle, rest & ~middle);
        }
    }

    // Whether a setting found so far has both rows as high. Fronts come from the highest down.
    template <bool Special>
    bool is_dominated(const Step& step) {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            if (Special && steps_[i].broken < step.broken) continue;
            if (steps_[i].back >= step.back && steps_[i].middle >= step.middle) {
                if (i > 0) std::swap(steps_[i], steps_[i / 2]);  // a setting that dominates once often does so again
                return true;
            }
        }
        return false;
    }

    template <bool Special>
    void add_step(const Step& step) {
        std::erase_if(steps_, [&](const Step& s) { return s.back <= step.back && s.middle <= step.middle && (!Special || s.broken <= step.broken); });
        steps_.push_back(step);
    }

    void one_foul(std::vector<ClosedSetting>& out) const {
        for (const Front& front : fronts_) {
            bool result = false;
            for_each_split(front.mask, 252, [&](unsigned middle, unsigned back) {
                if (result) return;
                const ClosedSetting made = setting(front.mask, middle, back);
                result = made.offending != 0;
                if (result) out.push_back(made);
            });
            if (result) return;
        }
    }

    RowValues values(const ClosedSetting& made) const {
        std::array<Card, board_size> board{};
        if (!jokers_) {
            std::size_t next = 0;
            for (unsigned left = made.masks[front_row]; left != 0; left &= left - 1) {
                board[next++] = cards_[static_cast<std::size_t>(std::countr_zero(left))];
            }
            return {value_with_suit(*rules_, front_row, rank3(board.data()), board.data()), middle_[made.masks[middle_row]], back_[made.masks[back_row]]};
        }
        std::size_t next = 0;
        for (unsigned mask : made.masks) {
            for (unsigned left = mask; left != 0; left &= left - 1) { board[next++] = cards_[static_cast<std::size_t>(std::countr_zero(left))]; }
        }
        return values_with_suit(*rules_, board_values(*rules_, board.data()), board.data());
    }

    const RulesTable* rules_ = nullptr;
    std::array<Card, board_size> cards_{};
    bool jokers_ = false;
    bool broken_ = false;  // the cards hold what can be broken up and still earns
    HeldNatural held_;
    unsigned deuce_ = 0;
    std::array<Rank, 8192> back_{};
    std::array<Rank, 8192> middle_{};
    std::array<Front, 286> fronts_{};
    std::vector<Step> steps_;
};

}  // namespace triptych
