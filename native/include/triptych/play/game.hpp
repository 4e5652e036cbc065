// A game of simulated deals: one deal, or a deal and the fantasylands that follow, with players, the button,
// what each of them may know, and the points. It has no randomness: its owner gives the cards.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "triptych/play/deal.hpp"
#include "triptych/score/naturals.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych {

// What is played: the dealing, who owns which hand, and whether fantasylands follow.
struct GameShape {
    DealShape deal;
    std::size_t players = 2;   // criss-cross: two players own four hands
    bool chain = false;        // a game is a deal and the fantasylands that follow
    bool button_moves = true;  // between the deals of a chain
};

// Whether the deck has enough cards for every deal of a game, and every fantasyland cards that a hand can hold.
inline bool deck_suffices(const RulesTable& rules, const GameShape& shape) {
    std::size_t max_dealt = 0;
    for (std::size_t street = 0; street < shape.deal.streets; ++street) max_dealt += shape.deal.dealt[street];
    const auto fantasyland = [&](std::int32_t cards) {
        if (cards > 0 && shape.chain) max_dealt = std::max(max_dealt, static_cast<std::size_t>(cards));
        return cards <= 0 || (cards >= board_size && cards <= static_cast<std::int32_t>(max_draw));
    };
    bool is_placeable = true;
    for_each_fantasyland_size(rules, [&](std::int32_t cards) { is_placeable = fantasyland(cards) && is_placeable; });
    return is_placeable && max_dealt * shape.deal.hands <= shape.deal.deck;
}

// Whether the cards of a deal's hand hold a natural, which it may then take.
inline bool offers_natural(const RulesTable& rules, const GameShape& shape, const Card* cards) {
    return shape.deal.closed && rules.natural_count > 0 && best_natural(rules, cards).entry >= 0;
}

// Places of a card in an observation; an opponent's rows follow as `seen_rows + 3 * (how far to the left - 1) + row`.
enum CardPlace : std::uint8_t { unseen, own_front, own_middle, own_back, to_come, in_turn, own_discard, seen_rows };

inline constexpr std::size_t observed_cards = deck_size + 2;
// After the cards: hand in deal order, street from 0, phase, own fantasyland cards, those of the next hands to the
// left (3), own cards still to discard, status of the next hands to the left while announcing (3).
inline constexpr std::size_t observed_facts = 11;
inline constexpr std::size_t observation_size = observed_cards + observed_facts;

class Game {
public:
    // Begins a game; `fantasylands` and `in_row` by hand where its first deal is itself a fantasyland.
    void open(const GameShape& shape, const HandBytes& fantasylands = {}, const HandBytes& in_row = {}) {
        moved_ = 0;
        deals_ = 1;
        total_ = {};
        deal_.start(shape.deal, fantasylands, in_row);
    }

    const SimDeal& deal() const { return deal_; }
    std::uint32_t deals() const { return deals_; }  // begun in this game; each has its own deck
    bool over() const { return deal_.phase == SimPhase::over; }
    std::uint8_t wanted() const { return deal_.wanted; }
    void give(const Card* cards, bool natural) { deal_.give(cards, natural); }

    // Whether cards are in the pack, and none of them has been dealt.
    bool can_give(const GameShape& shape, std::span<const Card> cards) const {
        CardSet dealt = 0;
        for (const SimHand& hand : deal_.hand) dealt |= hand.dealt;
        for (const Card card : cards) {
            if (card >= shape.deal.deck || (dealt & bit(card)) != 0) return false;
            dealt |= bit(card);
        }
        return true;
    }
    unsigned legal() const { return deal_.legal(); }

    // Hands are places at the table; players move through them as the button does.
    std::size_t player_of(const GameShape& shape, std::size_t h) const { return (h + moved_) % shape.players; }
    std::size_t player(const GameShape& shape) const { return player_of(shape, deal_.turn); }

    // A hand of a player: the one in turn, if it is the player's.
    std::size_t hand_of(const GameShape& shape, std::size_t player) const {
        std::size_t h = deal_.turn;
        if (h < shape.deal.hands && player_of(shape, h) == player) return h;
        for (h = 0; player_of(shape, h) != player;) ++h;
        return h;
    }
    const std::array<std::int32_t, max_hands>& total() const { return total_; }  // points so far, by player
    const std::array<Hand, max_hands>& scored() const { return scored_; }        // the last deal's hands, as they were scored

    // Does one legal action. True when it ended a deal, whose points are then in `points` and `total`; the next deal
    // of a chain has begun then, and `over` says whether there is none.
    bool step(const RulesTable& rules, const GameShape& shape, unsigned action, std::int32_t* points) {
        deal_.step(shape.deal, action, [&](const Card* board) { return shows_natural(rules, board); });
        if (!over()) return false;
        settle(rules, shape, points);
        return true;
    }

