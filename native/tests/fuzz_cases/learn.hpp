// Cases for the learner: tables written from outside, self-play, the choice, the search over rollouts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "fuzz_cases/rules.hpp"
#include "triptych/learn/search.hpp"

namespace triptych::fuzz_cases {

inline learn::StrengthThresholds random_strengths(FuzzInput& input) {
    learn::StrengthThresholds strengths{};
    for (auto& row : strengths) {
        for (Rank& bin : row) bin = static_cast<Rank>(input.below(10)) << 20;
    }
    return strengths;
}

inline learn::Outcomes random_outcomes(FuzzInput& input) {
    learn::Outcomes weights{};
    for (std::size_t i = 0; i < learn::outcome_count; ++i) weights[i] = static_cast<float>(input.below(40)) - 20;
    return weights;
}

// Tables are large: one for all cases, as a file of weights would fill it.
inline const learn::ValueFunction& tables(FuzzInput& input) {
    static learn::ValueFunction value(2, learn::Outcomes{});
    static const bool filled = [&] {
        for (std::size_t i = 0; i < value.mean().size(); i += 7) value.mean()[i] = static_cast<float>(input.below(200)) - 100;
        value.set_weights(random_outcomes(input));
        return true;
    }();
    expect(filled, "no tables");
    return value;
}

// Stacks that bound what is paid, some of them in a tournament.
inline learn::StackLimits random_stacks(FuzzInput& input, std::size_t hands) {
    learn::StackLimits stacks;
    for (std::size_t h = 0; h < hands; ++h) stacks.chips[h] = static_cast<double>(input.below(60));
    for (double& stake : stacks.stake) stake = static_cast<double>(1 + input.below(3));
    stacks.point = static_cast<double>(1 + input.below(3));
    stacks.rule.cap = static_cast<PaymentRule::Cap>(input.below(3));
    stacks.rule.bust_stops = input.once_in(2);
    if (input.once_in(3)) stacks.rule.loss_limit = static_cast<double>(input.below(30));
    if (input.once_in(3)) stacks.places = {{50, 30, 20}, std::vector<double>(input.below(4), 25.0)};
    stacks.begin(hands);
    return stacks;
}

// Between two hands the short way and the long way to count are one, as far as the normal distribution is.
inline void check_stacks(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    learn::StackLimits stacks = random_stacks(input, 2);
    stacks.places = {};
    const double points = static_cast<double>(input.below(80)) - 40;
    const StackList fantasyland{static_cast<double>(input.below(3)) * 5, static_cast<double>(input.below(3)) * 5};
    for (std::size_t a = 0; a < 2; ++a) {
        const double all = stacks.change(rules, a, 2, {points}, fantasyland);
        const double two = stacks.change(a, a == 0 ? points : -points, fantasyland[a], fantasyland[1 - a]);
        expect(std::fabs(all - two) < 1e-5, "two hands are not paid alike");
        const double paid = all + (a == 0 ? points + fantasyland[0] - fantasyland[1] : fantasyland[1] - fantasyland[0] - points);
        expect(paid * stacks.point >= -stacks.chips[a] - 1e-3 && paid * stacks.point <= stacks.chips[1 - a] + 1e-3, "more changes hands than there is");
    }
}

// Each hand's own parts of a finished deal: never less than its opponents pay for, and equal to the opponents' parts of the
// other hand.
inline void check_own_parts(FuzzInput& input) {
    RulesTable rules = random_rules(input);
    if (input.once_in(2)) rules.scoring = static_cast<std::int32_t>(RowScoring::per_row_scoop3);
    const std::vector<Card> cards = input.deck(input.below(3));
    learn::SearchTask task;
    task.count = 2 + input.below(3);
    std::array<learn::KnownHand, max_hands> hands{};
    for (std::size_t h = 0; h < task.count; ++h) {
        for (std::size_t i = 0; i < board_size; ++i) hands[h].board.cards[i] = cards[h * board_size + i];
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < row_size[row]; ++i) hands[h].board.rows[row].add(hands[h].board.cards[row_start[row] + i]);
        }
    }
    for (float& value : task.fantasyland_values) value = static_cast<float>(input.below(30));
    const auto alike = [](const learn::OwnParts& a, const learn::OwnParts& b) {
        return std::fabs(a.rows - b.rows) + std::fabs(a.royalties - b.royalties) + std::fabs(a.other - b.other) + std::fabs(a.fantasyland - b.fantasyland) <
               1e-6;
    };
    learn::OwnParts own;
    learn::OwnParts opponents;
    for (task.me = 0; task.me < task.count; ++task.me) {
        const learn::ExpectedPoints result = learn::payoff(rules, task, hands);
        const learn::OwnParts less = result.opponents();
        own.add(result.own);
        opponents.add(less);
        for (const learn::OwnParts& parts : {result.own, less}) {
            expect(parts.rows >= 0 && parts.royalties >= 0 && parts.fantasyland >= 0, "a row, a royalty or a fantasyland that costs its own hand");
            expect(parts.other <= 0 || rules.natural_auto != 0, "a foul that pays its own hand");
        }
        expect(result.fouls > 0 || result.own.other >= 0, "who has not fouled pays for a foul");
    }
    if (static_cast<RowScoring>(rules.scoring) != RowScoring::first_to_11) expect(alike(own, opponents), "what hands bring is not what their opponents pay");
    if (task.count > 2 || !learn::PairPayoff::covers(rules) || rules.natural_auto != 0 || rules.broken_up != 0 || rules.suit_ties != 0) return;
    learn::StackEffectCache changes;
    const learn::PairPayoff payoffs(rules, task.fantasyland_values, task.stacks, changes);
    for (std::size_t me = 0; me < 2; ++me) {
        task.me = me;
        const learn::ExpectedPoints result = learn::payoff(rules, task, hands);
        const learn::FinalBoard mine = payoffs.finish(learn::values_of(rules, hands[me].board), static_cast<std::uint8_t>(me));
        const learn::FinalBoard other = payoffs.finish(learn::values_of(rules, hands[1 - me].board), static_cast<std::uint8_t>(1 - me));
        const learn::OwnParts both = payoffs.own_parts(mine, other, payoffs.paid(mine, other));
        expect(alike(both, result.own), "a duel's own parts are not those of the scorer");
    }
}

