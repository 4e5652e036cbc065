// Plays a deal to its end from a decision on, with one random order of the unseen cards: the others' streets, and the searching
// player's streets after a placement. Everyone chooses by the learned value; the hand that acts last knows every board and takes
// the end that pays most.
//
// The others' choices do not depend on the placement that is tried (except for its discard, which they do not see), so they are
// made once per order and shared by all placements. The others see no discards of the searching player. Its discards of later
// streets, and of this one, are unknown before they are placed: any card of the street stands for them.
//
// An order can be played in several rotations: the cards of the later streets are rotated between the hands. Each rotation is
// a deal like any other. Luck for one hand is bad luck for the next, so the mean over the rotations has far less variance than
// the mean of as many deals, and the streets before are played only once.
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

// Mean change of the searching player's points when others respond to a first street by a search instead of the learned value
// (bench/answers.py), by number of hands and of responders: rows, royalties, fouls, fantasylands.
struct FirstStreetCorrections {
    static constexpr std::size_t parts = 4;
    static constexpr std::size_t count = max_hands * (max_hands - 1) / 2;
    using Correction = std::array<float, parts>;

    std::array<Correction, count> correction{};  // zero where it was not measured

    const Correction& of(std::size_t hands, std::size_t responders) const { return correction[(hands - 1) * (hands - 2) / 2 + responders - 1]; }
};

struct SearchTask {
    std::array<KnownHand, max_hands> hands{};
    std::size_t count = 2;
    std::size_t me = 0;
    std::size_t street = 0;
    std::array<Card, max_fantasyland_cards> cards{};  // of the street, or of a whole fantasyland
    CardSet unseen = 0;                               // cards that the player does not see
    FantasylandValues fantasyland_values{};
    std::array<float, max_streets> temperature{};  // of others' choices, by street; 0: no belief
    FirstStreetCorrections first_street_corrections;
    StackLimits stacks{};  // by hand
};

class Rollout {
public:
    Rollout(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths), last_draw_(rules, strengths, value.weights(), true), setter_(rules) {}

