// One simulated deal of any game, stepped card by card: the core of the batch environment and of self-play.
//
// A player's cards of a street are handled in the order received; each is placed in a row or discarded. That one
// small action alphabet serves every game, street and fantasyland size. Hands act in the order of Rules §2:
// street by street from the button's left, then the fantasyland hands; a closed game is one street for all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "triptych/play/random.hpp"
#include "triptych/score/board.hpp"
#include "triptych/score/cards.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych {

inline constexpr std::size_t max_streets = 9;
inline constexpr std::size_t max_draw = 17;

// The first three are the rows of score/board.hpp.
enum SimAction : unsigned { place_front, place_middle, place_back, discard_card, announce_play, announce_surrender, take_natural };
inline constexpr unsigned sim_actions = 7;

// How a game is dealt: streets, cards dealt and placed in each (rulesets/model.py).
struct DealShape {
    std::size_t hands = 2;
    std::uint32_t deck = deck_size;  // 52 + jokers
    std::size_t streets = 1;
    std::array<std::uint8_t, max_streets> dealt{};
    std::array<std::uint8_t, max_streets> placed{};
    bool closed = false;
    bool can_surrender = false;
    bool lone_hand_is_hidden = true;  // the only hand outside fantasyland plays face down

    std::size_t placed_cards() const { return std::accumulate(placed.begin(), placed.begin() + static_cast<std::ptrdiff_t>(streets), std::size_t{0}); }
    std::size_t dealt_cards() const { return std::accumulate(dealt.begin(), dealt.begin() + static_cast<std::ptrdiff_t>(streets), std::size_t{0}); }
};

// A pack that is shuffled only as far as it is dealt.
class Deck {
public:
    void reset(std::uint32_t size) {
        for (std::uint32_t card = 0; card < size; ++card) cards_[card] = static_cast<Card>(card);
        left_ = size;
    }

    Card draw(Random& random) {
        const std::uint32_t pick = random.below(left_);
        const Card card = cards_[pick];
        cards_[pick] = cards_[--left_];
        return card;
    }

private:
    std::array<Card, deck_size + 2> cards_{};
    std::uint32_t left_ = 0;
};

enum class HandStatus : std::uint8_t { playing, surrendered, natural };
enum class SimPhase : std::uint8_t { placing, announcing, over };

using HandBytes = std::array<std::uint8_t, max_hands>;

struct SimHand {
    std::array<Card, board_size> board{};  // front 0-2, middle 3-7, back 8-12
    std::array<std::uint8_t, row_count> filled{};
    std::array<std::array<std::uint8_t, row_count>, max_streets> laid{};  // `filled` after each street done
    std::array<Card, max_draw> draw{};
    std::uint8_t drawn = 0;       // cards of this street
    std::uint8_t handled = 0;     // of them placed or discarded
    std::uint8_t to_discard = 0;  // still to be discarded on this street
    CardSet discards = 0;
    CardSet dealt = 0;
    HandStatus status = HandStatus::playing;

    bool open(std::size_t row) const { return filled[row] < row_size[row]; }
    void put(std::size_t row, Card card) { board[row_start[row] + filled[row]++] = card; }
};

class SimDeal {
public:
    std::array<SimHand, max_hands> hand{};
    HandBytes fantasyland{};  // cards of each hand's fantasyland, 0 = none
    HandBytes in_row{};
    std::size_t turn = 0;
    std::size_t street = 0;
    SimPhase phase = SimPhase::over;
    bool natural_offered = false;

    std::uint8_t wanted = 0;  // cards to be given to the hand in turn before it can act

    void start(const DealShape& shape, const HandBytes& fantasylands, const HandBytes& rows) {
        hand = {};
        fantasyland = fantasylands;
        in_row = rows;
        phase = SimPhase::placing;
        setting_ = false;
        street = 0;
        turn = 0;
        if (!seek(shape, 0)) enter_setting(shape);
        want(shape);
    }

    // Gives the hand in turn the `wanted` cards; `natural`: they are thirteen that hold one.
    void give(const Card* cards, bool natural) {
        SimHand& mine = hand[turn];
        for (std::uint8_t i = 0; i < wanted; ++i) {
            mine.draw[i] = cards[i];
            mine.dealt |= bit(cards[i]);
        }
        wanted = 0;
        natural_offered = natural;
    }

