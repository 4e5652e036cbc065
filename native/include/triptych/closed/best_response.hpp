// A hand pool: hands of many deals as some strategy plays them. The best response to it is a strategy again.
//
// What the others can hold follows from the cards that are known: a hand of the pool in each of its 24 suit
// permutations is as likely as any other, and those that need a known card are left out. That is exact for a pool
// of random deals: no rule tells suits apart but the deuce of spades and suits that break ties, and for these a hand
// has a copy in the pool for every suit that may become spades, or for every permutation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "triptych/closed/solver.hpp"

namespace triptych {

inline constexpr std::size_t suit_permutations = 24;

// What is known of a seat's hand: nothing, that it is no natural, that it plays its board.
enum class SeatState : std::uint8_t { unknown, undecided, plays };

class HandPool {
public:
    // A surrendered hand comes with its board: it plays where the rules know no surrender.
    HandPool(const RulesTable& rules, const std::vector<Hand>& hands) : rules_(rules) {
        std::array<int, suits> order = {0, 1, 2, 3};
        for (auto& permutation : permutations_) {
            permutation = order;
            std::next_permutation(order.begin(), order.end());
        }
        for (std::size_t from = 0; from < suits; ++from) {
            for (unsigned blocked = 0; blocked < 16; ++blocked) {
                for (std::size_t i = 0; i < suit_permutations; ++i) {
                    const bool free = (blocked >> permutations_[i][from] & 1U) == 0;
                    fitting_[from][blocked] |= static_cast<std::uint32_t>(free) << i;
                }
            }
        }
        for (Hand hand : hands) {
            if (hand.kind == HandKind::surrender && rules.surrender_points == 0) hand.kind = HandKind::board;
            if (hand.kind != HandKind::natural && shows_natural(rules, hand.cards.data())) hand.kind = HandKind::natural;
            if (hand.kind == HandKind::natural && best_natural(rules, hand.cards.data()).entry < 0) continue;
            add(hand);
        }
        pool_.sort();
    }

    const RulesTable& rules() const { return rules_; }
    const OpponentHands& pool() const { return pool_; }

    // Hands that can be dealt with the known cards, each as often as it has fitting suits. `own` is used alone when
    // all known cards leave too few. Never empty unless the pool is.
    void draw(CardSet own, CardSet known, SeatState state, std::vector<std::uint32_t>& out) const {
        find(own | known, state, out);
        if (out.size() < min_hands && known != 0) find(own, state, out);
        if (out.empty()) find(0, state, out);
        if (out.empty()) find(0, SeatState::unknown, out);  // no hand of the pool fits what is known of the seat
    }

private:
    static constexpr std::size_t min_hands = 256;

    struct Suited {
        std::uint64_t lanes;
        HandKind kind;
        std::uint32_t first;  // in the pool
    };

    // The cards of a suit in 16 bits each: ranks, and jokers, which every suit has.
    static std::uint64_t lanes_of(CardSet set) {
        std::uint64_t lanes = (set >> first_joker) * 0x2000200020002000ULL;
        for (CardSet left = set & ((CardSet{1} << first_joker) - 1); left != 0; left &= left - 1) {
            const auto card = static_cast<Card>(std::countr_zero(left));
            lanes |= std::uint64_t{1} << (16 * suit_of(card) + rank_of(card));
        }
        return lanes;
    }

    void add(const Hand& hand) {
        suited_.push_back({lanes_of(set_of(hand.cards)), hand.kind, static_cast<std::uint32_t>(pool_.hands.size())});
        if (rules_.suit_ties != 0) return add_permuted(hand);
        ClosedHand closed = closed_hand(rules_, hand);
        const std::size_t copies = variants();
        for (std::size_t suit = 0; suit < copies; ++suit) {
            if (copies > 1) closed.deuce = deuce_of_suit(hand, static_cast<int>(suit));
            pool_.hands.push_back(closed);
        }
    }

    void add_permuted(const Hand& hand) {
        for (const auto& to : permutations_) {
            Hand other = hand;
            for (Card& card : other.cards) {
                if (!is_joker(card)) card = static_cast<Card>(rank_of(card) * suits + to[static_cast<std::size_t>(suit_of(card))]);
            }
            pool_.hands.push_back(closed_hand(rules_, other));
        }
    }

    std::size_t variants() const {
        if (rules_.suit_ties != 0) return suit_permutations;
        return rules_.deuce_of_spades != 0 ? suits : 1;
    }

    std::size_t variant(std::size_t permutation) const {
        if (rules_.suit_ties != 0) return permutation;
        return rules_.deuce_of_spades != 0 ? spades_from(permutation) : 0;
    }

    static std::uint8_t deuce_of_suit(const Hand& hand, int suit) {
        for (std::uint8_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < row_size[row]; ++i) {
                if (hand.cards[row_start[row] + i] == suit) return row;
            }
        }
        return row_count;
    }

