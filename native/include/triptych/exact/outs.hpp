// What the cards to come can make of a board: the best category of each row on its own, and whether the whole board can
// still be legal or reach fantasyland. Over all draws where they can be counted, else over samples.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/exact/street_solver.hpp"

namespace triptych {

struct OutsCount {
    static constexpr std::size_t none = five_classes;  // no legal low

    std::uint32_t draws = 0;
    bool exact = false;
    std::array<std::array<std::uint32_t, five_classes + 1>, row_count> best{};  // by class; fronts by 0, pair, trips
    std::uint32_t legal = 0;
    std::uint32_t fantasyland = 0;

    static constexpr char name[] = "CountedOuts";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("draws", draws)("exact", exact)("classes", best)("legal", legal)("fantasyland", fantasyland);
    }
};

// Best class of a full row on its own; none for a middle that is not a low.
inline std::size_t full_row_class(const RulesTable& rules, Row row, const FixedRow& cards) {
    const Pool nothing;
    if (row == front_row) {
        Objective objective;
        objective.rules = &rules;
        FrontFills fronts;
        fronts.build(objective, nothing, cards);
        return category(fronts.all().back().high);
    }
    FiveFills fives;
    fives.build(rules, row == middle_row && rules.middle_low != 0, nothing, cards);
    return fives.highest_class();
}

// Sets of positions in a list, numbered: the set p < q < r < … has number C(p,1) + C(q,2) + C(r,3) + …
class CombinationIndex {
public:
    static constexpr std::size_t max_positions = 64;

    CombinationIndex() {
        for (std::size_t n = 0; n < max_positions; ++n) {
            of_[n][0] = 1;
            for (std::size_t k = 1; k <= max_pool; ++k) of_[n][k] = n == 0 ? 0 : of_[n - 1][k - 1] + of_[n - 1][k];
        }
    }

    // How many sets of k positions there are below n, and what position n as the k-th of a set adds to its number.
    std::uint64_t operator()(std::size_t n, std::size_t k) const { return of_[n][k]; }

private:
    std::array<std::array<std::uint64_t, max_pool + 1>, max_positions> of_{};
};

// The numbers of all sets of positions chosen so far, by size; positions are added in rising order.
class Combinations {
public:
    explicit Combinations(const CombinationIndex& numbers) : numbers_(&numbers) { of_size_[0] = {0}; }

    // Calls visit(number) for each set of `size` that holds the position to be added.
    template <typename BestSets>
    void for_each_new(std::size_t position, std::size_t size, const BestSets& result) const {
        if (size == 0) return;
        const std::uint64_t own = (*numbers_)(position, size);
        for (std::uint64_t number : of_size_[size - 1]) result(number + own);
    }

    void add(std::size_t position, std::size_t max_size) {
        for (std::size_t size = max_size; size > 0; --size) {
            const std::size_t before = of_size_[size - 1].size();
            for (std::size_t i = 0; i < before; ++i) { of_size_[size].push_back(of_size_[size - 1][i] + (*numbers_)(position, size)); }
        }
    }

    void clear() {
        for (std::size_t size = 1; size < of_size_.size(); ++size) of_size_[size].clear();
    }

private:
    const CombinationIndex* numbers_;
    std::array<std::vector<std::uint64_t>, max_pool> of_size_;
};

// Method of the exact count: whatever comes, as many cards as there are free slots are placed. So every set of cards
// for one row and every set for the whole board is valued once, and a draw is the best of the sets inside it.
class OutsCounter {
public:
    // All draws are counted where that is no more work than `effort` samples: there so many sets of cards for the whole
    // board, each solved, and so many draws cost as much as one.
    static constexpr std::uint64_t boards_of_a_sample = 11;
    static constexpr std::uint64_t draws_of_a_sample = 100;

    // Draws of `draw_size` cards of `unseen`: all of them, or `samples` of them.
    OutsCount count(const RulesTable& rules, const FixedRows& rows, const std::vector<Card>& unseen, std::size_t draw_size, std::size_t samples,
                    std::size_t effort, std::uint64_t seed) {
        objective_ = {};
        objective_.rules = &rules;
        objective_.fantasyland_values.fill(1);
        rows_ = &rows;
        unseen_ = &unseen;
        draw_size_ = draw_size;
        out_ = {};
        for (std::size_t row = 0; row < row_count; ++row) free_[row] = row_size[row] - rows[row].count;
        free_[row_count] = free_[0] + free_[1] + free_[2];
        out_.exact =
            numbers_(unseen.size(), free_[row_count]) <= boards_of_a_sample * effort && numbers_(unseen.size(), draw_size) <= draws_of_a_sample * effort;
        out_.exact ? count_all() : sample(samples, seed);
        return out_;
    }

private:
    enum BoardFlag : std::uint8_t { can_be_legal = 1, can_reach_fantasyland = 2 };