// A table in the middle of a deal: a hand that acts before `me` has done one street more. Of some hands it is known which
// cards came on which street.
inline learn::SearchTask random_task(FuzzInput& input, const DealShape& shape, const std::vector<Card>& deck) {
    learn::SearchTask task;
    task.count = shape.hands;
    task.me = input.below(shape.hands);
    task.street = input.below(shape.streets);
    std::size_t next = 0;
    CardSet seen = 0;
    for (std::size_t h = 0; h < shape.hands; ++h) {
        learn::KnownHand& hand = task.hands[h];
        if (h != task.me && shape.streets > 1 && input.once_in(5)) {
            hand.fantasyland_cards = static_cast<std::uint8_t>(fantasyland_cards(input));
            hand.fantasyland_in_row = 1;
            continue;
        }
        hand.streets_done = task.street + (h < task.me ? 1 : 0);
        for (std::size_t street = 0; street < hand.streets_done; ++street) {
            for (std::size_t placed = 0; placed < shape.placed[street];) {
                const std::size_t row = input.below(row_count);
                if (hand.board.rows[row].size == row_size[row]) continue;
                hand.board.cards[row_start[row] + hand.board.rows[row].size] = deck[next];
                hand.board.rows[row].add(deck[next]);
                seen |= bit(deck[next++]);
                ++placed;
            }
            for (std::size_t row = 0; row < row_count; ++row) hand.laid[street][row] = static_cast<std::uint8_t>(hand.board.rows[row].size);
        }
        expect(learn::has_consistent_order(hand, shape), "a hand cannot have come as it came");
        hand.in_order = input.once_in(2);
    }
    for (std::size_t i = 0; i < shape.dealt[task.street]; ++i) seen |= bit(task.cards[i] = deck[next++]);
    task.unseen = ((CardSet{1} << shape.deck) - 1) & ~seen;
    for (float& value : task.fantasyland_values) value = static_cast<float>(input.below(30));
    if (input.once_in(2)) task.stacks = random_stacks(input, shape.hands);
    for (float& value : task.temperature) value = static_cast<float>(input.below(4)) / 2;
    if (input.once_in(2)) task.first_street_corrections.correction[input.below(learn::FirstStreetCorrections::count)] = {1, -2, 3, -4};
    return task;
}

inline std::size_t needed(const learn::SearchTask& task, const DealShape& shape) {
    std::size_t cards = 0;
    for (std::size_t h = 0; h < task.count; ++h) {
        cards += task.hands[h].fantasyland_cards;
        const std::size_t first = h == task.me ? task.street + 1 : task.hands[h].streets_done;
        for (std::size_t s = first; s < shape.streets && task.hands[h].fantasyland_cards == 0; ++s) cards += shape.dealt[s];
    }
    return cards;
}