    // Bit mask of the SimActions that the hand to act may choose; 0 when it waits for cards or the deal is over.
    unsigned legal() const {
        if (phase == SimPhase::over || wanted > 0) return 0;
        if (phase == SimPhase::announcing) return 1U << announce_play | 1U << announce_surrender;
        const SimHand& mine = hand[turn];
        unsigned mask = 0;
        if (mine.drawn - mine.handled > mine.to_discard) {
            for (std::size_t row = 0; row < row_count; ++row) mask |= static_cast<unsigned>(mine.open(row)) << row;
        }
        if (mine.to_discard > 0) mask |= 1U << discard_card;
        if (natural_offered && mine.handled == 0) mask |= 1U << take_natural;
        return mask;
    }

    // Does one legal action. `shows(board)` says whether the finished rows of a hand that was offered its natural claim it.
    template <typename Shows>
    void step(const DealShape& shape, unsigned action, const Shows& shows) {
        SimHand& mine = hand[turn];
        switch (action) {
            case announce_surrender:
                mine.status = HandStatus::surrendered;
                [[fallthrough]];
            case announce_play:
                ++turn;
                return announce(shape);
            case take_natural:
                mine.status = HandStatus::natural;
                mine.handled = mine.drawn;
                break;
            case discard_card:
                mine.discards |= bit(mine.draw[mine.handled++]);
                --mine.to_discard;
                break;
            default:
                mine.put(action, mine.draw[mine.handled++]);
        }
        if (mine.handled < mine.drawn) return;
        if (natural_offered && action != take_natural && shows(mine.board.data())) {
            mine.status = HandStatus::natural;
            mine.filled = {};
        }
        natural_offered = false;
        mine.laid[street] = mine.filled;
        advance(shape);
        if (phase == SimPhase::placing) want(shape);
    }

    // Whether others see this hand's rows only at the showdown.
    bool face_down(const DealShape& shape, std::size_t h) const {
        if (shape.closed || fantasyland[h] > 0) return true;
        if (!shape.lone_hand_is_hidden) return false;
        std::size_t in_fantasyland = 0;
        for (std::size_t other = 0; other < shape.hands; ++other) in_fantasyland += fantasyland[other] > 0;
        return in_fantasyland > 0 && in_fantasyland + 1 == shape.hands;
    }

private:
    // Moves `turn` to the first hand from `from` on that acts in the current part of the deal.
    bool seek(const DealShape& shape, std::size_t from) {
        for (turn = from; turn < shape.hands; ++turn) {
            if ((fantasyland[turn] > 0) == setting_) return true;
        }
        return false;
    }

    void enter_setting(const DealShape& shape) {
        setting_ = true;
        street = 0;
        if (!seek(shape, 0)) finish_placing(shape);
    }

    void advance(const DealShape& shape) {
        if (seek(shape, turn + 1)) return;
        if (setting_) return finish_placing(shape);
        if (++street < shape.streets) {
            seek(shape, 0);
            return;
        }
        enter_setting(shape);
    }

    void finish_placing(const DealShape& shape) {
        // Nobody can surrender when all others hold naturals.
        std::size_t setting = 0;
        for (std::size_t h = 0; h < shape.hands; ++h) setting += hand[h].status != HandStatus::natural;
        phase = shape.can_surrender && setting > 1 ? SimPhase::announcing : SimPhase::over;
        turn = 0;
        if (phase == SimPhase::announcing) announce(shape);
    }

    // A hand with a natural is paid before surrenders: it announces nothing.
    void announce(const DealShape& shape) {
        while (turn < shape.hands && hand[turn].status == HandStatus::natural) ++turn;
        if (turn == shape.hands) phase = SimPhase::over;
    }

    void want(const DealShape& shape) {
        SimHand& mine = hand[turn];
        wanted = setting_ ? fantasyland[turn] : shape.dealt[street];
        const std::uint8_t placed = setting_ ? static_cast<std::uint8_t>(board_size) : shape.placed[street];
        mine.drawn = wanted;
        mine.handled = 0;
        mine.to_discard = static_cast<std::uint8_t>(wanted - placed);
    }

    bool setting_ = false;  // the fantasyland hands are at work
};

}  // namespace triptych
