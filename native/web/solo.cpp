// A game that is played here from the first card to the last: seeded decks, one street after the other, and what the
// levels of bots choose. Who asks plays all seats; what each of them may know, `solo_look` says.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "model.hpp"
#include "abi.hpp"
#include "triptych/exact/completion.hpp"
#include "triptych/learn/look.hpp"
#include "triptych/play/game.hpp"
#include "triptych/play/results.hpp"

using namespace triptych;
using namespace triptych::web;

namespace {

constexpr std::uint8_t nobody = 255;  // may look at everything
constexpr Card hidden = 255;

class Solo {
public:
    Solo(std::shared_ptr<const RulesTable> rules, const GameShape& shape, std::uint64_t seed, std::uint64_t first)
        : rules_(std::move(rules)), shape_(shape), seed_(seed), first_(first) {}

    // `given`: the cards that the first deal begins with; `hidden` stands for one of the shuffled ones. `untold`: a bit for
    // each hand of that deal of which nobody knows in which order they came.
    void open(const HandBytes& lands, const HandBytes& in_row, const std::vector<Card>& given, std::uint32_t untold) {
        untold_ = untold;
        shuffle(given);
        game_.open(shape_, lands, in_row);
        serve();
    }

    const RulesTable& rules() const { return *rules_; }
    const GameShape& shape() const { return shape_; }
    const Game& game() const { return game_; }
    const SimDeal& deal() const { return game_.deal(); }
    const SimHand& acting() const { return deal().hand[deal().turn]; }
    bool in_land() const { return deal().fantasyland[deal().turn] > 0; }
    std::size_t player_of(std::size_t hand) const { return game_.player_of(shape_, hand); }

    // One street of the hand in turn. False, and nothing done, when an action is not legal or they are too few or many.
    bool act(std::span<const std::uint8_t> actions, bool& ended, std::array<std::int32_t, max_hands>& points) {
        if (game_.over() || actions.size() != acting().drawn) return false;
        Game next = game_;
        ended = false;
        for (const std::uint8_t action : actions) {
            if (action > discard_card || (next.legal() >> action & 1U) == 0) return false;
            ended = next.step(*rules_, shape_, action, points.data());
        }
        game_ = next;
        if (ended && !game_.over()) shuffle({});
        serve();
        return true;
    }

    bool sees(std::size_t viewer, std::size_t hand) const {
        return viewer == nobody || player_of(hand) == viewer || game_.over() || !deal().face_down(shape_.deal, hand);
    }

    // Streets of a hand of which a player knows what came on them; of a board laid face down nobody ever learns it.
    std::size_t told(std::size_t viewer, std::size_t hand) const {
        const bool own = viewer == nobody || player_of(hand) == viewer;
        if (deal().fantasyland[hand] > 0 || (!own && deal().face_down(shape_.deal, hand))) return 0;
        if (game_.deals() == 1 && (untold_ >> hand & 1U) != 0) return 0;
        const auto& filled = deal().hand[hand].filled;
        const std::size_t lying = filled[0] + filled[1] + filled[2];
        std::size_t streets = 0;
        for (std::size_t placed = 0; streets < shape_.deal.streets && placed < lying; ++streets) placed += shape_.deal.placed[streets];
        return streets;
    }

