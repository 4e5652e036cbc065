// Exact expectation of a board with one or two free slots: every card that may come, played in the best way.
//
// Whatever comes, it ends with one or two cards in the slots, so the worth of each card or pair is found once; what is
// left is a maximum over the cards of each draw.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "triptych/exact/completion.hpp"

namespace triptych {

struct ExpectedValue {
    double value = 0;
    double fouls = 0;  // share of draws after which the board is not legal
};

class LastStreetSolver {
public:
    static constexpr std::size_t max_slots = 2;

    // The board `rows` has one or two free slots and receives `dealt` cards of `unseen` at once, or, `one_by_one`, one
    // card a street for each slot. `foul` = points of a board that is not legal.
    ExpectedValue expect(const Objective& objective, const FixedRows& rows, const std::vector<Card>& unseen, std::size_t dealt, bool one_by_one, double foul) {
        objective_ = &objective;
        foul_ = foul;
        set_board(rows);
        count_ = unseen.size();
        single_.assign(slots_.size() * count_, 0);
        for (std::size_t s = 0; s < slots_.size(); ++s)
            for (std::size_t i = 0; i < count_; ++i) single_[s * count_ + i] = row_with(slots_[s], unseen[i], s);
        if (slots_.size() == 1) return one_slot(unseen, dealt);
        fill_pairs(unseen);
        return one_by_one ? value_one_by_one(unseen) : value_at_once(unseen, dealt);
    }

private:
    struct BoardValue {
        double value;
        bool legal;
    };

    void set_board(const FixedRows& rows) {
        slots_.clear();
        jokers_ = false;
        deuce_ = row_count;
        for (std::size_t row = 0; row < row_count; ++row) {
            const std::size_t start = row_start[row];
            for (std::size_t i = 0; i < row_size[row]; ++i) {
                if (i >= rows[row].count) {
                    slots_.push_back(start + i);
                    continue;
                }
                board_[start + i] = rows[row].cards[i];
                jokers_ = jokers_ || is_joker(board_[start + i]);
                if (board_[start + i] == deuce_of_spades) deuce_ = row;
            }
        }
        for (std::size_t row = 0; row < row_count; ++row) {
            if (rows[row].count == row_size[row] && !jokers_) full_[row] = value_of(row);
        }
    }

    static std::size_t row_of(std::size_t slot) { return slot >= row_start[back_row] ? back_row : slot >= row_start[middle_row] ? middle_row : front_row; }

    bool same_row() const { return slots_.size() == 2 && row_of(slots_[0]) == row_of(slots_[1]); }

    Rank value_of(std::size_t row) const {
        const RulesTable& rules = *objective_->rules;
        const Card* cards = board_.data() + row_start[row];
        if (row == front_row) return rank3(cards);
        return row == middle_row ? middle_value(rules, rank5(cards)) : five_card_value(rules, rank5(cards));
    }

    // Value of the slot's row with a card in it, where that card alone fills it.
    Rank row_with(std::size_t slot, Card card, std::size_t) {
        if (jokers_ || is_joker(card) || same_row()) return 0;
        board_[slot] = card;
        return value_of(row_of(slot));
    }

    BoardValue board_value(const RowValues& rows, std::size_t deuce) const {
        if (!is_legal(*objective_->rules, rows)) return {foul_, false};
        return {objective_->value(rows, deuce), true};
    }

    std::size_t deuce_with(Card card, std::size_t slot) const { return card == deuce_of_spades ? row_of(slot) : deuce_; }

    BoardValue value_with_one(Card card, std::size_t index) {
        board_[slots_[0]] = card;
        const std::size_t deuce = deuce_with(card, slots_[0]);
        if (jokers_ || is_joker(card)) return board_value(board_values(*objective_->rules, board_.data()), deuce);
        RowValues rows = full_;
        rows[row_of(slots_[0])] = single_[index];
        return board_value(rows, deuce);
    }

    // The first card in the first slot, the second in the second.
    BoardValue value_with_two(Card a, std::size_t i, Card b, std::size_t j) {
        board_[slots_[0]] = a;
        board_[slots_[1]] = b;
        const std::size_t deuce = a == deuce_of_spades ? row_of(slots_[0]) : deuce_with(b, slots_[1]);
        if (jokers_ || is_joker(a) || is_joker(b)) return board_value(board_values(*objective_->rules, board_.data()), deuce);
        RowValues rows = full_;
        if (same_row()) {
            rows[row_of(slots_[0])] = value_of(row_of(slots_[0]));
        } else {
            rows[row_of(slots_[0])] = single_[i];
            rows[row_of(slots_[1])] = single_[count_ + j];
        }
        return board_value(rows, deuce);
    }