    // The best of a draw so far: of each row its class as `order` has it, of the board its flags.
    using BestSets = std::array<std::uint8_t, row_count + 1>;

    void count_all() {
        for (std::size_t part = 0; part <= row_count; ++part) {
            table_[part].assign(numbers_(unseen_->size(), free_[part]), 0);
            std::vector<Card> set(free_[part]);
            value_sets(part, set, 0, 0, 0);
        }
        BestSets result{};
        for (std::size_t part = 0; part <= row_count; ++part) {
            if (free_[part] == 0) result[part] = table_[part][0];
        }
        chosen_.assign(draw_size_ + 1, Combinations(numbers_));
        extend_draw(0, 0, result);
    }

    void value_sets(std::size_t part, std::vector<Card>& set, std::size_t size, std::size_t first, std::uint64_t number) {
        if (size == set.size()) {
            const Pool pool({set.data(), size});
            table_[part][number] = part == row_count ? flags_of(completer_.prospects(objective_, *rows_, pool)) : best_class(static_cast<Row>(part), pool);
            return;
        }
        for (std::size_t i = first; i < unseen_->size(); ++i) {
            set[size] = (*unseen_)[i];
            value_sets(part, set, size + 1, i + 1, number + numbers_(i, size + 1));
        }
    }

    // Goes through all draws; `result` is the best of the sets inside the `count` cards drawn.
    void extend_draw(std::size_t count, std::size_t first, const BestSets& result) {
        if (count == draw_size_) return count_draw(result);
        for (std::size_t i = first; i + (draw_size_ - count) <= unseen_->size(); ++i) {
            BestSets more = result;
            for (std::size_t part = 0; part <= row_count; ++part) {
                chosen_[count].for_each_new(i, free_[part], [&](std::uint64_t number) {
                    const std::uint8_t here = table_[part][number];
                    more[part] = part == row_count ? more[part] | here : std::max(more[part], here);
                });
            }
            if (count + 1 < draw_size_) {
                chosen_[count + 1] = chosen_[count];
                // Nothing is chosen for a full board.
                if (free_[row_count] > 0) chosen_[count + 1].add(i, std::min(free_[row_count], draw_size_) - 1);
            }
            extend_draw(count + 1, i + 1, more);
        }
    }

    void sample(std::size_t samples, std::uint64_t seed) {
        std::vector<Card> deck = *unseen_;
        Shuffler shuffler(seed);
        for (std::size_t i = 0; i < samples; ++i) {
            shuffler.draw(deck, draw_size_);
            const Prospects prospects = completer_.prospects(objective_, *rows_, Pool({deck.data(), draw_size_}));
            BestSets result{};
            for (std::size_t row = 0; row < row_count; ++row) result[row] = class_number(prospects.classes[row]);
            result[row_count] = flags_of(prospects);
            count_draw(result);
        }
    }

    void count_draw(const BestSets& result) {
        ++out_.draws;
        for (std::size_t row = 0; row < row_count; ++row) { ++out_.best[row][result[row] == 0 ? OutsCount::none : result[row] - 1U]; }
        out_.legal += (result[row_count] & can_be_legal) != 0;
        out_.fantasyland += (result[row_count] & can_reach_fantasyland) != 0;
    }

    // 1 + the best class of a row that takes any cards of the pool; 0 for a middle that cannot be a low.
    std::uint8_t best_class(Row row, const Pool& pool) {
        if (row == front_row) {
            fronts_.build(objective_, pool, (*rows_)[row]);
            return class_number(category(fronts_.all().back().high));
        }
        fives_.build(*objective_.rules, row == middle_row && objective_.rules->middle_low != 0, pool, (*rows_)[row]);
        return class_number(fives_.highest_class());
    }

    static std::uint8_t class_number(std::size_t cls) { return static_cast<std::uint8_t>(cls == five_classes ? 0 : cls + 1); }

    static std::uint8_t flags_of(const Prospects& prospects) {
        return static_cast<std::uint8_t>((prospects.legal ? can_be_legal : 0) | (prospects.fantasyland ? can_reach_fantasyland : 0));
    }

    const CombinationIndex numbers_;
    Objective objective_;
    const FixedRows* rows_ = nullptr;
    const std::vector<Card>* unseen_ = nullptr;
    std::size_t draw_size_ = 0;
    std::array<std::size_t, row_count + 1> free_{};  // slots of each row, and of the board
    std::array<std::vector<std::uint8_t>, row_count + 1> table_;
    std::vector<Combinations> chosen_;
    OutsCount out_;
    FiveFills fives_;
    FrontFills fronts_;
    BoardCompleter completer_;
};

}  // namespace triptych
