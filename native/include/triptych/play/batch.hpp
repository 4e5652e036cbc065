// Many games stepped side by side: the batch environment. Each game has its own random stream, so its results do not
// depend on how many run together.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "triptych/play/game.hpp"
#include "triptych/play/random.hpp"
#include "triptych/play/saved_state.hpp"

namespace triptych {

namespace detail {

// The actions of every mask one by one: much quicker than counting bits where the processor's own instruction for it
// may not be used.
struct ActionList {
    std::uint8_t count = 0;
    std::array<std::uint8_t, sim_actions> actions{};
};
struct ActionLists {
    std::array<ActionList, 1U << sim_actions> of{};
    constexpr ActionLists() {
        for (unsigned mask = 0; mask < of.size(); ++mask) {
            for (std::uint8_t action = 0; action < sim_actions; ++action) {
                if ((mask >> action & 1U) != 0) of[mask].actions[of[mask].count++] = action;
            }
        }
    }
};
inline constexpr ActionLists action_lists;

}  // namespace detail

class Batch {
public:
    static constexpr std::uint8_t no_op = 255;  // an action that leaves a game as it is

    Batch(const RulesTable& rules, const GameShape& shape, std::size_t size, std::uint64_t seed) : rules_(rules), shape_(shape), seats_(size) {
        for (std::size_t i = 0; i < size; ++i) {
            seats_[i].random = Random(seed, i);
            open(seats_[i]);
        }
    }

    std::size_t size() const { return seats_.size(); }
    std::size_t players() const { return shape_.players; }
    const RulesTable& rules() const { return rules_; }
    const GameShape& shape() const { return shape_; }

    // Player to act, and the mask of legal actions.
    std::uint8_t player(std::size_t i) const { return static_cast<std::uint8_t>(seats_[i].game.player(shape_)); }
    std::uint8_t legal(std::size_t i) const { return static_cast<std::uint8_t>(seats_[i].game.legal()); }

    void state(std::uint8_t* players, std::uint8_t* masks) const {
        for (std::size_t i = 0; i < size(); ++i) {
            players[i] = player(i);
            masks[i] = legal(i);
        }
    }

    bool can_step(std::size_t i, unsigned action) const { return action == no_op || (action < sim_actions && (legal(i) >> action & 1U) != 0); }

    // Does one legal action in every game. `rewards`: points by game and player.
    void step_all(const std::uint8_t* actions, std::int32_t* rewards, std::uint8_t* done) {
        for (std::size_t i = 0; i < size(); ++i) {
            std::int32_t* const reward = rewards + i * players();
            if (actions[i] == no_op) {
                std::fill_n(reward, players(), 0);
                done[i] = 0;
            } else {
                done[i] = step(i, actions[i], reward);
            }
        }
    }

    // Does one legal action in game i. Rewards in points by player, not zero only when a deal was scored. True when
    // the game is over; the next one has begun then.
    bool step(std::size_t i, unsigned action, std::int32_t* reward) {
        std::fill_n(reward, shape_.players, 0);
        return act(seats_[i], action, reward);
    }

    // What the player to act in game i, or in each game, may know.
    void observe(std::size_t i, std::uint8_t* out) const { seats_[i].game.observe(shape_, seats_[i].game.deal().turn, out); }
    void observe_all(std::uint8_t* out) const {
        for (std::size_t i = 0; i < size(); ++i) observe(i, out + i * observation_size);
    }

    // Plays `steps` uniformly random actions in every game. Returns how many deals were scored.
    std::uint64_t play_random(std::uint64_t steps) {
        const std::uint64_t before = scored_;
        std::array<std::int32_t, max_hands> reward{};
        for (Seat& seat : seats_) {
            for (std::uint64_t k = 0; k < steps; ++k) {
                const std::uint64_t scored = scored_;
                act(seat, random_action(seat), reward.data());
                if (scored_ != scored) reward = {};
            }
        }
        return scored_ - before;
    }

    // All games as bytes, for the same build of the same shape only. False, and nothing done, with other bytes.
    std::vector<std::uint8_t> save() const { return SavedState(rules_, shape_).save(seats_.data(), seats_.size() * sizeof(Seat)); }
    bool load(std::span<const std::uint8_t> saved) {
        const std::uint8_t* state = SavedState(rules_, shape_).load(saved, seats_.size() * sizeof(Seat));
        if (state != nullptr) std::memcpy(static_cast<void*>(seats_.data()), state, seats_.size() * sizeof(Seat));
        return state != nullptr;
    }

private:
    struct Seat {
        Random random;
        Deck deck;
        Game game;
    };
    static_assert(std::is_trivially_copyable_v<Seat>);

    // Does one legal action; adds the points of a deal that it ended.
    bool act(Seat& seat, unsigned action, std::int32_t* points) {
        const bool scored = seat.game.step(rules_, shape_, action, points);
        scored_ += scored;
        if (seat.game.over()) {
            open(seat);
            return true;
        }
        if (scored) seat.deck.reset(shape_.deal.deck);
        if (seat.game.wanted() > 0) deal_cards(seat);
        return false;
    }

    void open(Seat& seat) {
        seat.deck.reset(shape_.deal.deck);
        seat.game.open(shape_);
        deal_cards(seat);
    }

    void deal_cards(Seat& seat) {
        std::array<Card, max_draw> cards{};
        for (std::size_t i = 0; i < seat.game.wanted(); ++i) cards[i] = seat.deck.draw(seat.random);
        seat.game.give(cards.data(), offers_natural(rules_, shape_, cards.data()));
    }

    static unsigned random_action(Seat& seat) {
        const detail::ActionList& legal = detail::action_lists.of[seat.game.legal()];
        return legal.actions[seat.random.below(legal.count)];
    }

    RulesTable rules_;
    GameShape shape_;
    std::vector<Seat> seats_;
    std::uint64_t scored_ = 0;
};

}  // namespace triptych
