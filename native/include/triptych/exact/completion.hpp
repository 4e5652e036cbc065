// The best way to finish a board: rows that are partly fixed, and a pool of cards of which some are left over.
// Fantasyland, closed settings, last streets and look-ahead samples are all this one problem.
//
// Method: the fills of the three rows are classed once. What classes of back, middle and front bring together is known
// before any board is built, so the triples of classes are tried from the highest value down, and the first that some board
// can hold is the result. Of equal values the highest back wins, then the highest middle, then the highest front.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "triptych/exact/fills.hpp"

namespace triptych {

struct Completion {
    bool legal = false;  // false: every way fouls, and the masks are empty
    double value = -std::numeric_limits<double>::infinity();
    RowValues rows{};
    std::array<std::uint32_t, row_count> masks{};  // cards of the pool by row
};

// What can become of a board: the best class of each row alone (five_classes: no legal low), whether some way to finish it
// is legal, and whether some legal way leads to fantasyland.
struct Prospects {
    std::array<std::size_t, row_count> classes{};
    bool legal = false;
    bool fantasyland = false;
};

class BoardCompleter {
public:
    // Exact. The pool holds at least as many cards as there are free slots.
    const Completion& solve(const Objective& objective, const FixedRows& fixed, const Pool& pool);

    // Exact too. The goal has no opponents.
    Prospects prospects(const Objective& objective, const FixedRows& fixed, const Pool& pool);

private:
    void prepare(const Objective& objective, const FixedRows& fixed, const Pool& pool);

    void find_best();

    // Looks for any legal board of the classes that bring fantasyland, or of the others.
    void find_any(bool fantasyland);

    // Classes of the three rows, an upper bound of a board's value, and their order in the lists.
    struct Triple {
        double bound;
        std::uint64_t order;
        std::uint16_t back;
        std::uint16_t middle;
        std::uint16_t front;
    };

    FiveFills& middles() { return shares_fills_ ? backs_ : own_middles_; }

    static bool joker_in(const FixedRow& row) { return std::any_of(row.cards.begin(), row.cards.begin() + row.count, is_joker); }

    void find_deuce();

    // Upper bound of the value of rows of these classes, wherever the pool's deuce of spades is placed.
    double upper_bound(const RowValues& rows) const;

    static bool in_a_natural(Rank value) {
        const std::uint32_t kind = category(value);
        return kind == straight || kind == flush || kind == straight_flush;
    }

    void list_classes();

    void list_triples();

    static Rank highest(std::size_t cls) { return cls >= straight_flush ? ~Rank{0} : static_cast<Rank>((cls + 1) << 20) - 1; }

    // Whether cards outside `mask` leave enough for a front of this bucket.
    static bool leaves_front(const FrontFills::Bucket& front, std::uint32_t mask) { return std::popcount(front.pair_cards & ~mask) >= front.min_count; }

    void explore(const Triple& triple);

    bool above(Rank upper, Rank lower) const { return rules_->strict_order != 0 ? upper >= lower : upper > lower; }

    void try_front(double bound, const FrontFills::Bucket& bucket, const RowFill& back, const RowFill& middle, Rank middle_value_used);

    // The value that the scorer gives, where a class alone does not decide it.
    Completion exact(const RowFill& back, const RowFill& middle, Rank middle_value_used, const RowFill& front) const;

    void accept(const Completion& result);

    const Objective* objective_ = nullptr;
    const RulesTable* rules_ = nullptr;
    const FixedRows* fixed_ = nullptr;
    const Pool* pool_ = nullptr;
    bool low_ = false;
    bool shares_fills_ = false;
    bool jokers_ = false;
    std::size_t deuce_fixed_ = row_count;
    std::uint32_t deuce_mask_ = 0;
    bool naturals_ = false;            // rows that show a natural are paid as one
    bool scores_every_board_ = false;  // a class does not decide the value: every board is scored
    bool any_legal_ = false;           // the first legal board is enough
    FiveFills backs_;
    FiveFills own_middles_;
    FrontFills fronts_;
    std::vector<EqualFills> back_groups_;
    std::vector<EqualFills> middle_groups_;
    std::vector<Triple> triples_;
    std::vector<RowFill> possible_;
    Completion best_;
};

}  // namespace triptych
