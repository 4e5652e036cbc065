// All 72,072 settings of 13 cards against many boards at once: what each setting brings on average.
//
// Every row of three or five cards is compared once with each board of the sample; a row's wins are a set of boards,
// one bit each, so that a setting's scoops and lost boards are intersections. Boards that tie a row are looked at one
// by one. Royalties add up row by row.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/goal.hpp"
#include "triptych/jokers.hpp"

namespace triptych {

// Finished boards of a sample.
struct BoardSample {
    std::vector<Opponent> live;  // legal ones
    std::size_t fouled = 0;
    std::size_t size() const { return live.size() + fouled; }
};

struct ClosedSetting {
    double value = 0;  // points on average against one board of the sample
    std::array<std::uint16_t, row_count> masks{};
};

class ClosedSolver {
public:
    // The best `limit` legal settings of 13 cards without jokers, best first; equal ones by back, middle, front.
    std::vector<ClosedSetting> solve(const RulesTable& rules, const Card* cards, const BoardSample& sample,
                                     std::size_t limit) {
        rules_ = &rules;
        sample_ = &sample;
        cards_ = cards;
        words_ = (sample.live.size() + 63) / 64;
        list_rows();
        std::vector<Ranked> found;
        each_setting([&](const RowSet& front, const RowSet& middle, const RowSet& back) {
            const RowValues rows = {front.value, middle.value, back.value};
            if (!is_legal(rules, rows)) return;
            found.push_back({points(front, middle, back), {back.value, middle.value, front.value},
                             {front.mask, middle.mask, back.mask}});
        });
        const auto better = [](const Ranked& a, const Ranked& b) {
            return a.value != b.value ? a.value > b.value : a.order > b.order;
        };
        limit = std::min(limit, found.size());
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(limit), found.end(), better);
        std::vector<ClosedSetting> best;
        for (std::size_t i = 0; i < limit; ++i) best.push_back({found[i].value, found[i].masks});
        return best;
    }

private:
    struct RowSet {
        Rank value;
        std::uint16_t mask;
        bool deuce;
        std::size_t wins;      // where its words begin
        std::size_t ties;
        std::size_t won;       // how many boards
        bool tied;             // with some board
        double royalties;      // points on average against a live board
    };

    struct Ranked {
        double value;
        std::array<Rank, row_count> order;
        std::array<std::uint16_t, row_count> masks;
    };

    static constexpr unsigned all = (1U << board_size) - 1;

    void list_rows() {
        bits_.clear();
        for (std::size_t row = 0; row < row_count; ++row) {
            rows_[row].clear();
            for (unsigned mask = 0; mask <= all; ++mask) {
                if (std::popcount(mask) == static_cast<int>(row_size[row])) add_row(row, mask);
            }
        }
        for (std::size_t row = middle_row; row < row_count; ++row) {
            for (std::size_t i = 0; i < rows_[row].size(); ++i) {
                at_[row][rows_[row][i].mask] = static_cast<std::uint16_t>(i);
            }
        }
    }

