// Questions to the learner: tables written from outside, self-play, the choice, the search over rollouts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "questions/rules.hpp"
#include "triptych/learn/search.hpp"

namespace triptych::questions {

inline learn::Strengths random_strengths(Chance& chance) {
    learn::Strengths strengths{};
    for (auto& row : strengths) {
        for (Rank& bin : row) bin = static_cast<Rank>(chance.below(10)) << 20;
    }
    return strengths;
}

inline learn::Outcomes random_outcomes(Chance& chance) {
    learn::Outcomes weights{};
    for (std::size_t i = 0; i < learn::outcome_count; ++i) weights[i] = static_cast<float>(chance.below(40)) - 20;
    return weights;
}

// Tables are large: one for all questions, as a file of weights would fill it.
inline const learn::ValueTables& tables(Chance& chance) {
    static learn::ValueTables value(2, learn::Outcomes{});
    static const bool filled = [&] {
        for (std::size_t i = 0; i < value.mean().size(); i += 7) value.mean()[i] = static_cast<float>(chance.below(200)) - 100;
        value.weigh(random_outcomes(chance));
        return true;
    }();
    expect(filled, "no tables");
    return value;
}

// Stacks that bound what is paid, some of them in a tournament.
inline learn::Stacks random_stacks(Chance& chance, std::size_t hands) {
    learn::Stacks stacks;
    for (std::size_t h = 0; h < hands; ++h) stacks.chips[h] = static_cast<double>(chance.below(60));
    for (double& stake : stacks.stake) stake = static_cast<double>(1 + chance.below(3));
    stacks.point = static_cast<double>(1 + chance.below(3));
    stacks.rule.cap = static_cast<PaymentRule::Cap>(chance.below(3));
    stacks.rule.bust_stops = chance.once_in(2);
    if (chance.once_in(3)) stacks.rule.loss_limit = static_cast<double>(chance.below(30));
    if (chance.once_in(3)) stacks.places = {{50, 30, 20}, std::vector<double>(chance.below(4), 25.0)};
    stacks.begin(hands);
    return stacks;
}

// Between two hands the short way and the long way to count are one, as far as the normal distribution is.
inline void ask_stacks(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    learn::Stacks stacks = random_stacks(chance, 2);
    stacks.places = {};
    const double points = static_cast<double>(chance.below(80)) - 40;
    const StackList land{static_cast<double>(chance.below(3)) * 5, static_cast<double>(chance.below(3)) * 5};
    for (std::size_t a = 0; a < 2; ++a) {
        const double all = stacks.change(rules, a, 2, {points}, land);
        const double two = stacks.change(a, a == 0 ? points : -points, land[a], land[1 - a]);
        expect(std::fabs(all - two) < 1e-5, "two hands are not paid alike");
        const double paid = all + (a == 0 ? points + land[0] - land[1] : land[1] - land[0] - points);
        expect(paid * stacks.point >= -stacks.chips[a] - 1e-3 && paid * stacks.point <= stacks.chips[1 - a] + 1e-3,
               "more changes hands than there is");
    }
}

// What each hand of a finished deal brings itself: nothing less than its opponents pay for, and what one brings is what the
// other one's opponent brings.
inline void ask_own_parts(Chance& chance) {
    RulesTable rules = random_rules(chance);
    if (chance.once_in(2)) rules.scoring = static_cast<std::int32_t>(RowScoring::per_row_scoop3);
    const std::vector<Card> cards = chance.deck(chance.below(3));
    learn::SearchTask task;
    task.count = 2 + chance.below(3);
    std::array<learn::SearchHand, max_hands> hands{};
    for (std::size_t h = 0; h < task.count; ++h) {
        for (std::size_t i = 0; i < board_size; ++i) hands[h].board.cards[i] = cards[h * board_size + i];
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < row_size[row]; ++i) hands[h].board.rows[row].add(hands[h].board.cards[row_start[row] + i]);
        }
    }
    for (float& value : task.land_value) value = static_cast<float>(chance.below(30));
    const auto alike = [](const learn::OwnParts& a, const learn::OwnParts& b) {
        return std::fabs(a.rows - b.rows) + std::fabs(a.royalties - b.royalties) + std::fabs(a.other - b.other) + std::fabs(a.land - b.land) < 1e-6;
    };
    learn::OwnParts own;
    learn::OwnParts opponents;
    for (task.me = 0; task.me < task.count; ++task.me) {
        const learn::Expected found = learn::points_of(rules, task, hands);
        const learn::OwnParts less = found.opponents();
        own.add(found.own);
        opponents.add(less);
        for (const learn::OwnParts& one : {found.own, less}) {
            expect(one.rows >= 0 && one.royalties >= 0 && one.land >= 0, "a row, a royalty or a fantasyland that costs its own hand");
            expect(one.other <= 0 || rules.natural_auto != 0, "a foul that pays its own hand");
        }
        expect(found.fouls > 0 || found.own.other >= 0, "who has not fouled pays for a foul");
    }
    if (static_cast<RowScoring>(rules.scoring) != RowScoring::first_to_11) expect(alike(own, opponents), "what hands bring is not what their opponents pay");
    if (task.count > 2 || !learn::Duel::covers(rules) || rules.natural_auto != 0 || rules.broken_up != 0 || rules.suit_ties != 0) return;
    learn::StackChanges changes;
    const learn::Duel duel(rules, task.land_value, task.stacks, changes);
    for (std::size_t me = 0; me < 2; ++me) {
        task.me = me;
        const learn::Expected found = learn::points_of(rules, task, hands);
        const learn::Finish mine = duel.finish(learn::values_of(rules, hands[me].board), static_cast<std::uint8_t>(me));
        const learn::Finish other = duel.finish(learn::values_of(rules, hands[1 - me].board), static_cast<std::uint8_t>(1 - me));
        const learn::OwnParts both = duel.own(mine, other, duel.paid(mine, other));
        expect(alike(both, found.own), "a duel's own parts are not those of the scorer");
    }
}

