// A game that is dealt and played in one place, from the first card to the last: seeded decks, one street after the other, and
// what levels of bots choose. Its owner plays all seats; what each of them may know, `view` says.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "triptych/exact/completion.hpp"
#include "triptych/learn/model.hpp"
#include "triptych/learn/search.hpp"
#include "triptych/play/game.hpp"
#include "triptych/play/results.hpp"

namespace triptych {

// How a level of bots chooses: among so many of the best placements by so many rollouts; without any, greedily. `lookahead`: it separates
// close placements apart by what may come next. `blur`: points by which it misjudges each placement.
struct SoloLevel {
    std::uint32_t width = 0;
    std::uint32_t rollouts = 0;
    bool lookahead = false;
    double blur = 0;
};

class SoloGame {
public:
    using Actions = std::vector<std::uint8_t>;  // one for each card of the street, in the order dealt: its row, or a discard

    static constexpr std::uint8_t sees_all = 255;  // a viewer
    static constexpr Card unknown_card = 255;

    // `seed` and `first`: of the decks, and the number of the first one.
    SoloGame(std::shared_ptr<const RulesTable> rules, const GameShape& shape, std::uint64_t seed, std::uint64_t first)
        : rules_(std::move(rules)), shape_(shape), seed_(seed), first_(first) {}

    // Whether the pack has cards enough for a game whose first deal has such fantasylands.
    static bool deck_suffices(const RulesTable& rules, const GameShape& shape, const HandBytes& fantasylands) {
        std::size_t needed = 0;
        for (std::size_t h = 0; h < shape.deal.hands; ++h) needed += std::max<std::size_t>(fantasylands[h], shape.deal.dealt_cards());
        return triptych::deck_suffices(rules, shape) && needed <= shape.deal.deck;
    }

    // Whether cards that the first deal begins with are in the pack, each once.
    static bool can_know(const GameShape& shape, std::span<const Card> cards) {
        CardSet seen = 0;
        for (const Card card : cards) {
            if (card == unknown_card) continue;
            if (card >= shape.deal.deck || (seen & bit(card)) != 0) return false;
            seen |= bit(card);
        }
        return true;
    }

    // `known`: the cards that the first deal begins with; `unknown_card` stands for one of the shuffled ones. `unordered`: a bit for
    // each hand of that deal of which nobody knows on which streets its cards came.
    void open(const HandBytes& fantasylands, const HandBytes& in_row, std::span<const Card> known, std::uint32_t unordered) {
        unordered_ = unordered;
        shuffle(known);
        game_.open(shape_, fantasylands, in_row);
        deal_cards();
    }

    // Whether a street is to be placed, or a fantasyland to be set.
    bool places_street() const { return !game_.over() && !in_fantasyland(); }
    bool sets_fantasyland() const { return !game_.over() && in_fantasyland(); }
    const DealShape& shape() const { return shape_.deal; }

    // One street of the hand in turn. False, and nothing done, when an action is not legal or they are too few or many.
    bool act(std::span<const std::uint8_t> actions, SoloStep& step) {
        if (game_.over() || actions.size() != acting().drawn) return false;
        Game next = game_;
        std::array<std::int32_t, max_hands> points{};
        for (const std::uint8_t action : actions) {
            if (action > discard_card || (next.legal() >> action & 1U) == 0) return false;
            step.ended = next.step(*rules_, shape_, action, points.data());
        }
        game_ = next;
        if (step.ended) {
            step.points.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(shape_.players));
            const auto* hands = reinterpret_cast<const std::uint8_t*>(game_.scored().data());
            step.hands.assign(hands, hands + shape_.deal.hands * sizeof(Hand));
            if (!game_.over()) shuffle({});
        }
        deal_cards();
        return true;
    }

