// Python bindings of simulated games: one at a time, or many side by side. Argument checks live in triptych.envs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "input.hpp"
#include "triptych/play/batch.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace triptych;
using namespace triptych::bind;

namespace {

using Bytes = nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>;

constexpr std::size_t max_games = 1'000'000;
constexpr std::uint64_t max_steps = 1'000'000'000;

GameShape make_shape(const RulesTable& rules, const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, std::size_t players, int jokers,
                     bool closed, bool chain, bool button_moves, bool lone_hand_is_hidden) {
    require(players >= 2 && players <= hands, "wrong number of hands");
    require(!closed || (dealt.size() == 1 && dealt[0] == board_size), "the streets do not fill the board");
    GameShape shape{shape_of(dealt, placed, hands, jokers, max_draw), players, chain, button_moves};
    shape.deal.closed = closed;
    shape.deal.lone_hand_is_hidden = lone_hand_is_hidden;
    shape.deal.can_surrender = closed && rules.surrender_points > 0;
    require(deck_suffices(rules, shape), "the deck has too few cards, or a fantasyland not 13 to 17");
    return shape;
}

Batch make_batch(const RulesTable& rules, const GameShape& shape, std::size_t size, std::uint64_t seed) {
    require(size > 0 && size <= max_games, "a batch has at least one game, and at most a million");
    return Batch(rules, shape, size, seed);
}

void batch_state(const Batch& batch, const Bytes& player, const Bytes& legal) {
    require(player.size() == batch.size() && legal.size() == batch.size(), "one player and one mask a game");
    batch.state(player.data(), legal.data());
}

void batch_step(Batch& batch, const Bytes& actions, const Points& reward, const Bytes& done) {
    require(actions.size() == batch.size() && done.size() == batch.size(), "one action and one end a game");
    require(reward.size() == batch.size() * batch.players(), "one reward a game and player");
    for (std::size_t i = 0; i < batch.size(); ++i) require(batch.can_step(i, actions.data()[i]), "an action is not legal");
    nb::gil_scoped_release release;
    batch.step_all(actions.data(), reward.data(), done.data());
}

void batch_observe(const Batch& batch, const Bytes& out) {
    require(out.size() == batch.size() * observation_size, "wrong size of observations");
    nb::gil_scoped_release release;
    batch.observe_all(out.data());
}

std::uint64_t batch_play_random(Batch& batch, std::uint64_t steps) {
    require(steps <= max_steps, "too many steps at once");
    nb::gil_scoped_release release;
    return batch.play_random(steps);
}

// One game with its rules, copied by value.
struct OneGame {
    RulesTable rules;
    GameShape shape;
    Game game;

    void deal_cards(const nb::bytes& cards) {
        require(cards.size() == game.wanted() && cards.size() > 0, "a wrong number of cards");
        require(game.can_give(shape, span_of(cards)), "a card is not in the pack, or dealt already");
        game.give(span_of(cards).data(), offers_natural(rules, shape, span_of(cards).data()));
    }

    std::vector<std::int32_t> step(unsigned action) {
        require(action < sim_actions && (game.legal() >> action & 1U) != 0, "an action is not legal");
        std::vector<std::int32_t> reward(shape.players);
        game.step(rules, shape, action, reward.data());
        return reward;
    }

    nb::bytes observe(std::size_t player) const {
        require(player < shape.players, "no such player");
        std::array<std::uint8_t, observation_size> out{};
        game.observe(shape, game.hand_of(shape, player), out.data());
        return nb::bytes(out.data(), out.size());
    }
};
static_assert(std::is_trivially_copyable_v<OneGame>);

OneGame make_game(const RulesTable& rules, const GameShape& shape, const std::vector<int>& fantasylands) {
    require(fantasylands.empty() || fantasylands.size() == shape.deal.hands, "one fantasyland size a hand");
    HandBytes cards{};
    HandBytes in_row{};
    for (std::size_t h = 0; h < fantasylands.size(); ++h) {
        require(fantasylands[h] == 0 || (fantasylands[h] >= 13 && fantasylands[h] <= 17), "a fantasyland has 13 to 17 cards");
        cards[h] = static_cast<std::uint8_t>(fantasylands[h]);
        in_row[h] = fantasylands[h] > 0;
    }
    OneGame made{rules, shape, {}};
    made.game.open(shape, cards, in_row);
    return made;
}

}  // namespace

