// What every placement of a street is worth: all players' rollouts with the learned choice, the same cards for every
// placement (common random numbers), most of them spent on the best ones (sequential halving; Karnin et al. 2013).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "triptych/completion.hpp"
#include "triptych/learn/selfplay.hpp"

namespace triptych::learn {

// One hand as the searching player sees it. A hand in fantasyland has nothing on its board yet.
struct SearchHand {
    PlayedBoard board;
    std::size_t streets_done = 0;
    std::uint8_t land_cards = 0;
    std::uint8_t land_in_row = 0;
};

struct SearchTask {
    std::array<SearchHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    std::array<Card, max_street_cards> cards{};
    CardSet unseen = 0;  // cards that the player does not see
    std::array<float, most_land_cards + 1> land_value{};  // points from each opponent, by cards of the next fantasyland
};

// Sums over rollouts of one placement; points are the searching player's.
struct Candidate {
    Placement placement;
    float prior = 0;
    std::uint64_t rollouts = 0;
    double points = 0;
    double squares = 0;
    double rows = 0;
    double royalties = 0;
    double other = 0;  // fouls
    double land = 0;
    std::uint64_t fouls = 0;
    std::uint64_t lands = 0;

    void forget() { *this = Candidate{placement, prior}; }
    double mean() const { return points / static_cast<double>(rollouts); }
    double error() const {
        const auto n = static_cast<double>(rollouts);
        return rollouts < 2 ? std::numeric_limits<double>::infinity() : std::sqrt(std::max(0.0, squares / n - mean() * mean()) / (n - 1));
    }
};

class Search {
public:
    Search(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths) {}

    // All placements of the street, by the learned value, best first.
    std::vector<Candidate> candidates(const SearchTask& task) const {
        const SearchHand& mine = task.hands[task.me];
        const std::size_t dealt = shape_.dealt[task.street];
        const std::size_t placed = shape_.placed[task.street];
        const bool last = task.street + 1 == shape_.streets;
        const LiveCards live(task.unseen);
        const RowTable table(value_, mine.board.rows, task.cards.data(), last ? 0 : dealt, live);
        std::vector<Candidate> found;
        for (const Placement& placement : placements(dealt, placed)) {
            if (!fits(mine.board.rows, placement)) continue;
            Candidate candidate;
            candidate.placement = placement;
            if (last) {
                PlayedBoard done = mine.board;
                done.place(placement, task.cards.data(), dealt);
                candidate.prior = dot(value_.weights(), final_outcome(rules_, strengths_, done.cards.data()).data());
            } else {
                candidate.prior = table.points(value_, placement);
            }
            found.push_back(candidate);
        }
        std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.prior > b.prior; });
        return found;
    }

    // The same number of rollouts for each of the first `width` candidates, in their order. Runs of one seed go on
    // where the last one ended, so slices add up to one long run.
    void measure(const SearchTask& task, std::vector<Candidate>& field, std::size_t width, std::uint64_t each,
                 std::uint64_t seed, std::uint64_t first) {
        for (std::uint64_t i = 0; i < each; ++i) {
            Random random(seed, first + i);
            deal_out(task, random);
            for (std::size_t c = 0; c < std::min(width, field.size()); ++c) rollout(task, field[c], random);
        }
    }

    // Puts those first that may still be the best: by the upper end of their intervals.
    static void focus(std::vector<Candidate>& field) {
        std::stable_sort(field.begin(), field.end(), [](const Candidate& a, const Candidate& b) {
            return a.mean() + 2 * a.error() > b.mean() + 2 * b.error();
        });
    }

    // Spends `rollouts` on the `width` best candidates, halving the field while the best are told apart; best first.
    void run(const SearchTask& task, std::vector<Candidate>& field, std::size_t width, std::uint64_t rollouts,
             std::uint64_t seed) {
        std::size_t left = std::min(width, field.size());
        if (left == 0) return;
        const auto rounds = static_cast<std::uint64_t>(std::max(1, static_cast<int>(std::bit_width(left - 1))));
        std::uint64_t stream = 0;
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const std::uint64_t each = std::max<std::uint64_t>(1, rollouts / rounds / left);
            for (std::uint64_t i = 0; i < each; ++i) {
                Random random(seed, stream++);
                deal_out(task, random);
                for (std::size_t c = 0; c < left; ++c) rollout(task, field[c], random);
            }
            std::stable_sort(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(left),
                             [](const Candidate& a, const Candidate& b) { return a.mean() > b.mean(); });
            if (round + 1 < rounds) left = std::max<std::size_t>(2, (left + 1) / 2);
        }
    }

