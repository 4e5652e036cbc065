// A deal played to its end from a decision on: one random order of the unseen cards, what the other players do with
// it, and the searching player's streets after a placement. Everyone chooses by the learned value; the hand that
// acts last of all knows every board and takes the best that the rules pay.
//
// The others' choices do not depend on the placement that is tried (its discard apart, a card that they do not see),
// so they are made once an order and shared by all placements. They see no card that the searching player discards; which
// one of a street that is, and of the one in question, is not known before it is placed: any of its cards is taken.
//
// An order may be played in several turns: the cards of the later streets go round, so that in each turn every hand gets
// those that its neighbour had in the one before. Each turn by itself is a deal like any other; what is luck for one hand
// is bad luck for the next, so that the mean over the turns varies far less than that of as many deals, and what comes
// before those streets is played once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "triptych/learn/fantasyland_policy.hpp"
#include "triptych/learn/last_draw_value.hpp"
#include "triptych/learn/stack_limits.hpp"

namespace triptych::learn {

// What others who answer a first street by a search instead of the learned choice change of the searching player's points
// (bench/answers.py), by how many hands play and how many of them answer: rows, royalties, fouls, fantasylands.
struct FirstStreetCorrections {
    static constexpr std::size_t parts = 4;
    static constexpr std::size_t count = max_hands * (max_hands - 1) / 2;
    using Correction = std::array<float, parts>;

    std::array<Correction, count> correction{};  // nothing where it was not measured

    const Correction& of(std::size_t hands, std::size_t responders) const { return correction[(hands - 1) * (hands - 2) / 2 + responders - 1]; }
};

struct SearchTask {
    std::array<KnownHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    std::array<Card, max_land_cards> cards{};  // of the street, or of a whole fantasyland
    CardSet unseen = 0;  // cards that the player does not see
    FantasylandValues land_value{};
    std::array<float, max_streets> temperature{};  // of what others choose, by street; 0: nothing is believed of it
    FirstStreetCorrections first_street_corrections;
    StackLimits stacks{};  // by hand
};

class Rollout {
public:
    Rollout(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), last_draw_(rules, strengths, value.weights(), true), setter_(rules) {}

    // The hand that acts last of all and so sees every board; `count` = none, or one that a fantasyland hides.
    std::size_t last_to_act(const SearchTask& task) const {
        std::size_t last = task.count;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (task.hands[h].board.complete()) continue;
            if (task.hands[h].land_cards > 0) return task.count;
            last = h;
        }
        return last;
    }

    // Puts the unseen cards into an order and plays the other hands by it; `discarded`: cards that they discarded;
    // `rotate_hands`: in as many turns as hands are still dealt cards, else in one. `track_luck`: what was luck of the last draws is noted.
    void deal_out(const SearchTask& task, Random& random, const std::array<CardSet, max_hands>& discarded = {}, bool rotate_hands = false, bool track_luck = false);

    // All hands after the searching player's placement has been played to the end by the order.
    std::array<KnownHand, max_hands> finish(const SearchTask& task, const Placement& placement) {
        return finish(task, placement, [](std::size_t, const PlayedBoard&) {});
    }

    // `visit(street, board)`: the searching player's board after each street. Of an order that is played in one turn.
    template <typename Visit>
    std::array<KnownHand, max_hands> finish(const SearchTask& task, const Placement& placement, const Visit& visit) {
        std::array<KnownHand, max_hands> hands = start_.hands;
        last_draw_luck_[task.me] = 0;
        PlayedBoard& own = hands[task.me].board;
        own.place(placement, task.cards.data(), shape_.dealt[task.street]);
        visit(task.street, std::as_const(own));
        play_own(task, start_, hands, task.street + 1, shape_.streets, visit);
        play_last(task, start_, hands);
        return hands;
    }