// A table in the middle of a deal: a hand that acts before `me` has done one street more. Of some hands it is known which
// cards came on which street.
inline learn::SearchTask random_task(Chance& chance, const DealShape& shape, const std::vector<Card>& deck) {
    learn::SearchTask task;
    task.count = shape.hands;
    task.me = chance.below(shape.hands);
    task.street = chance.below(shape.streets);
    std::size_t next = 0;
    CardSet seen = 0;
    for (std::size_t h = 0; h < shape.hands; ++h) {
        learn::SearchHand& hand = task.hands[h];
        if (h != task.me && shape.streets > 1 && chance.once_in(5)) {
            hand.land_cards = static_cast<std::uint8_t>(land_cards(chance));
            hand.land_in_row = 1;
            continue;
        }
        hand.streets_done = task.street + (h < task.me ? 1 : 0);
        for (std::size_t street = 0; street < hand.streets_done; ++street) {
            for (std::size_t placed = 0; placed < shape.placed[street];) {
                const std::size_t row = chance.below(row_count);
                if (hand.board.rows[row].size == row_size[row]) continue;
                hand.board.cards[row_start[row] + hand.board.rows[row].size] = deck[next];
                hand.board.rows[row].add(deck[next]);
                seen |= bit(deck[next++]);
                ++placed;
            }
            for (std::size_t row = 0; row < row_count; ++row) hand.laid[street][row] = static_cast<std::uint8_t>(hand.board.rows[row].size);
        }
        expect(learn::comes_in_order(hand, shape), "a hand cannot have come as it came");
        hand.in_order = chance.once_in(2);
    }
    for (std::size_t i = 0; i < shape.dealt[task.street]; ++i) seen |= bit(task.cards[i] = deck[next++]);
    task.unseen = ((CardSet{1} << shape.deck) - 1) & ~seen;
    for (float& value : task.land_value) value = static_cast<float>(chance.below(30));
    if (chance.once_in(2)) task.stacks = random_stacks(chance, shape.hands);
    for (float& value : task.temperature) value = static_cast<float>(chance.below(4)) / 2;
    if (chance.once_in(2)) task.first_answers.change[chance.below(learn::FirstAnswers::count)] = {1, -2, 3, -4};
    return task;
}

inline std::size_t needed(const learn::SearchTask& task, const DealShape& shape) {
    std::size_t cards = 0;
    for (std::size_t h = 0; h < task.count; ++h) {
        cards += task.hands[h].land_cards;
        const std::size_t first = h == task.me ? task.street + 1 : task.hands[h].streets_done;
        for (std::size_t s = first; s < shape.streets && task.hands[h].land_cards == 0; ++s) cards += shape.dealt[s];
    }
    return cards;
}

inline void ask_search(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    DealShape shape = random_shape(chance);
    if (shape.closed) return;
    const learn::Strengths strengths = random_strengths(chance);
    const learn::ValueTables& value = tables(chance);
    const std::vector<Card> deck = chance.deck(shape.deck - deck_size);
    const learn::SearchTask task = random_task(chance, shape, deck);
    if (needed(task, shape) > static_cast<std::size_t>(std::popcount(task.unseen))) return;
    learn::Search search(value, rules, shape, strengths);
    if (chance.once_in(4)) search.use_helper([](const auto& first, const auto& second) { second(), first(); });
    std::vector<learn::Candidate> field = search.candidates(task);
    expect(!field.empty(), "nothing can be placed");
    Random random(chance.seed());
    const learn::SearchHand& mine = task.hands[task.me];
    const learn::Placement first =
        learn::choose(value, rules, strengths, mine.board, task.cards.data(), shape.dealt[task.street],
                      shape.placed[task.street], learn::LiveCards(task.unseen), chance.once_in(2) ? 1.0F : 0.0F, random);
    expect(learn::fits(mine.board.rows, first), "a choice that does not fit");
    const std::size_t width = 1 + chance.below(4);
    if (chance.once_in(2)) search.run(task, field, width, 6, chance.seed());
    std::vector<std::size_t> chosen(std::min(width, field.size()));
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    search.measure(task, field, chosen, 2, chance.seed(), chance.below(3));
    for (const learn::Candidate& one : field) {
        const double parts = one.rows + one.royalties + one.other + one.land + one.stacks;
        expect(std::isfinite(one.points), "a placement without points");
        expect(one.fouls >= -1e-6 && one.fouls <= static_cast<double>(one.rollouts) + 1e-6, "an impossible chance of a foul");
        expect(std::fabs(parts) < 1e9, "parts out of bounds");
    }
    learn::OpponentResponses replies(value, rules, shape, strengths);
    if (!chance.once_in(8) || !replies.applies(task)) return;
    const learn::Expected change = replies.change(task, first, search.belief().draw(random), random);
    expect(std::isfinite(change.total()) && change.fouls == 0 && change.lands == 0, "answers that bring no points");
}