    // The hand that acts last and so sees every board; `count` = none, or a fantasyland hides a board.
    std::size_t last_to_act(const SearchTask& task) const {
        std::size_t last = task.count;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (task.hands[h].board.complete()) continue;
            if (task.hands[h].fantasyland_cards > 0) return task.count;
            last = h;
        }
        return last;
    }

    // Shuffles the unseen cards and plays the other hands by them. `discarded`: the others' discards. `rotate_hands`: plays as many
    // rotations as hands still draw, else one. `track_luck`: records the luck of the last draws.
    void deal_out(const SearchTask& task, Random& random, const std::array<CardSet, max_hands>& discarded = {}, bool rotate_hands = false,
                  bool track_luck = false);

    // All finished hands after the searching player's placement.
    std::array<KnownHand, max_hands> finish(const SearchTask& task, const Placement& placement) {
        return finish(task, placement, [](std::size_t, const BoardInPlay&) {});
    }

    // `visit(street, board)` for the searching player's board after each street. For an order with one rotation.
    template <typename Visit>
    std::array<KnownHand, max_hands> finish(const SearchTask& task, const Placement& placement, const Visit& visit) {
        std::array<KnownHand, max_hands> hands = start_.hands;
        last_draw_luck_[task.me] = 0;
        BoardInPlay& own = hands[task.me].board;
        own.place(placement, task.cards.data(), shape_.dealt[task.street]);
        visit(task.street, std::as_const(own));
        play_own(task, start_, hands, task.street + 1, shape_.streets, visit);
        play_last(task, start_, hands);
        return hands;
    }

    // `visit(hands)` with all finished hands, for every rotation.
    template <typename Visit>
    void finish_turns(const SearchTask& task, const Placement& placement, const Visit& visit) {
        const auto no_visit = [](std::size_t, const BoardInPlay&) {};
        if (turns_ == 1) return visit(finish(task, placement, no_visit));
        last_draw_luck_[task.me] = 0;
        std::array<KnownHand, max_hands> hands = start_.hands;
        BoardInPlay& own = hands[task.me].board;
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

    // Luck of a hand's last draws by the learned weights of its own board: points above the mean of all possible draws, summed over
    // the rotations; of the searching player, as played latest. Its mean is zero, whatever was dealt before.
    float last_draw_luck(std::size_t h) const { return last_draw_luck_[h]; }

    // Learned value of the searching player's board after a later street but the last, as played latest.
    float worth(std::size_t street) const { return worth_[street]; }

    // The live cards, and those that a hand is dealt in a rotation.
    CardSet to_come() const { return to_come_; }
    CardSet drawn(std::size_t turn, std::size_t h) const { return (turns_ == 1 ? start_ : by_turn_[turn]).own[h] & ~discarded_[h]; }

    // The other hands: finished or, for the hand that acts last, up to its last street.
    const std::array<KnownHand, max_hands>& others() const { return start_.hands; }
    const Card* last_cards() const { return start_.last; }  // of the hand that acts last; null where that is the searching player
    CardSet used() const { return used_; }                  // cards that went to the other hands

private:
    // A deal played so far, and the cards still to come for the searching player and the hand that acts last.
    struct PartialDeal {
        std::array<KnownHand, max_hands> hands{};
        std::array<CardSet, max_hands> own{};  // cards that a hand was dealt or discarded
        CardSet placed_by_others = 0;          // cards that others have placed
        CardSet placed_later = 0;              // cards that the searching player places on later streets
        std::array<const Card*, max_streets> own_street{};
        std::vector<LiveCards> live;  // what the searching player has not seen, by street after this one
        const Card* last = nullptr;
        std::vector<FinishedPlacement> finishes;  // of that hand, computed on first use
    };

    // Whether a hand still has to set a fantasyland.
    static bool sets_fantasyland(const SearchTask& task, std::size_t h) {
        return h != task.me && task.hands[h].fantasyland_cards > 0 && !task.hands[h].board.complete();
    }

    // Whether a hand draws cards on a street.
    bool is_dealt(const SearchTask& task, std::size_t h, std::size_t street) const {
        return task.hands[h].fantasyland_cards == 0 && task.hands[h].streets_done <= street && (h != task.me || street != task.street);
    }

    std::size_t dealt_to(const SearchTask& task, std::size_t street) const {
        std::size_t count = 0;
        for (std::size_t h = 0; h < task.count; ++h) count += is_dealt(task, h, street) ? 1 : 0;
        return count;
    }

    // The searching player's hidden cards: discards, or a whole fantasyland.
    CardSet hidden_cards(const SearchTask& task, Random& random) const;

    // Plays the streets `from` to `to` - 1 of all other hands; in rotation `turn` each hand gets the cards of the hand so many places on.
    void play_others(const SearchTask& task, PartialDeal& deal, std::size_t from, std::size_t to, std::size_t turn, std::size_t& next);

    // Plays the searching player's streets.
    template <typename Visit>
    void play_own(const SearchTask& task, const PartialDeal& deal, std::array<KnownHand, max_hands>& hands, std::size_t from, std::size_t to,
                  const Visit& visit) {
        BoardInPlay& own = hands[task.me].board;
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

    // Plays the last street of the hand that acts last.
    void play_last(const SearchTask& task, PartialDeal& deal, std::array<KnownHand, max_hands>& hands) const {
        if (last_ == task.count || last_ == task.me || deal.last == nullptr) return;
        BoardInPlay& board = hands[last_].board;
        if (deal.finishes.empty()) list_finishes(board, deal.last, deal.finishes);
        finish(board, best_finish(task, hands, last_, deal.finishes), deal.last);
    }

    void add_luck(std::size_t h, const BoardInPlay& board, const Card* cards) {
        if (track_luck_) last_draw_luck_[h] += static_cast<float>(last_draw_.luck(board, last_cards_, cards));
    }

    // Plays a street by the learned value; `live()`: the cards that the hand has not seen.
    template <typename Live>
    Placement place_street(BoardInPlay& board, const Card* cards, std::size_t street, const Live& live, float* worth = nullptr) {
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

    void finish(BoardInPlay& board, const FinishedPlacement& finished, const Card* cards) const {
        board.place(finished.placement, cards, shape_.dealt[shape_.streets - 1]);
        board.values = finished.rows;
    }

    void list_finishes(const BoardInPlay& board, const Card* cards, std::vector<FinishedPlacement>& finishes) const {
        const std::size_t street = shape_.streets - 1;
        finishes.clear();
        FinishedBoards(rules_, board, cards, shape_.dealt[street]).each(shape_.placed[street], [&](const FinishedPlacement& finished) {
            finishes.push_back(finished);
        });
    }

    // The finish that pays most for a hand that sees all other boards finished.
    const FinishedPlacement& best_finish(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t h,
                                         const std::vector<FinishedPlacement>& finishes) const;

    // What the boards of a deal owe each other by pair, and the values of their fantasylands.
    struct PairDues {
        DueList points{};
        StackList fantasyland{};
    };

    // For all hands except the `excluded` one, whose board is not finished.
    PairDues dues_between(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t excluded) const;

    // Writes what a hand receives from each of its opponents, in their order.
    void set_dues(const SearchTask& task, DueList& points, std::size_t h, const std::array<double, max_opponents>& each) const;

    // Fantasyland hands are set for most royalties and repeat value. Their cards come from the end of the order, so that they do
    // not depend on the placement.
    void set_fantasylands(const SearchTask& task, std::size_t size, std::size_t dealt);

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    std::array<Card, deck_size + 2> order_{};
    PartialDeal start_;                           // up to where rotations differ, or to the end
    std::array<PartialDeal, max_hands> by_turn_;  // by rotation, from there on
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
    std::size_t street_cards_ = 0;  // cards of the order that are dealt on streets
    CardSet last_cards_ = 0;        // that last draws come from
    std::array<float, max_hands> last_draw_luck_{};
    LastDrawValue last_draw_;
    FantasylandPolicy setter_;
};

}  // namespace triptych::learn