    // The same for every turn of the order: `visit(hands)`: all of them, finished.
    template <typename Visit>
    void finish_turns(const SearchTask& task, const Placement& placement, const Visit& visit) {
        const auto no_visit = [](std::size_t, const PlayedBoard&) {};
        if (turns_ == 1) return visit(finish(task, placement, no_visit));
        last_draw_luck_[task.me] = 0;
        std::array<KnownHand, max_hands> hands = start_.hands;
        PlayedBoard& own = hands[task.me].board;
        own.place(placement, task.cards.data(), shape_.dealt[task.street]);
        play_own(task, start_, hands, task.street + 1, fork_, no_visit);
        for (std::size_t turn = 0; turn < turns_; ++turn) {
            std::array<KnownHand, max_hands> hands_of_turn = by_turn_[turn].hands;
            hands_of_turn[task.me].board = own;
            play_own(task, by_turn_[turn], hands_of_turn, fork_, shape_.streets, no_visit);
            play_last(task, by_turn_[turn], hands_of_turn);
            visit(hands_of_turn);
        }
    }

    std::size_t turns() const { return turns_; }

    // What a hand's last draws brought more than all that might have come then, by the learned weights of its own board: the sum
    // over the turns, of the searching player as played latest. Whatever was dealt before, its mean is zero.
    float last_draw_luck(std::size_t h) const { return last_draw_luck_[h]; }

    // What the learned value said of the searching player's board after a later street but the last, as it was played latest.
    float worth(std::size_t street) const { return worth_[street]; }

    // The cards that may come, and those that a hand is dealt in a turn.
    CardSet to_come() const { return to_come_; }
    CardSet drawn(std::size_t turn, std::size_t h) const { return (turns_ == 1 ? start_ : by_turn_[turn]).own[h] & ~discarded_[h]; }

    // The other hands as the order left them: finished, or, for the one that acts last of all, up to its last street.
    const std::array<KnownHand, max_hands>& others() const { return start_.hands; }
    const Card* last_cards() const { return start_.last; }  // of the hand that acts last, where it is another one; else null
    CardSet used() const { return used_; }             // cards that went to the other hands

private:
    // A deal as far as it was played, and what its order still holds for the searching player and for the hand that acts last.
    struct PartialDeal {
        std::array<KnownHand, max_hands> hands{};
        std::array<CardSet, max_hands> own{};  // cards that a hand was dealt or discarded
        CardSet placed_by_others = 0;                      // cards that others have placed
        CardSet placed_later = 0;                     // cards that the searching player places on later streets
        std::array<const Card*, max_streets> own_street{};
        std::vector<LiveCards> live;  // what the searching player has not seen, by street after this one
        const Card* last = nullptr;
        std::vector<FinishedPlacement> finishes;   // of that hand, found when first asked
    };

    // Whether a hand is dealt a fantasyland that is still to be set.
    static bool sets_fantasyland(const SearchTask& task, std::size_t h) {
        return h != task.me && task.hands[h].land_cards > 0 && !task.hands[h].board.complete();
    }

    // Whether a hand is still dealt cards on a street.
    bool is_dealt(const SearchTask& task, std::size_t h, std::size_t street) const {
        return task.hands[h].land_cards == 0 && task.hands[h].streets_done <= street && (h != task.me || street != task.street);
    }