    // What a player may see; `sees_all`: everything.
    SoloView view(std::uint8_t viewer) const {
        const auto small = [](std::size_t value) { return static_cast<std::uint8_t>(value); };
        SoloView view{game_.over(), static_cast<std::uint32_t>(game_.deals()), small(deal().turn), small(deal().street), {}};
        for (std::size_t h = 0; h < shape_.deal.hands; ++h) {
            const SimHand& from = deal().hand[h];
            const bool own = owns(viewer, h);
            const bool acting = !game_.over() && deal().turn == h;
            SoloHand& hand = view.hands.emplace_back();
            hand.player = small(game_.player_of(shape_, h));
            hand.fantasyland = deal().fantasyland[h];
            hand.in_row = deal().in_row[h];
            hand.face_down = deal().face_down(shape_.deal, h);
            for (std::size_t row = 0; row < row_count; ++row) {
                for (const Card card : placed(from, row)) hand.rows[row].add(sees(viewer, h) ? card : unknown_card);
            }
            hand.to_discard = acting ? from.to_discard : 0;
            hand.holds = acting ? from.drawn : 0;
            if (own) hand.draws = CardList({from.draw.data(), hand.holds});
            for (CardSet left = own ? from.discards : 0; left != 0; left &= left - 1) hand.discards.add(static_cast<Card>(std::countr_zero(left)));
            hand.laid.assign(from.laid.begin(), from.laid.begin() + static_cast<std::ptrdiff_t>(ordered_streets(viewer, h)));
        }
        return view;
    }

    // What a level of bots does with the street in turn.
    Actions choose(const learn::Model& model, const SoloLevel& level, std::uint64_t seed) const {
        const learn::SearchTask task = task_of(model);
        if (level.rollouts == 0 && level.blur == 0) {
            std::vector<learn::BoardInPlay> opponents;
            for (std::size_t h = 0; h < task.count; ++h) {
                if (h != task.me) opponents.push_back(task.hands[h].board);
            }
            const learn::BoardInPlay& board = task.hands[task.me].board;
            return actions_of(model.learned().choose(task.street, board, task.cards.data(), task.unseen, opponents, level.lookahead).row);
        }
        learn::Search search(model.value, model.rules, model.shape, model.strengths);
        std::vector<learn::Candidate> candidates = search.candidates(task);
        if (level.rollouts == 0) return actions_of(blurred(candidates, level.blur, seed).row);
        search.run(task, candidates, level.width, search.all_others_finished(task) ? 1 : level.rollouts, seed, true);
        return actions_of(candidates.front().placement.row);
    }

    // The best setting of the fantasyland in turn. `objective`: what a next one is worth against one opponent, and rows against boards that are
    // not known. Where nothing is legal the cards lie as they came.
    Actions set_fantasyland(Objective objective) const {
        const std::size_t me = deal().turn;
        std::size_t opponents = 0;
        for (std::size_t h = 0; h < shape_.deal.hands; ++h) {
            if (!play_each_other(*rules_, me, h, shape_.deal.hands - 1)) continue;
            ++opponents;
            const SimHand& other = deal().hand[h];
            if (cards_placed(other) != board_size || !sees(game_.player_of(shape_, me), h)) continue;
            objective.opponents[objective.opponent_count++] = opponent_of(*rules_, other.board.data());
        }
        objective.rules = rules_.get();
        objective.fantasyland_cards = deal().fantasyland[me];
        objective.fantasyland_in_row = deal().in_row[me];
        objective.unknown = static_cast<int>(opponents - objective.opponent_count);
        for (double& value : objective.fantasyland_values) value *= static_cast<double>(opponents);
        static BoardCompleter completer;
        const Completion& best = completer.solve(objective, FixedRows{}, Pool({acting().draw.data(), acting().drawn}));
        return actions_of(best.legal ? best.masks : as_dealt);
    }

private:
    static constexpr std::array<std::uint32_t, row_count> as_dealt = {0x7, 0xF8, 0x1F00};

    const SimDeal& deal() const { return game_.deal(); }
    const SimHand& acting() const { return deal().hand[deal().turn]; }
    bool in_fantasyland() const { return deal().fantasyland[deal().turn] > 0; }
    bool owns(std::size_t viewer, std::size_t hand) const { return viewer == sees_all || game_.player_of(shape_, hand) == viewer; }
    bool sees(std::size_t viewer, std::size_t hand) const { return owns(viewer, hand) || game_.over() || !deal().face_down(shape_.deal, hand); }

    static std::span<const Card> placed(const SimHand& hand, std::size_t row) { return {&hand.board[row_start[row]], hand.filled[row]}; }
    static std::size_t cards_placed(const SimHand& hand) { return std::size_t{hand.filled[0]} + hand.filled[1] + hand.filled[2]; }