    static bool better(const BoardValue& a, const BoardValue& b) { return a.value != b.value ? a.value > b.value : a.legal > b.legal; }

    void fill_pairs(const std::vector<Card>& unseen) {
        pairs_.assign(count_ * count_, BoardValue{-std::numeric_limits<double>::infinity(), false});
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t j = 0; j < count_; ++j) {
                if (i == j || (same_row() && j < i)) continue;
                pairs_[i * count_ + j] = value_with_two(unseen[i], i, unseen[j], j);
            }
        if (same_row()) {
            for (std::size_t i = 0; i < count_; ++i)
                for (std::size_t j = 0; j < i; ++j) pairs_[i * count_ + j] = pairs_[j * count_ + i];
        }
    }

    // The best of `dealt` cards goes into the slot.
    ExpectedValue one_slot(const std::vector<Card>& unseen, std::size_t dealt) {
        std::vector<BoardValue> worths;
        for (std::size_t i = 0; i < count_; ++i) worths.push_back(value_with_one(unseen[i], i));
        std::sort(worths.begin(), worths.end(), better);
        // The i-th best card is the best of the draw in C(rest, dealt - 1) draws.
        ExpectedValue sum;
        double share = static_cast<double>(dealt) / static_cast<double>(count_);
        for (std::size_t i = 0; i + dealt <= count_; ++i) {
            sum.value += share * worths[i].value;
            if (!worths[i].legal) sum.fouls += share;
            const double rest = static_cast<double>(count_ - i - 1);
            if (rest > 0) share *= (rest - static_cast<double>(dealt) + 1) / rest;
        }
        return sum;
    }

    // Both slots are filled from one draw.
    ExpectedValue value_at_once(const std::vector<Card>&, std::size_t dealt) {
        best_.assign(count_ * count_, BoardValue{});
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t j = i + 1; j < count_; ++j) {
                const BoardValue& one_way = pairs_[i * count_ + j];
                const BoardValue& other = pairs_[j * count_ + i];
                best_[i * count_ + j] = better(other, one_way) ? other : one_way;
            }
        ExpectedValue sum;
        double draws = 0;
        const auto count = [&](const BoardValue& board_value) {
            sum.value += board_value.value;
            sum.fouls += board_value.legal ? 0 : 1;
            draws += 1;
        };
        each_draw(dealt, count);
        return {sum.value / draws, sum.fouls / draws};
    }

    template <typename Visit>
    void each_draw(std::size_t dealt, const Visit& visit) const {
        const auto pick = [&](const BoardValue& a, const BoardValue& b) -> const BoardValue& { return better(b, a) ? b : a; };
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t j = i + 1; j < count_; ++j) {
                const BoardValue& ij = best_[i * count_ + j];
                if (dealt == 2) {
                    visit(ij);
                    continue;
                }
                for (std::size_t k = j + 1; k < count_; ++k) { visit(pick(pick(ij, best_[i * count_ + k]), best_[j * count_ + k])); }
            }
    }

    // One card, then another: the first chooses its slot before the second is seen.
    ExpectedValue value_one_by_one(const std::vector<Card>&) {
        ExpectedValue sum;
        const double others = static_cast<double>(count_ - 1);
        for (std::size_t i = 0; i < count_; ++i) {
            ExpectedValue first;
            ExpectedValue second;
            for (std::size_t j = 0; j < count_; ++j) {
                if (j == i) continue;
                add(first, pairs_[i * count_ + j]);
                add(second, pairs_[j * count_ + i]);
            }
            const bool tied = second.value == first.value;
            const ExpectedValue& best = second.value > first.value || (tied && second.fouls < first.fouls) ? second : first;
            sum.value += best.value / others;
            sum.fouls += best.fouls / others;
        }
        return {sum.value / static_cast<double>(count_), sum.fouls / static_cast<double>(count_)};
    }

    static void add(ExpectedValue& sum, const BoardValue& board_value) {
        sum.value += board_value.value;
        sum.fouls += board_value.legal ? 0 : 1;
    }

    const Objective* objective_ = nullptr;
    double foul_ = 0;
    std::size_t count_ = 0;
    bool jokers_ = false;
    std::size_t deuce_ = row_count;
    std::array<Card, board_size> board_{};
    RowValues full_{};
    std::vector<std::size_t> slots_;
    std::vector<Rank> single_;
    std::vector<BoardValue> pairs_;
    std::vector<BoardValue> best_;
};

}  // namespace triptych