    void add_row(std::size_t row, unsigned mask) {
        std::array<Card, 5> cards{};
        std::size_t count = 0;
        bool deuce = false;
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            cards[count] = cards_[std::countr_zero(rest)];
            deuce = deuce || cards[count] == deuce_of_spades;
            ++count;
        }
        const Rank value = row == front_row    ? rank3(cards.data())
                           : row == middle_row ? middle_value(*rules_, rank5(cards.data()))
                                               : five_card_value(*rules_, rank5(cards.data()));
        RowSet set{value, static_cast<std::uint16_t>(mask), deuce, bits_.size(), bits_.size() + words_, 0, false, 0};
        bits_.resize(bits_.size() + 2 * words_);
        for (std::size_t i = 0; i < sample_->live.size(); ++i) {
            const Rank theirs = sample_->live[i].rows[row];
            const std::uint64_t one = std::uint64_t{1} << (i & 63);
            if (value > theirs) {
                bits_[set.wins + (i >> 6)] |= one;
                ++set.won;
            } else if (value == theirs) {
                bits_[set.ties + (i >> 6)] |= one;
                set.tied = true;
            }
        }
        set.royalties = royalties(row, set);
        rows_[row].push_back(set);
    }

    double royalties(std::size_t row, const RowSet& set) const {
        RowValues rows{};
        rows[row] = set.value;
        const int own = row == front_row    ? front_royalty(*rules_, set.value)
                        : row == middle_row ? middle_royalty(*rules_, set.value)
                                            : back_royalty(*rules_, set.value);
        const bool doubling = rules_->deuce_of_spades != 0;
        int total = 0;
        for (const Opponent& other : sample_->live) {
            const int theirs = other.royalties[row];
            if (own == 0 && theirs == 0) continue;
            const int result = set.value > other.rows[row] ? 1 : set.value < other.rows[row] ? -1 : 0;
            total += royalty_points(*rules_, own, theirs, result, doubling && (set.deuce || other.deuce == row));
        }
        if (rules_->foul_pays_royalties != 0) {
            total += own * static_cast<int>(sample_->fouled) * (doubling && set.deuce ? 2 : 1);
        }
        return total;
    }

    template <typename Found>
    void each_setting(const Found& found) const {
        for (const RowSet& front : rows_[front_row]) {
            const unsigned rest = all & ~static_cast<unsigned>(front.mask);
            for (unsigned middle = rest; middle != 0; middle = (middle - 1) & rest) {
                if (std::popcount(middle) != 5) continue;
                found(front, rows_[middle_row][at_[middle_row][middle]], rows_[back_row][at_[back_row][rest & ~middle]]);
            }
        }
    }

    int row_worth(int won, int lost) const {
        if (static_cast<RowScoring>(rules_->scoring) == RowScoring::first_to_11) return won;
        const bool scooped = won == 3 || lost == 3;
        return row_points(*rules_, won, lost) * (scooped && rules_->scoop_doubles != 0 ? 2 : 1);
    }

    double points(const RowSet& front, const RowSet& middle, const RowSet& back) const {
        int total = 0;
        int scoops = 0;
        int lost_all = 0;
        int boards = static_cast<int>(sample_->live.size());
        int wins = static_cast<int>(front.won + middle.won + back.won);
        const bool tied = front.tied || middle.tied || back.tied;
        for (std::size_t word = 0; word < words_; ++word) {
            const std::uint64_t f = bits_[front.wins + word];
            const std::uint64_t m = bits_[middle.wins + word];
            const std::uint64_t b = bits_[back.wins + word];
            std::uint64_t ties = 0;
            if (tied) {
                const std::uint64_t tf = bits_[front.ties + word];
                const std::uint64_t tm = bits_[middle.ties + word];
                const std::uint64_t tb = bits_[back.ties + word];
                ties = tf | tm | tb;
                for (std::uint64_t rest = ties; rest != 0; rest &= rest - 1) {
                    const std::uint64_t one = rest & (~rest + 1);
                    const int won = ((f & one) != 0) + ((m & one) != 0) + ((b & one) != 0);
                    const int even = ((tf & one) != 0) + ((tm & one) != 0) + ((tb & one) != 0);
                    total += row_worth(won, 3 - won - even);
                    wins -= won;
                    --boards;
                }
            }
            scoops += std::popcount(f & m & b);
            const std::uint64_t here = word + 1 < words_ || sample_->live.size() % 64 == 0
                                           ? ~std::uint64_t{0}
                                           : (std::uint64_t{1} << (sample_->live.size() % 64)) - 1;
            lost_all += std::popcount(here & ~(f | m | b | ties));
        }
        const int two = wins - boards + lost_all - 2 * scoops;
        const int one = boards - lost_all - scoops - two;
        total += scoops * row_worth(3, 0) + two * row_worth(2, 1) + one * row_worth(1, 2) + lost_all * row_worth(0, 3);
        const int foul = rules_->foul_points >= 0 ? rules_->foul_points : scoop_value(*rules_);
        total += static_cast<int>(sample_->fouled) * foul;
        return (total + front.royalties + middle.royalties + back.royalties) / static_cast<double>(sample_->size());
    }

    const RulesTable* rules_ = nullptr;
    const BoardSample* sample_ = nullptr;
    const Card* cards_ = nullptr;
    std::size_t words_ = 0;
    std::array<std::vector<RowSet>, row_count> rows_;
    std::array<std::array<std::uint16_t, all + 1>, row_count> at_{};
    std::vector<std::uint64_t> bits_;
};

}  // namespace triptych