    std::size_t dealt_to(const SearchTask& task, std::size_t street) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += is_dealt(task, h, street) ? 1 : 0;
        return count;
    }

    // The searching player's cards that the others do not see: discards, or a whole fantasyland.
    CardSet hidden_cards(const SearchTask& task, Random& random) const;

    // The streets `from` … before `to` of all other hands; in a `turn` each gets the cards of the one so many behind it.
    void play_others(const SearchTask& task, PartialDeal& deal, std::size_t from, std::size_t to, std::size_t turn, std::size_t& next);

    // The searching player's own streets.
    template <typename Visit>
    void play_own(const SearchTask& task, const PartialDeal& deal, std::array<KnownHand, max_hands>& hands, std::size_t from, std::size_t to, const Visit& visit) {
        PlayedBoard& own = hands[task.me].board;
        for (std::size_t street = from; street < to; ++street) {
            const Card* cards = deal.own_street[street];
            if (street + 1 == shape_.streets) add_luck(task.me, own, cards);
            if (street + 1 == shape_.streets && last_ == task.me) {
                list_finishes(own, cards, finishes_);
                finish(own, best_finish(task, hands, task.me, finishes_), cards);
            } else {
                place_street(own, cards, street, [&]() -> const LiveCards& { return deal.live[street - task.street - 1]; }, &worth_[street]);
            }
            visit(street, std::as_const(own));
        }
    }

    // The last street of another hand that sees every board.
    void play_last(const SearchTask& task, PartialDeal& deal, std::array<KnownHand, max_hands>& hands) const {
        if (last_ == task.count || last_ == task.me || deal.last == nullptr) return;
        PlayedBoard& board = hands[last_].board;
        if (deal.finishes.empty()) list_finishes(board, deal.last, deal.finishes);
        finish(board, best_finish(task, hands, last_, deal.finishes), deal.last);
    }

    void add_luck(std::size_t h, const PlayedBoard& board, const Card* cards) {
        if (track_luck_) last_draw_luck_[h] += static_cast<float>(last_draw_.luck(board, last_cards_, cards));
    }

    // A street by the learned choice; `live()`: what the hand has not seen.
    template <typename Live>
    Placement place_street(PlayedBoard& board, const Card* cards, std::size_t street, const Live& live, float* worth = nullptr) {
        const std::size_t dealt = shape_.dealt[street];
        if (street + 1 == shape_.streets) {
            const FinishedPlacement best = choose_final_placement(value_.weights(), rules_, strengths_, board, cards, dealt, shape_.placed[street]);
            finish(board, best, cards);
            return best.placement;
        }
        const Placement placement = greedy(value_, rules_, strengths_, shape_, street, board, cards, live(), worth);
        board.place(placement, cards, dealt);
        return placement;
    }

    void finish(PlayedBoard& board, const FinishedPlacement& finished, const Card* cards) const {
        board.place(finished.placement, cards, shape_.dealt[shape_.streets - 1]);
        board.values = finished.rows;
    }

    void list_finishes(const PlayedBoard& board, const Card* cards, std::vector<FinishedPlacement>& finishes) const {
        const std::size_t street = shape_.streets - 1;
        finishes.clear();
        FinishedBoards(rules_, board, cards, shape_.dealt[street]).each(shape_.placed[street], [&](const FinishedPlacement& finished) { finishes.push_back(finished); });
    }

    // Of the `finishes` of a hand that sees all other boards finished.
    const FinishedPlacement& best_finish(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t h, const std::vector<FinishedPlacement>& finishes) const;

    // What the boards of a deal owe each other by pair, and what their fantasylands are worth.
    struct PairDues {
        DueList points{};
        StackList land{};
    };

    // Of all hands but one, whose board is not finished.
    PairDues dues_between(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t excluded) const;

    // Writes what a hand receives from each of its opponents, who come in their order.
    void set_dues(const SearchTask& task, DueList& points, std::size_t h, const std::array<double, max_opponents>& each) const;

    // Fantasyland hands set their cards for most royalties and repeat value, from the order's end, so that they do not
    // depend on the placement.
    void set_fantasylands(const SearchTask& task, std::size_t size, std::size_t dealt);

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    std::array<Card, deck_size + 2> order_{};
    PartialDeal start_;                           // to where the turns part, or to the end
    std::array<PartialDeal, max_hands> by_turn_;  // from there on
    CardSet to_come_ = 0;
    CardSet unseen_by_others_ = 0;  // at first
    std::array<CardSet, max_hands> discarded_{};
    std::size_t fork_ = 0;
    std::size_t turns_ = 1;
    std::array<float, max_streets> worth_{};
    std::size_t last_ = 0;
    CardSet used_ = 0;
    std::vector<FinishedPlacement> finishes_;  // of the searching player, where it acts last of all
    bool track_luck_ = false;
    std::size_t street_cards_ = 0;  // cards of the order that are no fantasyland's
    CardSet last_cards_ = 0;          // of which the last draws come
    std::array<float, max_hands> last_draw_luck_{};
    LastDrawValue last_draw_;
    FantasylandPolicy setter_;
};

}  // namespace triptych::learn
