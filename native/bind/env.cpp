// Python bindings of simulated games: one at a time, or many side by side. Argument checks live in triptych.envs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

#include "input.hpp"
#include "triptych/play/batch.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;

namespace {

using Bytes = nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<std::int32_t, nb::c_contig, nb::device::cpu>;

constexpr std::size_t most_games = 1'000'000;
constexpr std::uint64_t most_steps = 1'000'000'000;
constexpr std::size_t seal_size = sizeof(std::uint64_t);

// What stands before saved games, so that only what this build wrote for the same rules and shape is read again: FNV-1a,
// eight bytes at a time.
class Seal {
public:
    Seal(const RulesTable& rules, const GameShape& shape) {
        add(&rules, sizeof rules);
        const DealShape& deal = shape.deal;
        for (const std::size_t number : {deal.hands, std::size_t{deal.deck}, deal.streets, std::size_t{deal.closed}, std::size_t{deal.can_surrender},
                                         std::size_t{deal.alone_hides}, shape.players, std::size_t{shape.chain}, std::size_t{shape.button_moves}}) {
            mix(number);
        }
        add(deal.dealt.data(), deal.dealt.size());
        add(deal.placed.data(), deal.placed.size());
    }

    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const char*>(data);
        for (std::size_t i = 0; i < size; i += sizeof(std::uint64_t)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + i, std::min(sizeof word, size - i));
            mix(word);
        }
    }

    std::uint64_t value() const { return hash_; }

private:
    void mix(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001B3ULL; }

    std::uint64_t hash_ = 0xCBF29CE484222325ULL;
};

nb::bytes sealed(Seal seal, const void* state, std::size_t size) {
    seal.add(state, size);
    const std::uint64_t value = seal.value();
    std::vector<char> out(seal_size + size);
    std::memcpy(out.data(), &value, seal_size);
    std::memcpy(out.data() + seal_size, state, size);
    return nb::bytes(out.data(), out.size());
}

// The state behind its seal.
const std::uint8_t* unsealed(Seal seal, const nb::bytes& bytes, std::size_t size, const char* what) {
    need(bytes.size() == seal_size + size, what);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.c_str(), seal_size);
    seal.add(bytes.c_str() + seal_size, size);
    need(seal.value() == value, what);
    return reinterpret_cast<const std::uint8_t*>(bytes.c_str()) + seal_size;
}

GameShape make_shape(const RulesTable& rules, const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands,
                     std::size_t players, int jokers, bool closed, bool chain, bool button_moves, bool alone_hides) {
    need(players >= 2 && players <= hands, "wrong number of hands");
    need(!closed || (dealt.size() == 1 && dealt[0] == board_size), "the streets do not fill the board");
    GameShape shape;
    shape.deal = shape_of(dealt, placed, hands, jokers, max_draw);
    shape.deal.closed = closed;
    shape.deal.alone_hides = alone_hides;
    shape.deal.can_surrender = closed && rules.surrender_points > 0;
    shape.players = players;
    shape.chain = chain;
    shape.button_moves = button_moves;
    need(deck_suffices(rules, shape), "the deck has too few cards, or a fantasyland not 13 to 17");
    return shape;
}

Batch make_batch(const RulesTable& rules, const GameShape& shape, std::size_t size, std::uint64_t seed) {
    need(size > 0 && size <= most_games, "a batch has at least one game, and at most a million");
    return Batch(rules, shape, size, seed);
}

void batch_state(const Batch& batch, const Bytes& player, const Bytes& legal) {
    need(player.size() == batch.size() && legal.size() == batch.size(), "one player and one mask a game");
    for (std::size_t i = 0; i < batch.size(); ++i) {
        player.data()[i] = batch.player(i);
        legal.data()[i] = batch.legal(i);
    }
}

constexpr std::uint8_t idle = 255;  // leaves a game as it is

