// A field: hands of many deals as some strategy plays them. The best response to it is a strategy again.
//
// What the others can hold follows from the cards that are known: a hand of the field in each of its 24 suit
// permutations is as likely as any other, and those that need a known card are left out. That is exact for a field
// of random deals, because no rule but the deuce of spades tells suits apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "triptych/closed.hpp"

namespace triptych {

inline constexpr std::size_t suit_permutations = 24;

// What is known of a seat's hand: nothing, that it is no natural, that it plays its board.
enum class SeatState : std::uint8_t { unknown, undecided, plays };

class ClosedField {
public:
    // A surrendered hand comes with its board: it plays where the rules know no surrender.
    ClosedField(const RulesTable& rules, const std::vector<Hand>& hands) : rules_(rules) {
        std::array<int, suits> order = {0, 1, 2, 3};
        do permutations_.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        for (Hand hand : hands) {
            if (hand.kind == HandKind::surrender && rules.surrender_points == 0) hand.kind = HandKind::board;
            if (hand.kind == HandKind::natural && best_natural(rules, hand.cards.data()).entry < 0) continue;
            add(hand);
        }
        pool_.sort();
    }

    const RulesTable& rules() const { return rules_; }
    const ClosedPool& pool() const { return pool_; }

    // Hands that can be dealt beside the known cards, each as often as it has fitting suits. `own` is used alone when
    // all known cards leave too few.
    void draw(CardSet own, CardSet known, SeatState state, std::vector<std::uint32_t>& out) const {
        find(own | known, state, out);
        if (out.size() < enough && known != 0) find(own, state, out);
        if (out.empty()) find(0, state, out);
    }

private:
    static constexpr std::size_t enough = 256;

    struct Suited {
        std::array<CardSet, suit_permutations> cards;
        HandKind kind;
        std::uint32_t first;  // in the pool
    };

    void add(const Hand& hand) {
        Suited suited{{}, hand.kind, static_cast<std::uint32_t>(pool_.hands.size())};
        ClosedHand made = closed_hand(rules_, hand);
        for (std::size_t i = 0; i < suit_permutations; ++i) {
            CardSet set = 0;
            for (Card card : hand.cards) set |= bit(moved(card, i));
            suited.cards[i] = set;
        }
        suited_.push_back(suited);
        const std::size_t copies = variants();
        for (std::size_t suit = 0; suit < copies; ++suit) {
            if (copies > 1) made.deuce = deuce_of_suit(hand, static_cast<int>(suit));
            pool_.hands.push_back(made);
        }
    }

    Card moved(Card card, std::size_t permutation) const {
        if (is_joker(card)) return card;
        return static_cast<Card>(rank_of(card) * suits + permutations_[permutation][static_cast<std::size_t>(suit_of(card))]);
    }

    // One copy of a hand for each suit that may become spades, where the deuce of spades counts.
    std::size_t variants() const { return rules_.deuce_of_spades != 0 ? suits : 1; }

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
        for (const Suited& suited : suited_) {
            if (state != SeatState::unknown && suited.kind == HandKind::natural) continue;
            if (state == SeatState::plays && suited.kind == HandKind::surrender) continue;
            for (std::size_t i = 0; i < suit_permutations; ++i) {
                if ((suited.cards[i] & known) != 0) continue;
                out.push_back(suited.first + (variants() > 1 ? spades_from(i) : 0));
            }
        }
    }

    std::uint32_t spades_from(std::size_t permutation) const {
        const auto& to = permutations_[permutation];
        return static_cast<std::uint32_t>(std::find(to.begin(), to.end(), suits - 1) - to.begin());
    }

    RulesTable rules_;
    ClosedPool pool_;
    std::vector<Suited> suited_;
    std::vector<std::array<int, suits>> permutations_;
};

// One decision against a field: draws what the others can hold, and answers by the best response.
class ClosedStrategy {
public:
    explicit ClosedStrategy(const ClosedField& field) : field_(&field) {}

    // Takes what is known; `states` = the seats that are still in.
    void face(CardSet own, CardSet known, const std::vector<SeatState>& states) {
        std::array<std::size_t, 3> counts{};
        for (SeatState state : states) ++counts[static_cast<std::size_t>(state)];
        stakes_.clear();
        seats_.clear();
        for (std::size_t state = 0; state < counts.size(); ++state) {
            if (counts[state] == 0) continue;
            field_->draw(own, known, static_cast<SeatState>(state), drawn_);
            const std::size_t copies = together() ? counts[state] : 1;
            for (std::size_t i = 0; i < copies; ++i) {
                seats_.push_back(drawn_);
                stakes_.push_back(together() ? 1.0 : static_cast<double>(counts[state]));
            }
        }
        mix();
        table_.set(field_->rules(), field_->pool(), seats_, stakes_);
    }

    const ClosedTable& table() const { return table_; }
    ClosedSolver& solver() { return solver_; }

    struct Decision {
        HandKind kind = HandKind::board;
        ClosedSetting setting;
        double points = 0;
    };

    // Sets 13 cards against `seats` opponents of whom nothing is known; takes a natural and gives up where that pays.
    Decision decide(const Card* cards, std::size_t seats) {
        CardSet own = 0;
        for (std::size_t i = 0; i < board_size; ++i) own |= bit(cards[i]);
        face(own, 0, std::vector<SeatState>(seats, SeatState::unknown));
        const ClosedValue& best = solver_.best(table_, cards);
        Decision decision{HandKind::board, best.setting, best.points};
        const RulesTable& rules = field_->rules();
        if (rules.surrender_points > 0) {
            const double points = solver_.absent(table_, table_.surrender());
            if (points > decision.points) decision.kind = HandKind::surrender, decision.points = points;
        }
        const HeldNatural held = rules.natural_count > 0 ? best_natural(rules, cards) : HeldNatural{};
        if (held.entry >= 0) {
            const double points = solver_.absent(table_, table_.natural(held));
            if (points >= decision.points) decision.kind = HandKind::natural, decision.points = points;
        }
        return decision;
    }

private:
    // Whether the seats' hands matter together and not only pair by pair.
    bool together() const {
        const RulesTable& rules = field_->rules();
        return rules.home_run_doubles != 0 || static_cast<RowScoring>(rules.scoring) == RowScoring::first_to_11;
    }

    // Makes the seats equally long, and their hands of a sample independent of each other.
    void mix() {
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

    const ClosedField* field_;
    std::vector<std::uint32_t> drawn_;
    ClosedTable::Seats seats_;
    std::vector<double> stakes_;
    ClosedTable table_;
    ClosedSolver solver_;
};

}  // namespace triptych
