// Closed deals between two strategies: what one of them wins in the place of one player of the other.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "triptych/closed/best_response.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych {

// A deal's hands in deal order; the player of hand h is h modulo `players` (criss-cross: two hands each).
struct MatchShape {
    std::size_t players = 2;
    std::size_t hands = 2;
};

class StrategyMatch {
public:
    StrategyMatch(const HandPool& hand_pool, const HandPool& challenger, const MatchShape& shape)
        : rules_(hand_pool.rules()), own_(hand_pool), challenger_(challenger), shape_(shape) {}

    // Points that the rival wins with the cards of player `place` above what the strategy wins with them; under
    // first_to_11 points of its lead over the mean of the others. `cards` = 13 for each hand of the deal.
    double gain(const Card* cards, std::size_t place) {
        for (std::size_t h = 0; h < shape_.hands; ++h) seats_[h] = set(own_, cards, h);
        const double before = points(place);
        for (std::size_t h = place; h < shape_.hands; h += shape_.players) seats_[h] = set(challenger_, cards, h);
        return points(place) - before;
    }

private:
    // Points above surrender at which setting leaves no doubt about what to announce: a hand without a natural, or one
    // that has not given up, is a little stronger than an unknown one, but far from so much.
    static constexpr double clear_margin = 1.0;

    struct Seat {
        BestResponse* strategy = nullptr;
        HandKind kind = HandKind::board;
        bool undecided = false;
        std::array<Card, board_size> board{};
    };

    bool opponents(std::size_t a, std::size_t b) const {
        return play_each_other(rules_, a % shape_.players, b % shape_.players, (shape_.hands - 1) % shape_.players);
    }

    Seat set(BestResponse& strategy, const Card* cards, std::size_t h) const {
        const Card* own = cards + h * board_size;
        std::size_t opponent_count = 0;
        CardSet known = 0;
        for (std::size_t other = 0; other < shape_.hands; ++other) {
            if (opponents(h, other)) ++opponent_count;
            else if (other != h && other % shape_.players == h % shape_.players) known |= set_of({cards + other * board_size, board_size});
        }
        const BestResponse::Decision decision = strategy.decide(own, known, opponent_count);
        Seat seat{&strategy, decision.kind, true, board_of(decision.setting, own)};
        if (seat.kind == HandKind::board) { seat.undecided = decision.points < clear_margin - rules_.surrender_points * static_cast<double>(opponent_count); }
        return seat;
    }

    // Naturals are shown first; then each other hand in turn plays or gives up, knowing which ones did before it.
    void resolve_announcements() {
        CardSet shown_cards = 0;
        std::size_t setting = 0;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            if (seats_[h].kind == HandKind::natural) shown_cards |= set_of(seats_[h].board);
            else ++setting, seats_[h].kind = HandKind::board;
        }
        if (rules_.surrender_points == 0 || setting < 2) return;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            if (seats_[h].kind == HandKind::natural || !seats_[h].undecided) continue;
            std::vector<SeatState> states;
            std::size_t surrendered = 0;
            for (std::size_t other = 0; other < shape_.hands; ++other) {
                if (!opponents(h, other) || seats_[other].kind == HandKind::natural) continue;
                if (seats_[other].kind == HandKind::surrender) ++surrendered;
                else states.push_back(other < h ? SeatState::plays : SeatState::undecided);
            }
            if (!states.empty() && should_surrender(seats_[h], shown_cards, states, surrendered)) seats_[h].kind = HandKind::surrender;
        }
    }

    bool should_surrender(const Seat& seat, CardSet shown_cards, const std::vector<SeatState>& states, std::size_t surrendered) const {
        BestResponse& strategy = *seat.strategy;
        strategy.set_opponents(set_of(seat.board), shown_cards, states);
        const double plays = strategy.solver().value(strategy.table(), seat.board.data()).points;
        const double surrender = strategy.solver().value_without_board(strategy.table(), strategy.table().surrender());
        return plays + rules_.surrender_points * static_cast<double>(surrendered) < surrender;
    }

    double points(std::size_t place) {
        resolve_announcements();
        std::array<Hand, max_hands> hands{};
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            hands[h] = {seats_[h].kind, all_rows_mask, 0, 0, static_cast<std::uint8_t>(h % shape_.players), seats_[h].board};
        }
        DealScore score;
        score_deal(rules_, hands.data(), shape_.hands, score);
        double total = 0;
        std::size_t pair = 0;
        for (std::size_t a = 0; a < shape_.hands; ++a) {
            const bool mine = hands[a].owner == place;
            total += score.hands[a].table_points * (mine ? 1.0 : -1.0 / static_cast<double>(shape_.players - 1));
            for (std::size_t b = a + 1; b < shape_.hands; ++b, ++pair) {
                if (mine) total += score.pairs[pair].total();
                if (hands[b].owner == place) total -= score.pairs[pair].total();
            }
        }
        return total;
    }

    RulesTable rules_;
    BestResponse own_;
    BestResponse challenger_;
    MatchShape shape_;
    std::array<Seat, max_hands> seats_{};
};

// How a strategy plays many hands: of each its kind, the best board (a natural's cards as they are) and the points.
struct PlayColumns {
    std::uint8_t* kinds;
    Card* boards;
    double* points;
};

inline void play_hands(const HandPool& hand_pool, std::span<const Card> hands, std::size_t seats, const PlayColumns& out) {
    BestResponse strategy(hand_pool);
    for (std::size_t i = 0; i < hands.size() / board_size; ++i) {
        const Card* cards = hands.data() + i * board_size;
        const BestResponse::Decision decision = strategy.decide(cards, 0, seats);
        const auto board = board_of(decision.setting, cards);
        std::copy_n(decision.kind == HandKind::natural ? cards : board.data(), board_size, out.boards + i * board_size);
        out.kinds[i] = static_cast<std::uint8_t>(decision.kind);
        out.points[i] = decision.points;
    }
}

}  // namespace triptych