    CardSet laid(std::size_t hand) const {
        CardSet cards = 0;
        const SimHand& of = deal().hand[hand];
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t slot = 0; slot < of.filled[row]; ++slot) cards |= bit(of.board[row_start[row] + slot]);
        }
        return cards;
    }

    // The decision of the hand in turn, outside fantasyland, from what its player may know.
    learn::SearchTask task(const Model& player) const {
        learn::SearchTask task;
        task.count = shape_.deal.hands;
        task.me = deal().turn;
        task.street = deal().street;
        task.land_value = player.land_value;
        task.temperature = player.temperature;
        std::copy_n(acting().draw.begin(), acting().drawn, task.cards.begin());
        task.unseen = ((CardSet{1} << shape_.deal.deck) - 1) & ~acting().dealt;
        for (std::size_t h = 0; h < task.count; ++h) {
            learn::SearchHand& into = task.hands[h];
            into.land_cards = deal().fantasyland[h];
            into.land_in_row = into.land_cards > 0 ? 1 : 0;
            if (!sees(player_of(task.me), h)) continue;
            task.unseen &= ~laid(h);
            const SimHand& from = deal().hand[h];
            for (std::size_t row = 0; row < row_count; ++row) {
                for (std::size_t slot = 0; slot < from.filled[row]; ++slot) {
                    const Card card = from.board[row_start[row] + slot];
                    into.board.cards[row_start[row] + slot] = card;
                    into.board.rows[row].add(card);
                }
            }
            into.streets_done = deal().street + (h < task.me && into.land_cards == 0 ? 1 : 0);
            into.laid = from.laid;
            into.in_order = told(player_of(task.me), h) > 0;
        }
        return task;
    }

    // The finished boards that the hand in turn sees and plays; how many it plays in all.
    std::vector<const Card*> open_boards(std::size_t& rivals) const {
        std::vector<const Card*> boards;
        const std::size_t me = deal().turn;
        rivals = 0;
        for (std::size_t h = 0; h < shape_.deal.hands; ++h) {
            if (!play_each_other(*rules_, me, h, shape_.deal.hands - 1)) continue;
            ++rivals;
            const SimHand& other = deal().hand[h];
            const bool whole = other.filled[0] + other.filled[1] + other.filled[2] == board_size;
            if (whole && sees(player_of(me), h)) boards.push_back(other.board.data());
        }
        return boards;
    }

private:
    void shuffle(const std::vector<Card>& given) {
        Random random(seed_, first_ + (game_.deals() == 0 ? 0 : game_.deals() - 1));
        CardSet known = 0;
        for (const Card card : given) known |= card == hidden ? 0 : bit(card);
        Deck deck;
        deck.reset(shape_.deal.deck);
        std::vector<Card> rest;
        for (std::uint32_t i = 0; i < shape_.deal.deck; ++i) {
            const Card card = deck.draw(random);
            if ((known & bit(card)) == 0) rest.push_back(card);
        }
        dealt_ = 0;
        std::size_t used = 0;
        for (std::size_t i = 0; i < shape_.deal.deck; ++i) order_[i] = i < given.size() && given[i] != hidden ? given[i] : rest[used++];
    }

    void serve() {
        if (game_.wanted() == 0) return;
        const std::size_t count = game_.wanted();
        game_.give(&order_[dealt_], false);
        dealt_ += count;
    }

    std::shared_ptr<const RulesTable> rules_;
    GameShape shape_;
    std::uint64_t seed_;
    std::uint64_t first_;
    std::uint32_t untold_ = 0;
    Game game_;
    std::array<Card, deck_size + 2> order_{};
    std::size_t dealt_ = 0;
};

// A placement as one action a card of the street, in the order dealt.
void write_actions(const std::array<std::uint32_t, row_count>& rows, std::size_t cards, Writer& out) {
    for (std::size_t card = 0; card < cards; ++card) {
        std::uint8_t action = discard_card;
        for (std::uint8_t row = 0; row < row_count; ++row) {
            if ((rows[row] >> card & 1U) != 0) action = row;
        }
        out.add(action);
    }
}

bool same_game(const Solo& solo, const Model& player) {
    const DealShape& mine = solo.shape().deal;
    return mine.deck == player.shape.deck && mine.streets == player.shape.streets && mine.dealt == player.shape.dealt &&
           mine.placed == player.shape.placed;
}

// The most liked of all placements, each misjudged by up to some points (the scale of a Gumbel distribution).
learn::Placement misjudged(const std::vector<learn::Candidate>& field, double blur, std::uint64_t seed) {
    Random random(seed);
    const learn::Candidate* best = nullptr;
    double most = 0;
    for (const learn::Candidate& candidate : field) {
        const double chance = random.unit();
        const double liked = static_cast<double>(candidate.prior) - blur * std::log(-std::log(chance > 0 ? chance : 0.5));
        if (best == nullptr || liked > most) {
            best = &candidate;
            most = liked;
        }
    }
    return best->placement;
}

}  // namespace

