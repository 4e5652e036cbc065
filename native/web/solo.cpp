// Games that are played in the browser from the first card to the last.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "abi.hpp"
#include "triptych/play/solo_game.hpp"

using namespace triptych;
using namespace triptych::web;

// Rules; how the game is dealt (hands, jokers, streets), whether fantasylands follow, whether the button moves between them,
// whether the only hand outside fantasyland lies face down; a seed and the number of its first deck; of each hand the cards of
// its fantasyland, 0 for none, and how many in a row; the cards that the first deal begins with (255: one of the shuffled); a bit
// for each hand of it of which nobody knows in which order they came. Its number.
TRIPTYCH_REQUEST(solo_begin) {
    const auto rules = stored<RulesTable>(in);
    GameShape shape;
    shape.deal = read_shape(in);
    shape.players = shape.deal.hands;
    shape.chain = in.flag();
    shape.button_moves = in.flag();
    shape.deal.lone_hand_is_hidden = in.flag();
    const auto seed = in.number<std::uint64_t>();
    const auto first = in.number<std::uint64_t>();
    HandBytes fantasylands{};
    HandBytes in_row{};
    for (std::size_t h = 0; h < shape.deal.hands && !in.refused(); ++h) {
        fantasylands[h] = in.small(max_draw, "a fantasyland has at most 17 cards");
        in.require(fantasylands[h] == 0 || fantasylands[h] >= board_size, "a fantasyland has at least 13 cards");
        in_row[h] = in.small(255, "too many fantasylands in a row");
    }
    const std::span<const Card> known = in.take(std::min<std::size_t>(in.number<std::uint8_t>(), shape.deal.deck));
    in.require(SoloGame::can_know(shape, known), "a card is not in the pack, or given twice");
    const std::uint32_t unordered = in.within(0, (1U << shape.deal.hands) - 1, "there is no such hand");
    if (!in.complete()) return;
    if (!SoloGame::deck_suffices(*rules, shape, fantasylands)) return in.refuse(wrong_value, "the pack has too few cards for so many hands");
    const auto game = std::make_shared<SoloGame>(rules, shape, seed, first);
    game->open(fantasylands, in_row, known, unordered);
    store(in, out, game);
}

// A game; an action for each card of the street in turn, in the order dealt (the rows from 0, 3: a discard). A SoloStep.
TRIPTYCH_REQUEST(solo_act) {
    const auto game = stored<SoloGame>(in);
    const std::span<const std::uint8_t> actions = in.take(in.within(1, max_draw, "a street has 1 to 17 cards"));
    if (!in.complete()) return;
    SoloStep step;
    if (!game->act(actions, step)) return in.refuse(wrong_value, "this is not a legal placement of the street");
    out.put(step);
}

// A game and a viewer (255: one that may see everything). A SoloView.
TRIPTYCH_REQUEST(solo_look) {
    const auto game = stored<SoloGame>(in);
    const auto viewer = in.number<std::uint8_t>();
    if (in.complete()) out.put(game->view(viewer));
}

// A game, a player; a level (how many of the best placements, how many rollouts in all, whether it looks ahead, its blur); a seed. The
// street's actions.
TRIPTYCH_REQUEST(solo_choose) {
    const auto game = stored<SoloGame>(in);
    const auto player = stored<learn::Model>(in);
    SoloLevel level;
    level.width = in.within(0, 10'000, "too many placements");
    level.rollouts = read_rollouts(in);
    level.lookahead = in.flag();
    level.blur = in.number<double>();
    in.require(level.blur >= 0, "a misjudgement is points from 0 on");
    const auto seed = in.number<std::uint64_t>();
    if (!in.complete()) return;
    if (!game->places_street()) return in.refuse(wrong_value, "no street is to be placed");
    if (!player->plays(game->shape())) return in.refuse(wrong_value, "the player has learned another game");
    for (const std::uint8_t action : game->choose(*player, level, seed)) out.add(action);
}

// A game; what a next fantasyland is worth against one opponent, by its cards from 0 to 17; what each class of row wins of a
// board that is not known: front, middle, back. The actions of the fantasyland in turn; what cannot be legal lies as it came.
TRIPTYCH_REQUEST(solo_set) {
    const auto game = stored<SoloGame>(in);
    Objective objective;
    objective.fantasyland_values = in.numbers<double, max_fantasyland_cards + 1>();
    objective.front_worth = in.numbers<double, front_classes>();
    objective.middle_worth = in.numbers<double, five_classes>();
    objective.back_worth = in.numbers<double, five_classes>();
    objective.has_worth = true;
    if (!in.complete()) return;
    if (!game->sets_fantasyland()) return in.refuse(wrong_value, "no fantasyland is to be set");
    for (const std::uint8_t action : game->set_fantasyland(objective)) out.add(action);
}