void batch_step(Batch& batch, const Bytes& actions, const Points& reward, const Bytes& done) {
    need(actions.size() == batch.size() && done.size() == batch.size(), "one action and one end a game");
    need(reward.size() == batch.size() * batch.players(), "one reward a game and player");
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const unsigned action = actions.data()[i];
        need(action == idle || (action < sim_actions && (batch.legal(i) >> action & 1U) != 0), "an action is not legal");
    }
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        std::int32_t* const points = reward.data() + i * batch.players();
        if (actions.data()[i] == idle) {
            std::fill_n(points, batch.players(), 0);
            done.data()[i] = 0;
        } else {
            done.data()[i] = batch.step(i, actions.data()[i], points);
        }
    }
}

void batch_observe(const Batch& batch, const Bytes& out) {
    need(out.size() == batch.size() * observation_size, "wrong size of observations");
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < batch.size(); ++i) batch.observe(i, out.data() + i * observation_size);
}

// One game with its rules, copied by value.
struct OneGame {
    RulesTable rules;
    GameShape shape;
    Game game;

    void deal_cards(const nb::bytes& cards) {
        const auto* data = reinterpret_cast<const Card*>(cards.c_str());
        need(cards.size() == game.wanted() && cards.size() > 0, "a wrong number of cards");
        CardSet dealt = 0;
        for (const SimHand& hand : game.deal().hand) dealt |= hand.dealt;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            need(data[i] < shape.deal.deck && (dealt & bit(data[i])) == 0, "a card is not in the pack, or dealt already");
            dealt |= bit(data[i]);
        }
        const bool natural = shape.deal.closed && rules.natural_count > 0 && best_natural(rules, data).entry >= 0;
        game.give(data, natural);
    }

    std::vector<std::int32_t> step(unsigned action) {
        need(action < sim_actions && (game.legal() >> action & 1U) != 0, "an action is not legal");
        std::vector<std::int32_t> reward(shape.players);
        game.step(rules, shape, action, reward.data());
        return reward;
    }

    nb::bytes observe(std::size_t player) const {
        need(player < shape.players, "no such player");
        std::size_t viewer = game.deal().turn;
        if (viewer >= shape.deal.hands || game.player_of(shape, viewer) != player) {
            for (viewer = 0; game.player_of(shape, viewer) != player;) ++viewer;
        }
        std::array<std::uint8_t, observation_size> out{};
        game.observe(shape, viewer, out.data());
        return nb::bytes(reinterpret_cast<const char*>(out.data()), out.size());
    }
};

static_assert(std::is_trivially_copyable_v<OneGame>);

OneGame make_game(const RulesTable& rules, const GameShape& shape, const std::vector<int>& lands) {
    need(lands.empty() || lands.size() == shape.deal.hands, "one fantasyland size a hand");
    HandBytes cards{};
    HandBytes in_row{};
    for (std::size_t h = 0; h < lands.size(); ++h) {
        need(lands[h] == 0 || (lands[h] >= 13 && lands[h] <= 17), "a fantasyland has 13 to 17 cards");
        cards[h] = static_cast<std::uint8_t>(lands[h]);
        in_row[h] = lands[h] > 0;
    }
    OneGame one{rules, shape, {}};
    one.game.open(shape, cards, in_row);
    return one;
}

}  // namespace