void init_env(nb::module_& m) {
    m.attr("OBSERVATION_SIZE") = observation_size;
    m.attr("ACTIONS") = sim_actions;
    m.attr("NO_OP") = Batch::no_op;
    nb::class_<GameShape>(m, "GameShape", "How a game is dealt and who plays it; triptych.envs.shape makes it.").def_ro("players", &GameShape::players);
    m.def("make_shape", &make_shape, "rules"_a, "dealt"_a, "placed"_a, nb::kw_only(), "hands"_a, "players"_a, "jokers"_a, "closed"_a, "chain"_a,
          "button_moves"_a, "lone_hand_is_hidden"_a, "Streets of a game (cards dealt and placed in each), hands in deal order, and the players who own them.");
    nb::class_<Batch>(m, "Batch", "Many games stepped side by side; triptych.envs.batch is its typed face.")
        .def("state", &batch_state, "player"_a.noconvert(), "legal"_a.noconvert(), "Fill in who acts and the mask of legal actions, both (size,).")
        .def("step", &batch_step, "actions"_a.noconvert(), "reward"_a.noconvert(), "done"_a.noconvert(),
             "Do one action in every game, none where it is NO_OP; fills reward (size, players) and done (size,).\n\nNothing is done on an error.")
        .def("observe", &batch_observe, "out"_a.noconvert(), "Fill in what the players to act may know, (size, OBSERVATION_SIZE).")
        .def("save", [](const Batch& batch) { return bytes_of(batch.save()); }, "All games as bytes, for a batch of the same rules, shape, size and build.")
        .def("load", [](Batch& batch, const nb::bytes& state) { require(batch.load(span_of(state)), "these are not games of this batch"); }, "state"_a,
             "Go on from saved games. Raises ValueError when they are of another size.")
        .def("play_random", &batch_play_random, "steps"_a, "Do uniformly random actions in every game; returns deals scored. Releases the GIL.");
    m.def("make_batch", &make_batch, "rules"_a, "shape"_a, "size"_a, "seed"_a, "A batch of games, each with its own random stream of the seed.");
    nb::class_<OneGame>(m, "Game", "One game; its owner gives the cards.")
        .def("__getstate__", [](const OneGame& game) { return bytes_of(SavedState().save(&game, sizeof game)); })
        .def("__setstate__",
             [](OneGame& game, const nb::bytes& state) {
        const std::uint8_t* bytes = SavedState().load(span_of(state), sizeof game);
        require(bytes != nullptr, "this is not a game of this build");
        std::memcpy(static_cast<void*>(new (&game) OneGame()), bytes, sizeof game);
    })
        .def("__deepcopy__", [](const OneGame& game, nb::handle) { return game; }, "memo"_a)
        .def("deal_cards", &OneGame::deal_cards, "cards"_a, "Deal the hand in turn the `wanted` cards.")
        .def("step", &OneGame::step, "action"_a, "Do one legal action; points by player, not zero only when a deal was scored.")
        .def("observe", &OneGame::observe, "player"_a, "What a player may know, OBSERVATION_SIZE bytes.")
        .def_prop_ro("over", [](const OneGame& owned) { return owned.game.over(); })
        .def_prop_ro("wanted", [](const OneGame& owned) { return owned.game.wanted(); })
        .def_prop_ro("legal", [](const OneGame& owned) { return owned.game.legal(); })
        .def_prop_ro("turn", [](const OneGame& owned) { return owned.game.deal().turn; })
        .def_prop_ro("deals", [](const OneGame& owned) { return owned.game.deals(); })
        .def_prop_ro("player", [](const OneGame& owned) { return owned.game.player(owned.shape); })
        .def_prop_ro("street", [](const OneGame& owned) {
        return owned.game.deal().street;
    }).def_prop_ro("total", [](const OneGame& owned) {
        return std::vector<std::int32_t>(owned.game.total().begin(), owned.game.total().begin() + static_cast<std::ptrdiff_t>(owned.shape.players));
    });
    m.def("make_game", &make_game, "rules"_a, "shape"_a, "fantasyland"_a = std::vector<int>{},
          "A game before its first card; `fantasyland`: cards by hand where the first deal is one.");
}