    // What the player of a hand may know, as observation_size bytes.
    void observe(const GameShape& shape, std::size_t viewer, std::uint8_t* out) const {
        const std::size_t count = shape.deal.hands;
        std::fill_n(out, observation_size, std::uint8_t{0});
        for (std::size_t away = 0; away < count; ++away) {
            const std::size_t h = (viewer + away) % count;
            const bool own = player_of(shape, h) == player_of(shape, viewer);
            if (!own && !over() && deal_.face_down(shape.deal, h)) continue;
            const std::size_t first = away == 0 ? std::size_t{own_front} : seen_rows + 3 * (away - 1);
            const SimHand& hand = deal_.hand[h];
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::size_t slot = 0; slot < hand.filled[row]; ++slot) { out[hand.board[row_start[row] + slot]] = static_cast<std::uint8_t>(first + row); }
            }
        }
        const SimHand& mine = deal_.hand[viewer];
        for (CardSet left = mine.discards; left != 0; left &= left - 1) out[std::countr_zero(left)] = own_discard;
        if (deal_.phase == SimPhase::placing && deal_.wanted == 0 && deal_.turn == viewer) {
            for (std::size_t k = mine.handled; k < mine.drawn; ++k) out[mine.draw[k]] = k == mine.handled ? in_turn : to_come;
        }
        std::uint8_t* facts = out + observed_cards;
        facts[0] = static_cast<std::uint8_t>(viewer);
        facts[1] = static_cast<std::uint8_t>(deal_.street);
        facts[2] = static_cast<std::uint8_t>(deal_.phase);
        facts[3] = deal_.fantasyland[viewer];
        facts[7] = mine.to_discard;
        for (std::size_t away = 1; away < count; ++away) {
            const std::size_t h = (viewer + away) % count;
            facts[3 + away] = deal_.fantasyland[h];
            facts[7 + away] = deal_.phase == SimPhase::placing ? 0 : static_cast<std::uint8_t>(deal_.hand[h].status);
        }
    }

private:
    void settle(const RulesTable& rules, const GameShape& shape, std::int32_t* points) {
        const std::size_t count = shape.deal.hands;
        std::array<Hand, max_hands>& hands = scored_;
        for (std::size_t h = 0; h < count; ++h) {
            const SimHand& from = deal_.hand[h];
            hands[h] = {
                static_cast<HandKind>(from.status), 7, deal_.fantasyland[h], deal_.in_row[h], static_cast<std::uint8_t>(player_of(shape, h)), from.board};
            if (from.status == HandStatus::natural) std::copy_n(from.draw.begin(), board_size, hands[h].cards.begin());
        }
        DealScore score;
        score_deal(rules, hands.data(), count, score);
        std::size_t pair = 0;
        bool more = false;
        for (std::size_t a = 0; a < count; ++a) {
            for (std::size_t b = a + 1; b < count; ++b, ++pair) {
                const int moved = score.pairs[pair].total();
                points[hands[a].owner] += moved;
                points[hands[b].owner] -= moved;
            }
            points[hands[a].owner] += score.hands[a].table_points;
            more = more || score.hands[a].next_fantasyland > 0;
        }
        for (std::size_t player = 0; player < shape.players; ++player) total_[player] += points[player];
        if (more && shape.chain) follow(shape, score);
    }

    // Begins the fantasylands that follow the scored deal.
    void follow(const GameShape& shape, const DealScore& score) {
        const std::size_t count = shape.deal.hands;
        const std::size_t shift = shape.button_moves ? 1 : 0;
        HandBytes fantasylands{};
        HandBytes in_row{};
        for (std::size_t h = 0; h < count; ++h) {
            const std::size_t next = (h + count - shift) % count;
            fantasylands[next] = static_cast<std::uint8_t>(score.hands[h].next_fantasyland);
            if (fantasylands[next] > 0) in_row[next] = deal_.fantasyland[h] > 0 ? static_cast<std::uint8_t>(deal_.in_row[h] + 1) : 1;
        }
        moved_ = (moved_ + shift) % count;
        ++deals_;
        deal_.start(shape.deal, fantasylands, in_row);
    }

    SimDeal deal_;
    std::uint32_t deals_ = 0;
    std::size_t moved_ = 0;  // how often the button has moved inside the game
    std::array<std::int32_t, max_hands> total_{};
    std::array<Hand, max_hands> scored_{};
};

}  // namespace triptych