    void find(CardSet known, SeatState state, std::vector<std::uint32_t>& out) const {
        out.clear();
        const std::uint64_t lanes = lanes_of(known);
        std::array<std::uint64_t, suits> taken{};  // a suit of the known cards, in every lane
        for (std::size_t suit = 0; suit < suits; ++suit) taken[suit] = (lanes >> 16 * suit & 0xFFFF) * 0x0001000100010001ULL;
        for (const Suited& suited : suited_) {
            if (state != SeatState::unknown && suited.kind == HandKind::natural) continue;
            if (state == SeatState::plays && suited.kind == HandKind::surrender) continue;
            for (std::uint32_t left = fitting(suited.lanes, taken); left != 0; left &= left - 1) {
                const auto permutation = static_cast<std::size_t>(std::countr_zero(left));
                out.push_back(suited.first + static_cast<std::uint32_t>(variant(permutation)));
            }
        }
    }

    // Suit permutations, one bit each, in which a hand has none of the taken cards.
    std::uint32_t fitting(std::uint64_t lanes, const std::array<std::uint64_t, suits>& taken) const {
        std::uint64_t blocked = 0;  // in the lane of each suit of the hand: the suits that it cannot become
        for (std::size_t suit = 0; suit < suits; ++suit) {
            const std::uint64_t met = ((lanes & taken[suit]) + 0x7FFF7FFF7FFF7FFFULL) & 0x8000800080008000ULL;
            blocked |= met >> (15 - suit);
        }
        return fitting_[0][blocked & 15] & fitting_[1][blocked >> 16 & 15] & fitting_[2][blocked >> 32 & 15] & fitting_[3][blocked >> 48];
    }

    std::uint32_t spades_from(std::size_t permutation) const {
        const auto& to = permutations_[permutation];
        return static_cast<std::uint32_t>(std::find(to.begin(), to.end(), suits - 1) - to.begin());
    }

    RulesTable rules_;
    OpponentHands pool_;
    std::vector<Suited> suited_;
    std::array<std::array<int, suits>, suit_permutations> permutations_{};
    std::array<std::array<std::uint32_t, 16>, suits> fitting_{};  // by suit of a hand and suits that it cannot become
};

// The best response to a hand pool: samples the hands that the others can hold, and solves.
class BestResponse {
public:
    explicit BestResponse(const HandPool& hand_pool) : hand_pool_(&hand_pool) {}

    // Takes what is known; `states` = the seats that are still in.
    void set_opponents(CardSet own, CardSet known, const std::vector<SeatState>& states) {
        std::array<std::size_t, 3> counts{};
        for (SeatState state : states) ++counts[static_cast<std::size_t>(state)];
        stakes_.clear();
        seats_.clear();
        for (std::size_t state = 0; state < counts.size(); ++state) {
            if (counts[state] == 0) continue;
            hand_pool_->draw(own, known, static_cast<SeatState>(state), drawn_);
            const std::size_t copies = seats_interact() ? counts[state] : 1;
            for (std::size_t i = 0; i < copies; ++i) {
                seats_.push_back(drawn_);
                stakes_.push_back(seats_interact() ? 1.0 : static_cast<double>(counts[state]));
            }
        }
        decorrelate();
        table_.set(hand_pool_->rules(), hand_pool_->pool(), seats_, stakes_);
    }

    const OpponentSamples& table() const { return table_; }
    ClosedSolver& solver() { return solver_; }

    struct Decision {
        HandKind kind = HandKind::board;
        ClosedSetting setting;
        double points = 0;
    };

    // Sets 13 cards against `seats` opponents of which it is known only that they hold none of the `known` cards;
    // takes a natural and gives up where that pays.
    Decision decide(const Card* cards, CardSet known, std::size_t seats) {
        set_opponents(set_of({cards, board_size}), known, std::vector<SeatState>(seats, SeatState::unknown));
        const ClosedValue& best = solver_.best(table_, cards);
        Decision decision{HandKind::board, best.setting, best.points};
        const RulesTable& rules = hand_pool_->rules();
        if (rules.surrender_points > 0) {
            const double points = solver_.value_without_board(table_, table_.surrender());
            if (points > decision.points) decision.kind = HandKind::surrender, decision.points = points;
        }
        const HeldNatural held = rules.natural_count > 0 ? best_natural(rules, cards) : HeldNatural{};
        if (held.entry >= 0) {
            const double points = solver_.value_without_board(table_, table_.natural(held));
            if (points >= decision.points) decision.kind = HandKind::natural, decision.points = points;
        }
        return decision;
    }

private:
    // Whether the seats' hands matter together and not only pair by pair.
    bool seats_interact() const {
        const RulesTable& rules = hand_pool_->rules();
        return rules.home_run_doubles != 0 || static_cast<RowScoring>(rules.scoring) == RowScoring::first_to_11;
    }

    // Makes the seats equally long, and their hands of a sample independent of each other.
    void decorrelate() {
        std::size_t samples = 0;
        for (const auto& seat : seats_) samples = std::max(samples, seat.size());
        for (std::size_t seat = 0; seat < seats_.size(); ++seat) {
            drawn_ = seats_[seat];
            std::size_t stride = seat == 0 ? 1 : samples * (seat == 1 ? 618 : 414) / 1000 + 1;
            while (std::gcd(stride, samples) != 1) ++stride;
            seats_[seat].resize(samples);
            for (std::size_t i = 0; i < samples; ++i) seats_[seat][i] = drawn_[i * stride % samples % drawn_.size()];
        }
    }

    const HandPool* hand_pool_;
    std::vector<std::uint32_t> drawn_;
    OpponentSamples::Seats seats_;
    std::vector<double> stakes_;
    OpponentSamples table_;
    ClosedSolver solver_;
};

}  // namespace triptych
