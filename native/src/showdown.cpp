// The score of a deal.
#include "triptych/score/showdown.hpp"

namespace triptych {

namespace {

class DealScorer {
public:
    DealScorer(const RulesTable& rules, const Hand* hands, std::size_t count, DealScore& out, const RowValues* known)
        : rules_(rules), hands_(hands), count_(count), out_(out), known_(known) {}

    void run() {
        for (std::size_t i = 0; i < count_; ++i) out_.hands[i] = detail::score_hand(rules_, hands_[i], known_ == nullptr ? nullptr : &known_[i]);
        if (rules_.home_run_doubles != 0 && count_ == 4) {
            for (std::size_t i = 0; i < count_; ++i) home_run_[i] = scoops_all(i);
        }
        std::size_t next = 0;
        for (std::size_t a = 0; a < count_; ++a)
            for (std::size_t b = a + 1; b < count_; ++b) {
                PairScore& pair = out_.pairs[next++];
                pair = {};
                if (opponents(a, b)) score_pair(a, b, pair);
            }
        if (static_cast<RowScoring>(rules_.scoring) == RowScoring::first_to_11) table_points();
    }

private:
    // Claimed, or shown by the rows of a board.
    bool is_natural(std::size_t i) const { return hands_[i].kind == HandKind::natural || out_.hands[i].natural.entry >= 0; }
    bool is_board(std::size_t i) const { return !is_natural(i) && (hands_[i].kind == HandKind::board || hands_[i].kind == HandKind::dead); }
    // The banker is the button, who comes last.
    bool opponents(std::size_t a, std::size_t b) const { return play_each_other(rules_, hands_[a].owner, hands_[b].owner, hands_[count_ - 1].owner); }
    bool fouled(std::size_t i) const { return is_board(i) && out_.hands[i].offending != 0; }
    bool plays_legal(std::size_t i) const { return is_board(i) && out_.hands[i].offending == 0; }
    // A foul that loses the whole board, not only the offending rows.
    bool dead(std::size_t i) const { return fouled(i) && rules_.foul_rows == 0; }

    // What decides the rows of a board between two.
    RowValues compared(std::size_t i) const { return values_with_suit(rules_, out_.hands[i].rows, hands_[i].cards.data()); }

    RowPoints results(std::size_t a, std::size_t b) const {
        const bool by_row = rules_.foul_rows != 0;
        return row_results(compared(a), compared(b), by_row ? out_.hands[a].offending : 0, by_row ? out_.hands[b].offending : 0);
    }

    // Whether hand i wins all rows of each of its three opponents; a mis-set board counts only while it still plays.
    bool scoops_all(std::size_t i) const {
        if (!is_board(i) || dead(i)) return false;
        for (std::size_t j = 0; j < count_; ++j) {
            if (j == i) continue;
            if (!is_board(j) || !opponents(i, j)) return false;
            if (dead(j) && rules_.foul_still_plays == 0) return false;
            if (rows_won(results(i, j)) != 3) return false;
        }
        return true;
    }

    void score_pair(std::size_t a, std::size_t b, PairScore& pair) const {
        const HandScore& first = out_.hands[a];
        const HandScore& second = out_.hands[b];
        if (is_natural(a) || is_natural(b)) {
            pair.other = natural_points(rules_, first.natural, second.natural);
        } else if (hands_[a].kind == HandKind::surrender || hands_[b].kind == HandKind::surrender) {
            if (plays_legal(b)) pair.other -= rules_.surrender_points;
            if (plays_legal(a)) pair.other += rules_.surrender_points;
        } else if (dead(a) || dead(b)) {
            if (dead(a) != dead(b)) score_foul(a, b, pair);
        } else {
            score_rows(a, b, pair);
        }
    }

    void score_foul(std::size_t a, std::size_t b, PairScore& pair) const {
        const std::size_t winner = dead(a) ? b : a;
        const int sign = dead(a) ? -1 : 1;
        int points = rules_.foul_points;
        if (points < 0) {
            pair.factor = scoop_factor(rules_) * (home_run_[winner] ? 2 : 1);
            points = row_points(rules_, {1, 1, 1}) * pair.factor;
        }
        pair.other = sign * points;
        if (rules_.foul_pays_royalties == 0) return;
        for (std::size_t row = 0; row < row_count; ++row) {
            const int royalty = out_.hands[winner].royalties[row] * royalty_factor(rules_, pair.factor);
            pair.royalties += sign * (doubled(a, b, row) ? 2 * royalty : royalty);
        }
        if (winner == a) pair.own_royalties = pair.royalties;
    }