    // Streets of a hand of which a viewer knows what came on them; of a board laid face down nobody ever learns it.
    std::size_t ordered_streets(std::size_t viewer, std::size_t hand) const {
        if (deal().fantasyland[hand] > 0 || (!owns(viewer, hand) && deal().face_down(shape_.deal, hand))) return 0;
        if (game_.deals() == 1 && (unordered_ >> hand & 1U) != 0) return 0;
        const std::size_t cards = cards_placed(deal().hand[hand]);
        std::size_t streets = 0;
        for (std::size_t count = 0; streets < shape_.deal.streets && count < cards; ++streets) count += shape_.deal.placed[streets];
        return streets;
    }

    // The decision of the hand in turn, outside fantasyland, from what its player may know.
    learn::SearchTask task_of(const learn::Model& model) const {
        learn::SearchTask task;
        task.count = shape_.deal.hands;
        task.me = deal().turn;
        task.street = deal().street;
        task.fantasyland_values = model.fantasyland_values;
        task.temperature = model.temperature;
        std::copy_n(acting().draw.begin(), acting().drawn, task.cards.begin());
        task.unseen = ((CardSet{1} << shape_.deal.deck) - 1) & ~acting().dealt;
        const std::size_t viewer = game_.player_of(shape_, task.me);
        for (std::size_t h = 0; h < task.count; ++h) {
            learn::KnownHand& hand = task.hands[h];
            hand.fantasyland_cards = deal().fantasyland[h];
            hand.fantasyland_in_row = hand.fantasyland_cards > 0 ? 1 : 0;
            if (!sees(viewer, h)) continue;
            const SimHand& from = deal().hand[h];
            for (std::size_t row = 0; row < row_count; ++row) {
                for (const Card card : placed(from, row)) {
                    hand.board.add(row, card);
                    task.unseen &= ~bit(card);
                }
            }
            hand.streets_done = deal().street + (h < task.me && hand.fantasyland_cards == 0 ? 1 : 0);
            hand.laid = from.laid;
            hand.in_order = ordered_streets(viewer, h) > 0;
        }
        return task;
    }

    // The best of all placements where each is misjudged by up to some points (the scale of a Gumbel distribution).
    static learn::Placement blurred(const std::vector<learn::Candidate>& candidates, double blur, std::uint64_t seed) {
        Random random(seed);
        const learn::Candidate* best = nullptr;
        double best_points = 0;
        for (const learn::Candidate& candidate : candidates) {
            const double chance = random.unit();
            const double points = static_cast<double>(candidate.prior) - blur * std::log(-std::log(chance > 0 ? chance : 0.5));
            if (best == nullptr || points > best_points) {
                best = &candidate;
                best_points = points;
            }
        }
        return best->placement;
    }

    template <typename Masks>
    Actions actions_of(const Masks& rows) const {
        Actions actions(acting().drawn, discard_card);
        for (std::size_t card = 0; card < actions.size(); ++card) {
            for (std::uint8_t row = 0; row < row_count; ++row) {
                if ((rows[row] >> card & 1U) != 0) actions[card] = row;
            }
        }
        return actions;
    }

    void shuffle(std::span<const Card> known) {
        Random random(seed_, first_ + (game_.deals() == 0 ? 0 : game_.deals() - 1));
        CardSet dealt = 0;
        for (const Card card : known) dealt |= card == unknown_card ? 0 : bit(card);
        Deck deck;
        deck.reset(shape_.deal.deck);
        std::vector<Card> others;
        for (std::uint32_t i = 0; i < shape_.deal.deck; ++i) {
            const Card card = deck.draw(random);
            if ((dealt & bit(card)) == 0) others.push_back(card);
        }
        next_ = 0;
        std::size_t used = 0;
        for (std::size_t i = 0; i < shape_.deal.deck; ++i) deck_[i] = i < known.size() && known[i] != unknown_card ? known[i] : others[used++];
    }

    void deal_cards() {
        const std::size_t count = game_.wanted();
        if (count > 0) game_.give(&deck_[next_], false);
        next_ += count;
    }

    std::shared_ptr<const RulesTable> rules_;
    GameShape shape_;
    std::uint64_t seed_;
    std::uint64_t first_;
    std::uint32_t unordered_ = 0;
    Game game_;
    std::array<Card, deck_size + 2> deck_{};
    std::size_t next_ = 0;  // of the deck
};

}  // namespace triptych