// Draws of what others discarded are cards that the player does not see, as many as there were, each one once.
inline void ask_belief(Chance& chance) {
    const RulesTable rules = random_rules(chance);
    DealShape shape = random_shape(chance);
    if (shape.closed) return;
    const learn::Strengths strengths = random_strengths(chance);
    const std::vector<Card> deck = chance.deck(shape.deck - deck_size);
    const learn::SearchTask task = random_task(chance, shape, deck);
    if (needed(task, shape) > static_cast<std::size_t>(std::popcount(task.unseen))) return;
    learn::Belief belief(tables(chance), rules, shape, strengths);
    belief.look(task, true, chance.once_in(4));
    const std::vector<learn::Belief::Slot> slots = belief.slots();
    expect(belief.empty() == slots.empty(), "a belief in nothing");
    for (std::size_t h = 0; h < task.count; ++h) {
        const learn::SearchHand& hand = task.hands[h];
        bool tells = false;  // whether anything is believed of its choices
        for (std::size_t street = 0; street < hand.streets_done; ++street) {
            tells = tells || (shape.dealt[street] > shape.placed[street] && task.temperature[street] > 0);
        }
        if (!tells || !hand.in_order || belief.empty() || h == task.me) continue;
        for (std::size_t street = 0; street < hand.streets_done; ++street) {
            const auto of = std::ranges::count_if(slots, [&](const auto& slot) { return slot.hand == h && slot.street == street; });
            expect(of == static_cast<std::ptrdiff_t>(shape.dealt[street] - shape.placed[street]), "a street without its discards");
        }
    }
    for (const learn::Belief::Slot& slot : slots) {
        expect(slot.hand != task.me && task.hands[slot.hand].land_cards == 0, "a hand whose discards are no question");
        expect(slot.street < task.hands[slot.hand].streets_done, "a street that is not played");
        double sum = 0;
        for (std::size_t card = 0; card < slot.chance.size(); ++card) {
            expect(slot.chance[card] >= 0 && (slot.chance[card] == 0 || (task.unseen >> card & 1U) != 0), "an impossible discard");
            sum += static_cast<double>(slot.chance[card]);
        }
        expect(std::fabs(sum - 1) < 1e-3, "chances that do not sum to one");
    }
    const std::uint64_t seed = chance.seed();
    Random random(seed);
    Random again(seed);
    for (int draws = 0; draws < 5; ++draws) {
        const auto discarded = belief.draw(random);
        expect(discarded == belief.draw(again), "a draw that its seed does not say");
        CardSet all = 0;
        std::size_t cards = 0;
        for (const CardSet one : discarded) {
            cards += static_cast<std::size_t>(std::popcount(one));
            all |= one;
        }
        expect((all & ~task.unseen) == 0, "a discard that was seen");
        expect(cards == slots.size() && cards == static_cast<std::size_t>(std::popcount(all)), "a wrong number of discards");
    }
}

// A learner of its own, whose game is the same in every run.
inline learn::SelfPlay& learner(std::size_t jokers) {
    const auto made = [](std::uint8_t which) {
        Chance chance(&which, 1);
        const RulesTable rules = random_rules(chance);
        DealShape shape = random_shape(chance);
        while (shape.closed || (shape.deck > deck_size) != (which > 0)) shape = random_shape(chance);
        return learn::SelfPlay(rules, shape, random_strengths(chance), random_outcomes(chance), which > 0 ? 2 : 0, which);
    };
    static std::array<learn::SelfPlay, 2> both = {made(0), made(1)};
    return both[jokers];
}

inline void ask_self_play(Chance& chance) {
    learn::SelfPlay& play = learner(chance.below(2));
    play.pop_stats();
    const std::size_t deals = 1 + chance.below(4);
    learn::Method method;
    method.learning = chance.once_in(2);
    method.rate = 0.5F;
    method.decay = 0.8F;
    method.noise = chance.once_in(2) ? 0.5F : 0.0F;
    method.draws = static_cast<int>(chance.below(4));
    method.others = static_cast<int>(chance.below(3));
    method.spread = chance.once_in(2) ? 0.5F : 0.0F;
    play.play(deals, method);
    for (const learn::PlayedBoard& board : play.boards()) {
        expect(board.complete() || board.rows[0].size == 0, "a board is not full");
    }
    expect(play.stats().deals == deals && play.stats().boards >= 2 * deals, "deals are not counted");
}

}  // namespace triptych::questions