void init_env(nb::module_& m) {
    m.attr("OBSERVATION_SIZE") = observation_size;
    m.attr("ACTIONS") = sim_actions;
    m.attr("IDLE") = idle;
    nb::class_<GameShape>(m, "GameShape",
                          "How a game is dealt and who plays it; triptych.envs.shape makes it.")
        .def_ro("players", &GameShape::players);
    m.def("make_shape", &make_shape, nb::arg("rules"), nb::arg("dealt"), nb::arg("placed"), nb::kw_only(), nb::arg("hands"),
          nb::arg("players"), nb::arg("jokers"), nb::arg("closed"), nb::arg("chain"), nb::arg("button_moves"),
          nb::arg("alone_hides"),
          "Streets of a game (cards dealt and placed in each), hands in deal order, and the players who own them.");
    nb::class_<Batch>(m, "Batch",
                      "Many games stepped side by side; triptych.envs.batch is its typed face.")
        .def("state", &batch_state, nb::arg("player").noconvert(), nb::arg("legal").noconvert(),
             "Fill in who acts and the mask of legal actions, both (size,).")
        .def("step", &batch_step, nb::arg("actions").noconvert(), nb::arg("reward").noconvert(), nb::arg("done").noconvert(),
             "Do one action in every game, none where it is IDLE; fills reward (size, players) and done (size,).\n\nNothing is done on an "
             "error.")
        .def("observe", &batch_observe, nb::arg("out").noconvert(),
             "Fill in what the players to act may know, (size, OBSERVATION_SIZE).")
        .def("save", [](const Batch& batch) {
            const std::vector<std::uint8_t> state = batch.save();
            return sealed({batch.rules(), batch.shape()}, state.data(), state.size());
        },
             "All games as bytes, for a batch of the same rules, shape, size and build.")
        .def("load", [](Batch& batch, const nb::bytes& state) {
            batch.load(unsealed({batch.rules(), batch.shape()}, state, batch.state_size(), "these are no games of this batch"));
        }, nb::arg("state"),
             "Go on from saved games. Raises ValueError when they are of another size.")
        .def("play_random", [](Batch& batch, std::uint64_t steps) {
            need(steps <= most_steps, "too many steps at once");
            nb::gil_scoped_release release;
            return batch.play_random(steps);
        }, nb::arg("steps"),
             "Do uniformly random actions in every game; returns deals scored. Releases the GIL.");
    m.def("make_batch", &make_batch, nb::arg("rules"), nb::arg("shape"), nb::arg("size"), nb::arg("seed"),
          "A batch of games, each with its own random stream of the seed.");
    nb::class_<OneGame>(m, "Game",
                        "One game; its owner gives the cards.")
        .def("__getstate__", [](const OneGame& one) { return sealed({RulesTable{}, GameShape{}}, &one, sizeof one); })
        .def("__setstate__", [](OneGame& one, const nb::bytes& state) {
            const std::uint8_t* saved = unsealed({RulesTable{}, GameShape{}}, state, sizeof(OneGame), "this is no game of this build");
            new (&one) OneGame();
            std::memcpy(static_cast<void*>(&one), saved, sizeof one);
        })
        .def("__deepcopy__", [](const OneGame& game, nb::handle) { return game; }, nb::arg("memo"))
        .def("deal_cards", &OneGame::deal_cards, nb::arg("cards"),
             "Deal the hand in turn the `wanted` cards.")
        .def("step", &OneGame::step, nb::arg("action"),
             "Do one legal action; points by player, not zero only when a deal was scored.")
        .def("observe", &OneGame::observe, nb::arg("player"),
             "What a player may know, OBSERVATION_SIZE bytes.")
        .def_prop_ro("over", [](const OneGame& one) { return one.game.over(); })
        .def_prop_ro("wanted", [](const OneGame& one) { return one.game.wanted(); })
        .def_prop_ro("legal", [](const OneGame& one) { return one.game.legal(); })
        .def_prop_ro("turn", [](const OneGame& one) { return one.game.deal().turn; })
        .def_prop_ro("deals", [](const OneGame& one) { return one.game.deals(); })
        .def_prop_ro("player", [](const OneGame& one) { return one.game.player(one.shape); })
        .def_prop_ro("street", [](const OneGame& one) { return one.game.deal().street; })
        .def_prop_ro("total", [](const OneGame& one) {
            return std::vector<std::int32_t>(one.game.total().begin(), one.game.total().begin() + static_cast<std::ptrdiff_t>(one.shape.players));
        });
    m.def("make_game", &make_game, nb::arg("rules"), nb::arg("shape"), nb::arg("fantasyland") = std::vector<int>{},
          "A game before its first card; `fantasyland`: cards by hand where the first deal is one.");
}
