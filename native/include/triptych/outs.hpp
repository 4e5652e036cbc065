// What the cards to come can make of a board: the best category of each row on its own, and whether the whole board can
// still be legal or reach fantasyland. Over all draws where they can be counted, else over samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/streets.hpp"

namespace triptych {

struct OutsCount {
    static constexpr std::size_t none = five_classes;  // no legal low

    std::size_t draws = 0;
    bool exact = false;
    std::array<std::array<std::size_t, five_classes + 1>, row_count> best{};  // by class; fronts by 0, pair, trips
    std::size_t legal = 0;
    std::size_t fantasyland = 0;
};

// Best class of a full row on its own; none for a middle that is no low.
inline std::size_t full_row_class(const RulesTable& rules, Row row, const FixedRow& cards) {
    const Pool nothing;
    if (row == front_row) {
        Goal goal;
        goal.rules = &rules;
        FrontFills fronts;
        fronts.build(goal, nothing, cards);
        return category(fronts.all().back().high);
    }
    FiveFills fives;
    fives.build(rules, row == middle_row && rules.middle_low != 0, nothing, cards);
    return fives.highest_class();
}

class OutsCounter {
public:
    // Draws of `come` cards of `unseen`: all of them if there are at most `limit`, else `limit` samples.
    OutsCount count(const RulesTable& rules, const FixedRows& rows, const std::vector<Card>& unseen, std::size_t come,
                    std::size_t limit, std::uint64_t seed) {
        goal_ = {};
        goal_.rules = &rules;
        goal_.land_value.fill(land_worth);
        rows_ = &rows;
        out_ = {};
        out_.exact = at_most(unseen.size(), come, limit);
        if (out_.exact) {
            std::vector<Card> drawn(come);
            all_draws(unseen, 0, drawn, 0);
        } else {
            std::vector<Card> deck = unseen;
            Shuffler shuffler(seed);
            for (std::size_t i = 0; i < limit; ++i) {
                shuffler.draw(deck, come);
                look(deck.data(), come);
            }
        }
        return out_;
    }

private:
    static constexpr double land_worth = 1e6;  // more than any royalties

    static bool at_most(std::size_t n, std::size_t k, std::size_t limit) {
        double draws = 1;
        for (std::size_t i = 0; i < k; ++i) draws = draws * static_cast<double>(n - i) / static_cast<double>(i + 1);
        return draws <= static_cast<double>(limit) + 0.5;
    }

    void all_draws(const std::vector<Card>& unseen, std::size_t first, std::vector<Card>& drawn, std::size_t count) {
        if (count == drawn.size()) return look(drawn.data(), count);
        for (std::size_t i = first; i < unseen.size(); ++i) {
            drawn[count] = unseen[i];
            all_draws(unseen, i + 1, drawn, count + 1);
        }
    }

    void look(const Card* drawn, std::size_t count) {
        Pool pool;
        pool.count = count;
        for (std::size_t i = 0; i < count; ++i) {
            pool.cards[i] = drawn[i];
            if (is_joker(drawn[i])) pool.jokers |= 1U << i;
        }
        ++out_.draws;
        const bool low = goal_.rules->middle_low != 0;
        ++out_.best[front_row][front_best(pool)];
        fives_.build(*goal_.rules, low, pool, (*rows_)[middle_row]);
        ++out_.best[middle_row][fives_.highest_class()];
        fives_.build(*goal_.rules, false, pool, (*rows_)[back_row]);
        ++out_.best[back_row][fives_.highest_class()];
        const Completion& found = completer_.solve(goal_, *rows_, pool);
        if (!found.legal) return;
        ++out_.legal;
        if (found.value >= land_worth) ++out_.fantasyland;
    }

    std::size_t front_best(const Pool& pool) {
        fronts_.build(goal_, pool, (*rows_)[front_row]);
        return category(fronts_.all().back().high);
    }

    Goal goal_;
    const FixedRows* rows_ = nullptr;
    OutsCount out_;
    FiveFills fives_;
    FrontFills fronts_;
    Completer completer_;
};

}  // namespace triptych