// Rules; how the game is dealt (hands, jokers, streets), whether fantasylands follow, whether the button moves between
// them, whether the only hand outside fantasyland lies face down; a seed and the number of its first deck; of each hand the cards of its fantasyland, 0 for none, and how many in a
// row; the cards that the first deal begins with (255: one of the shuffled); a bit for each hand of it of which nobody knows
// in which order they came. Its number.
TRIPTYCH_QUESTION(solo_begin) {
    const auto rules = stored<RulesTable>(in);
    GameShape shape;
    shape.deal = read_shape(in);
    shape.players = shape.deal.hands;
    shape.chain = in.within(0, 1, "0 or 1 expected") == 1;
    shape.button_moves = in.within(0, 1, "0 or 1 expected") == 1;
    shape.deal.alone_hides = in.within(0, 1, "0 or 1 expected") == 1;
    const auto seed = in.number<std::uint64_t>();
    const auto first = in.number<std::uint64_t>();
    HandBytes lands{};
    HandBytes in_row{};
    for (std::size_t h = 0; h < shape.deal.hands && !in.refused(); ++h) {
        lands[h] = static_cast<std::uint8_t>(in.within(0, max_draw, "a fantasyland has at most 17 cards"));
        in.need(lands[h] == 0 || lands[h] >= board_size, "a fantasyland has at least 13 cards");
        in_row[h] = static_cast<std::uint8_t>(in.within(0, 255, "too many fantasylands in a row"));
    }
    const std::span<const std::uint8_t> raw = in.take(std::min<std::size_t>(in.number<std::uint8_t>(), shape.deal.deck));
    const std::vector<Card> given(raw.begin(), raw.end());
    CardSet seen = 0;
    for (const Card card : given) {
        if (card == hidden) continue;
        in.need(card < shape.deal.deck && (seen & bit(card)) == 0, "a card is not in the pack, or given twice");
        if (card < shape.deal.deck) seen |= bit(card);
    }
    const std::uint32_t untold = in.within(0, (1U << shape.deal.hands) - 1, "there is no such hand");
    if (!in.complete()) return;
    std::size_t streets = 0;
    for (std::size_t s = 0; s < shape.deal.streets; ++s) streets += shape.deal.dealt[s];
    std::size_t needed = 0;
    for (std::size_t h = 0; h < shape.deal.hands; ++h) needed += std::max<std::size_t>(lands[h], streets);
    if (!deck_suffices(*rules, shape) || needed > shape.deal.deck) return in.refuse(wrong_value, "the pack has too few cards for so many hands");
    const auto solo = std::make_shared<Solo>(rules, shape, seed, first);
    solo->open(lands, in_row, given, untold);
    store(in, out, solo);
}

// A game; an action for each card of the street in turn, in the order dealt (the rows from 0, 3: thrown away). A SoloStep.
TRIPTYCH_QUESTION(solo_act) {
    const auto solo = stored<Solo>(in);
    const std::span<const std::uint8_t> actions = in.take(in.within(1, max_draw, "a street has 1 to 17 cards"));
    if (!in.complete()) return;
    bool ended = false;
    std::array<std::int32_t, max_hands> points{};
    if (!solo->act(actions, ended, points)) return in.refuse(wrong_value, "this is no legal placement of the street");
    SoloStep step{ended, {}, {}};
    if (ended) {
        step.points.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(solo->shape().players));
        const auto* hands = reinterpret_cast<const std::uint8_t*>(solo->game().scored().data());
        step.hands.assign(hands, hands + solo->shape().deal.hands * sizeof(Hand));
    }
    out.put(step);
}

// A game and who looks (255: whoever may see everything). A SoloView.
TRIPTYCH_QUESTION(solo_look) {
    const auto solo = stored<Solo>(in);
    const auto viewer = in.number<std::uint8_t>();
    if (!in.complete()) return;
    const SimDeal& deal = solo->deal();
    const bool over = solo->game().over();
    const auto small = [](std::size_t value) { return static_cast<std::uint8_t>(value); };
    SoloView view{over, static_cast<std::uint32_t>(solo->game().deals()), small(deal.turn), small(deal.street), {}};
    for (std::size_t h = 0; h < solo->shape().deal.hands; ++h) {
        const SimHand& hand = deal.hand[h];
        const std::size_t player = solo->player_of(h);
        const bool own = viewer == nobody || player == viewer;
        const bool acting = !over && deal.turn == h;
        SoloHand& seen = view.hands.emplace_back();
        seen.player = small(player);
        seen.fantasyland = deal.fantasyland[h];
        seen.in_row = deal.in_row[h];
        seen.face_down = deal.face_down(solo->shape().deal, h);
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t slot = 0; slot < hand.filled[row]; ++slot) seen.rows[row].add(solo->sees(viewer, h) ? hand.board[row_start[row] + slot] : hidden);
        }
        seen.to_discard = acting ? hand.to_discard : 0;
        seen.holds = acting ? hand.drawn : 0;
        for (std::size_t i = 0; i < seen.holds && own; ++i) seen.draws.add(hand.draw[i]);
        for (CardSet left = own ? hand.discards : 0; left != 0; left &= left - 1) seen.discards.add(static_cast<Card>(std::countr_zero(left)));
        for (std::size_t street = 0; street < solo->told(viewer, h); ++street) {
            seen.laid.push_back({hand.laid[street][0], hand.laid[street][1], hand.laid[street][2]});
        }
    }
    out.put(view);
}