    void score_rows(std::size_t a, std::size_t b, PairScore& pair) const {
        pair.results = results(a, b);
        const int won = rows_won(pair.results);
        const int lost = rows_lost(pair.results);
        if (won == 3 || lost == 3) { pair.factor = scoop_factor(rules_) * (home_run_[won == 3 ? a : b] ? 2 : 1); }
        pair.rows = row_points(rules_, pair.results) * pair.factor;
        for (std::size_t row = 0; row < row_count; ++row) {
            const int of_a = paid_royalty(a, b, row);
            const int of_b = paid_royalty(b, a, row);
            pair.royalties += royalty_points(rules_, of_a, of_b, pair.results[row], doubled(a, b, row));
            pair.own_royalties += royalty_points(rules_, of_a, 0, pair.results[row], doubled(a, b, row));
        }
        pair.royalties *= royalty_factor(rules_, pair.factor);
        pair.own_royalties *= royalty_factor(rules_, pair.factor);
    }

    // Royalty of hand i's row, unless the opponent's row offends and offending rows pay none.
    int paid_royalty(std::size_t i, std::size_t against, std::size_t row) const {
        const bool offends = (out_.hands[against].offending >> row & 1U) != 0;
        return offends && rules_.foul_pays_royalties == 0 ? 0 : out_.hands[i].royalties[row];
    }

    bool doubled(std::size_t a, std::size_t b, std::size_t row) const {
        return rules_.deuce_of_spades != 0 && (deuce_row(hands_[a].cards.data()) == row || deuce_row(hands_[b].cards.data()) == row);
    }

    // first_to_11: one point for the best row at the table, none on a tie; all three rows among four players make 4.
    void table_points() const {
        for (std::size_t row = 0; row < row_count; ++row) {
            std::size_t best = max_hands;
            bool tied = false;
            for (std::size_t i = 0; i < count_; ++i) {
                if (!is_board(i) || dead(i) || (out_.hands[i].offending >> row & 1U) != 0) continue;
                if (best == max_hands || compared(i)[row] > compared(best)[row]) {
                    best = i;
                    tied = false;
                } else if (compared(i)[row] == compared(best)[row]) {
                    tied = true;
                }
            }
            if (best != max_hands && !tied) ++out_.hands[best].table_points;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            if (count_ == 4 && out_.hands[i].table_points == 3) out_.hands[i].table_points = 4;
        }
    }

    const RulesTable& rules_;
    const Hand* hands_;
    std::size_t count_;
    DealScore& out_;
    const RowValues* known_;
    std::array<bool, max_hands> home_run_{};
};

}  // namespace

namespace detail {

HandScore score_hand(const RulesTable& rules, const Hand& hand, const RowValues* known) {
    const Card* cards = hand.cards.data();
    HandScore score;
    const bool shows = hand.kind == HandKind::board && shows_natural(rules, cards);
    if (shows || hand.kind == HandKind::natural) score.natural = best_natural(rules, cards);
    if (shows || (hand.kind != HandKind::board && hand.kind != HandKind::dead)) return score;
    score.rows = known != nullptr ? *known : board_values(rules, cards);
    score.offending = hand.kind == HandKind::dead ? all_rows_mask : offending_rows(rules, score.rows);
    if (score.offending == 0 || rules.foul_rows != 0) {
        score.royalties = row_royalties(rules, score.rows, score.offending, hand.declared, rules.broken_up != 0 ? broken_up_royalty(rules, cards) : 0);
    }
    if (score.offending == 0) {
        score.next_fantasyland = next_fantasyland(rules, score.rows, score.royalties, hand.fantasyland_cards, hand.fantasyland_in_row);
    }
    return score;
}

}  // namespace detail

void score_deal(const RulesTable& rules, const Hand* hands, std::size_t count, DealScore& out, const RowValues* known) {
    DealScorer(rules, hands, count, out, known).run();
}

}  // namespace triptych
