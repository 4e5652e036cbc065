// Many games stepped side by side: the batch environment. Each game has its own random stream, so its results do not
// depend on how many run together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/game.hpp"
#include "triptych/naturals.hpp"
#include "triptych/random.hpp"

namespace triptych {

class Batch {
public:
    Batch(const RulesTable& rules, const GameShape& shape, std::size_t size, std::uint64_t seed)
        : rules_(rules), shape_(shape), seats_(size) {
        for (std::size_t i = 0; i < size; ++i) {
            seats_[i].random = Random(seed, i);
            open(seats_[i]);
        }
    }

    std::size_t size() const { return seats_.size(); }
    std::size_t players() const { return shape_.players; }

    // Player to act, and the mask of legal actions.
    std::uint8_t player(std::size_t i) const { return static_cast<std::uint8_t>(seats_[i].game.player(shape_)); }
    std::uint8_t legal(std::size_t i) const { return static_cast<std::uint8_t>(seats_[i].game.legal()); }

    // Does one legal action in game i. Rewards in points by player, not zero only when a deal was scored. True when
    // the game is over; the next one has begun then.
    bool step(std::size_t i, unsigned action, std::int32_t* reward) {
        std::fill_n(reward, shape_.players, 0);
        Seat& seat = seats_[i];
        const bool scored = seat.game.step(rules_, shape_, action, reward);
        scored_ += scored;
        if (seat.game.over()) {
            open(seat);
            return true;
        }
        if (scored) seat.deck.reset(shape_.deal.deck);
        if (seat.game.wanted() > 0) serve(seat);
        return false;
    }

    void observe(std::size_t i, std::uint8_t* out) const {
        seats_[i].game.observe(shape_, seats_[i].game.deal().turn, out);
    }

    // Plays `steps` uniformly random actions in every game. Returns how many deals were scored.
    std::uint64_t play_random(std::uint64_t steps) {
        const std::uint64_t before = scored_;
        std::array<std::int32_t, max_hands> reward{};
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            for (std::uint64_t k = 0; k < steps; ++k) step(i, random_action(seats_[i]), reward.data());
        }
        return scored_ - before;
    }

private:
    struct Seat {
        Random random;
        Deck deck;
        Game game;
    };

    void open(Seat& seat) {
        seat.deck.reset(shape_.deal.deck);
        seat.game.open(shape_);
        serve(seat);
    }

    void serve(Seat& seat) {
        std::array<Card, max_draw> cards{};
        for (std::size_t i = 0; i < seat.game.wanted(); ++i) cards[i] = seat.deck.draw(seat.random);
        seat.game.give(cards.data(), shape_.deal.closed && holds_natural(rules_, cards.data()));
    }

    static unsigned random_action(Seat& seat) {
        unsigned mask = seat.game.legal();
        for (auto skip = seat.random.below(static_cast<std::uint32_t>(std::popcount(mask))); skip > 0; --skip) mask &= mask - 1;
        return static_cast<unsigned>(std::countr_zero(mask));
    }

    static bool holds_natural(const RulesTable& rules, const Card* thirteen) {
        return rules.natural_count > 0 && best_natural(rules, thirteen).entry >= 0;
    }

    RulesTable rules_;
    GameShape shape_;
    std::vector<Seat> seats_;
    std::uint64_t scored_ = 0;
};

}  // namespace triptych