private:
    // Puts the unseen cards into one random order that all candidates share.
    void deal_out(const SearchTask& task, Random& random) {
        order_size_ = 0;
        for (CardSet left = task.unseen; left != 0; left &= left - 1) order_[order_size_++] = static_cast<Card>(std::countr_zero(left));
        for (std::size_t i = order_size_; i > 1; --i) std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
        lands_ready_ = false;
    }

    void rollout(const SearchTask& task, Candidate& candidate, Random& random) {
        std::array<SearchHand, max_hands> hands = task.hands;
        std::size_t next = 0;
        CardSet unseen = task.unseen;
        SearchHand& mine = hands[task.me];
        mine.board.place(candidate.placement, task.cards.data(), shape_.dealt[task.street]);
        mine.streets_done = task.street + 1;
        for (std::size_t street = task.street; street < shape_.streets; ++street) {
            for (std::size_t h = 0; h < task.count; ++h) {
                SearchHand& hand = hands[h];
                if (hand.land_cards > 0 || hand.streets_done > street) continue;
                const std::size_t dealt = shape_.dealt[street];
                const Card* cards = &order_[next];
                next += dealt;
                for (std::size_t i = 0; i < dealt; ++i) unseen &= ~bit(cards[i]);
                const Placement placement = choose(value_, rules_, strengths_, hand.board, cards, dealt, shape_.placed[street],
                                                   LiveCards(unseen), 0, random);
                hand.board.place(placement, cards, dealt);
                hand.streets_done = street + 1;
            }
        }
        set_lands(task, hands, next);
        settle(task, hands, candidate);
    }

    // Fantasyland hands set their cards for most royalties and repeat value; once for all candidates of an order, from
    // its end, so that they do not depend on the placement.
    void set_lands(const SearchTask& task, std::array<SearchHand, max_hands>& hands, std::size_t used) {
        std::size_t from_end = order_size_;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (hands[h].land_cards == 0 || h == task.me) continue;
            from_end -= hands[h].land_cards;
            if (from_end < used) return;  // cannot happen at a table whose deck suffices
            if (!lands_ready_) land_boards_[h] = set_land(task, hands[h], &order_[from_end]);
            hands[h].board.cards = land_boards_[h];
        }
        lands_ready_ = true;
    }

    std::array<Card, board_size> set_land(const SearchTask& task, const SearchHand& hand, const Card* cards) {
        Goal goal;
        goal.rules = &rules_;
        goal.land_cards = hand.land_cards;
        goal.land_in_row = hand.land_in_row;
        for (std::size_t n = 0; n <= most_land_cards; ++n) goal.land_value[n] = static_cast<double>(task.land_value[n]);
        const Pool pool = pool_of(cards, hand.land_cards);
        const Completion& best = completer_.solve(goal, FixedRows{}, pool);
        std::array<Card, board_size> board{};
        std::array<std::size_t, row_count> filled{};
        for (std::size_t i = 0; i < hand.land_cards; ++i) {
            for (std::size_t row = 0; row < row_count; ++row) {
                if ((best.masks[row] >> i & 1U) != 0) board[row_start[row] + filled[row]++] = pool.cards[i];
            }
        }
        if (!best.legal) std::copy_n(cards, board_size, board.begin());
        return board;
    }

    static Pool pool_of(const Card* cards, std::size_t count) {
        Pool pool;
        pool.count = count;
        std::copy_n(cards, count, pool.cards.begin());
        std::partition(pool.cards.begin(), pool.cards.begin() + count, [](Card card) { return !is_joker(card); });
        for (std::size_t i = 0; i < count; ++i) pool.jokers |= static_cast<std::uint32_t>(is_joker(pool.cards[i])) << i;
        return pool;
    }

    void settle(const SearchTask& task, const std::array<SearchHand, max_hands>& hands, Candidate& candidate) {
        std::array<Hand, max_hands> scored{};
        for (std::size_t h = 0; h < task.count; ++h) {
            scored[h] = {HandKind::board, 7, hands[h].land_cards, hands[h].land_in_row, static_cast<std::uint8_t>(h), hands[h].board.cards};
        }
        DealScore score;
        score_deal(rules_, scored.data(), task.count, score);
        double rows = 0;
        double royalties = 0;
        double other = 0;
        std::size_t pair = 0;
        for (std::size_t a = 0; a < task.count; ++a) {
            for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
                if (a != task.me && b != task.me) continue;
                const double sign = a == task.me ? 1 : -1;
                rows += sign * score.pairs[pair].rows;
                royalties += sign * score.pairs[pair].royalties;
                other += sign * score.pairs[pair].other;
            }
        }
        rows += score.hands[task.me].table_points;
        double land = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            const double worth = task.land_value[static_cast<std::size_t>(score.hands[h].next_land)];
            land += h == task.me ? worth * static_cast<double>(task.count - 1) : -worth;
        }
        const double points = rows + royalties + other + land;
        ++candidate.rollouts;
        candidate.points += points;
        candidate.squares += points * points;
        candidate.rows += rows;
        candidate.royalties += royalties;
        candidate.other += other;
        candidate.land += land;
        candidate.fouls += score.hands[task.me].offending != 0;
        candidate.lands += score.hands[task.me].next_land > 0;
    }

    const ValueTables& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const Strengths& strengths_;
    std::array<Card, deck_size + 2> order_{};
    std::size_t order_size_ = 0;
    bool lands_ready_ = false;
    std::array<std::array<Card, board_size>, max_hands> land_boards_{};
    Completer completer_;
};

}  // namespace triptych::learn