inline void check_search(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    DealShape shape = random_shape(input);
    if (shape.closed) return;
    const learn::StrengthThresholds strengths = random_strengths(input);
    const learn::ValueFunction& value = tables(input);
    const std::vector<Card> deck = input.deck(shape.deck - deck_size);
    const learn::SearchTask task = random_task(input, shape, deck);
    if (needed(task, shape) > static_cast<std::size_t>(std::popcount(task.unseen))) return;
    learn::Search search(value, rules, shape, strengths);
    if (input.once_in(4)) search.use_helper([](const auto& first, const auto& second) { second(), first(); });
    std::vector<learn::Candidate> candidates = search.candidates(task);
    expect(!candidates.empty(), "nothing can be placed");
    Random random(input.seed());
    const learn::KnownHand& mine = task.hands[task.me];
    const learn::Placement first = learn::choose(value, rules, strengths, mine.board, task.cards.data(), shape.dealt[task.street], shape.placed[task.street],
                                                 learn::LiveCards(task.unseen), input.once_in(2) ? 1.0F : 0.0F, random);
    expect(learn::is_placeable(mine.board.rows, first), "a choice that does not fit");
    const std::size_t width = 1 + input.below(4);
    if (input.once_in(2)) search.run(task, candidates, width, 6, input.seed());
    std::vector<std::size_t> chosen(std::min(width, candidates.size()));
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    search.measure(task, candidates, chosen, 2, input.seed(), input.below(3));
    for (const learn::Candidate& candidate : candidates) {
        const double parts = candidate.rows + candidate.royalties + candidate.other + candidate.fantasyland + candidate.stacks;
        expect(std::isfinite(candidate.points), "a placement without points");
        expect(candidate.fouls >= -1e-6 && candidate.fouls <= static_cast<double>(candidate.rollouts) + 1e-6, "an impossible chance of a foul");
        expect(std::fabs(parts) < 1e9, "parts out of bounds");
    }
    learn::OpponentResponses responses(value, rules, shape, strengths);
    if (!input.once_in(8) || !responses.applies(task)) return;
    const learn::ExpectedPoints change = responses.sample_correction(task, first, search.belief().draw(random), random);
    expect(std::isfinite(change.total()) && change.fouls == 0 && change.fantasylands == 0, "answers that bring no points");
}

// Draws of what others discarded are cards that the player does not see, as many as there were, each one once.
inline void check_belief(FuzzInput& input) {
    const RulesTable rules = random_rules(input);
    DealShape shape = random_shape(input);
    if (shape.closed) return;
    const learn::StrengthThresholds strengths = random_strengths(input);
    const std::vector<Card> deck = input.deck(shape.deck - deck_size);
    const learn::SearchTask task = random_task(input, shape, deck);
    if (needed(task, shape) > static_cast<std::size_t>(std::popcount(task.unseen))) return;
    learn::Belief belief(tables(input), rules, shape, strengths);
    belief.update(task, true, input.once_in(4));
    const std::vector<learn::Belief::Slot> slots = belief.slots();
    expect(belief.empty() == slots.empty(), "a belief in nothing");
    for (std::size_t h = 0; h < task.count; ++h) {
        const learn::KnownHand& hand = task.hands[h];
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
        expect(slot.hand != task.me && task.hands[slot.hand].fantasyland_cards == 0, "a hand whose discards are no question");
        expect(slot.street < task.hands[slot.hand].streets_done, "a street that is not played");
        double sum = 0;
        for (std::size_t card = 0; card < slot.chance.size(); ++card) {
            expect(slot.chance[card] >= 0 && (slot.chance[card] == 0 || (task.unseen >> card & 1U) != 0), "an impossible discard");
            sum += static_cast<double>(slot.chance[card]);
        }
        expect(std::fabs(sum - 1) < 1e-3, "chances that do not sum to one");
    }
    const std::uint64_t seed = input.seed();
    Random random(seed);
    Random again(seed);
    for (int draws = 0; draws < 5; ++draws) {
        const auto discarded = belief.draw(random);
        expect(discarded == belief.draw(again), "a draw that its seed does not say");
        CardSet all = 0;
        std::size_t cards = 0;
        for (const CardSet mask : discarded) {
            cards += static_cast<std::size_t>(std::popcount(mask));
            all |= mask;
        }
        expect((all & ~task.unseen) == 0, "a discard that was seen");
        expect(cards == slots.size() && cards == static_cast<std::size_t>(std::popcount(all)), "a wrong number of discards");
    }
}

// A learner of its own, whose game is the same in every run.
inline learn::SelfPlay& learner(std::size_t jokers) {
    const auto made = [](std::uint8_t which) {
        FuzzInput input(&which, 1);
        const RulesTable rules = random_rules(input);
        DealShape shape = random_shape(input);
        while (shape.closed || (shape.deck > deck_size) != (which > 0)) shape = random_shape(input);
        return learn::SelfPlay(rules, shape, random_strengths(input), random_outcomes(input), which > 0 ? 2 : 0, which);
    };
    static std::array<learn::SelfPlay, 2> both = {made(0), made(1)};
    return both[jokers];
}

inline void check_self_play(FuzzInput& input) {
    learn::SelfPlay& play = learner(input.below(2));
    play.pop_stats();
    const std::size_t deals = 1 + input.below(4);
    learn::Method method;
    method.learning = input.once_in(2);
    method.rate = 0.5F;
    method.decay = 0.8F;
    method.noise = input.once_in(2) ? 0.5F : 0.0F;
    method.draws = static_cast<int>(input.below(4));
    method.others = static_cast<int>(input.below(3));
    method.spread = input.once_in(2) ? 0.5F : 0.0F;
    play.play(deals, method);
    for (const learn::BoardInPlay& board : play.boards()) { expect(board.complete() || board.rows[0].size == 0, "a board is not full"); }
    expect(play.stats().deals == deals && play.stats().boards >= 2 * deals, "deals are not counted");
}

}  // namespace triptych::fuzz_cases