// A game, a player; how many of the best placements, how many rollouts in all; whether it tells close placements apart by
// what may come next; points by which it misjudges; a seed. Without rollouts it is greedy. The street's actions.
TRIPTYCH_QUESTION(solo_choose) {
    const auto solo = stored<Solo>(in);
    const auto player = stored<Model>(in);
    const std::uint32_t width = in.within(0, 10'000, "too many placements");
    const std::uint32_t rollouts = in.within(0, most_rollouts, "too many rollouts at once");
    const bool looking = in.within(0, 1, "0 or 1 expected") == 1;
    const double blur = in.number<double>();
    in.need(blur >= 0, "a misjudgement is points from 0 on");
    const auto seed = in.number<std::uint64_t>();
    if (!in.complete()) return;
    if (solo->game().over() || solo->in_land()) return in.refuse(wrong_value, "no street is to be placed");
    if (!same_game(*solo, *player)) return in.refuse(wrong_value, "the player has learned another game");
    const learn::SearchTask task = solo->task(*player);
    learn::Placement best;
    if (rollouts > 0 || blur > 0) {
        learn::Search search(player->value, player->rules, player->shape, player->strengths);
        std::vector<learn::Candidate> field = search.candidates(task);
        if (rollouts > 0) {
            search.run(task, field, width, search.settled(task) ? 1 : rollouts, seed, true);
            best = field.front().placement;
        } else {
            best = misjudged(field, blur, seed);
        }
    } else {
        const learn::PlayedBoard& board = task.hands[task.me].board;
        std::vector<learn::PlayedBoard> rivals;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (h != task.me) rivals.push_back(task.hands[h].board);
        }
        best = looking ? learn::Look(player->value, player->rules, player->strengths, player->shape, task.unseen, rivals).choose(task.street, board, task.cards.data())
                       : learn::greedy(player->value, player->rules, player->strengths, player->shape, task.street, board, task.cards.data(), learn::LiveCards(task.unseen));
    }
    write_actions({best.row[0], best.row[1], best.row[2]}, solo->acting().drawn, out);
}

// A game; what a next fantasyland is worth against one opponent, by its cards from 0 to 17; what each class of row wins of a
// board that is not known: front, middle, back. The actions of the fantasyland in turn; what cannot be legal lies as it came.
TRIPTYCH_QUESTION(solo_set) {
    const auto solo = stored<Solo>(in);
    Goal goal;
    goal.land_value = in.numbers<double, most_land_cards + 1>();
    goal.front_worth = in.numbers<double, front_classes>();
    goal.middle_worth = in.numbers<double, five_classes>();
    goal.back_worth = in.numbers<double, five_classes>();
    goal.has_worth = true;
    if (!in.complete()) return;
    if (solo->game().over() || !solo->in_land()) return in.refuse(wrong_value, "no fantasyland is to be set");
    std::size_t rivals = 0;
    const std::vector<const Card*> boards = solo->open_boards(rivals);
    const SimHand& mine = solo->acting();
    goal.rules = &solo->rules();
    goal.land_cards = solo->deal().fantasyland[solo->deal().turn];
    goal.land_in_row = solo->deal().in_row[solo->deal().turn];
    goal.unknown = static_cast<int>(rivals - boards.size());
    for (double& value : goal.land_value) value *= static_cast<double>(rivals);
    for (const Card* board : boards) goal.opponents[goal.opponent_count++] = opponent_of(solo->rules(), board);
    Pool pool;
    for (std::size_t i = 0; i < mine.drawn; ++i) {
        if (is_joker(mine.draw[i])) pool.jokers |= 1U << pool.count;
        pool.cards[pool.count++] = mine.draw[i];
    }
    static Completer completer;
    const Completion& best = completer.solve(goal, FixedRows{}, pool);
    if (best.legal) write_actions({best.masks[0], best.masks[1], best.masks[2]}, mine.drawn, out);
    else write_actions({0x7, 0xF8, 0x1F00}, mine.drawn, out);
}
