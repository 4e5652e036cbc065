// Opponents' responses by search. In a file of its own, because this search plays as many rollouts as the main one.
#include "triptych/learn/opponent_responses.hpp"

#include <algorithm>
#include <bit>

#include "triptych/learn/search.hpp"

namespace triptych::learn {

OpponentResponses::OpponentResponses(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
    : value_(value), rules_(rules), shape_(shape), strengths_(strengths), search_(std::make_unique<Search>(value, rules, shape, strengths)),
      rollout_(value, rules, shape, strengths) {}

OpponentResponses::~OpponentResponses() = default;

ExpectedPoints OpponentResponses::sample_correction(const SearchTask& task, const Placement& placement, std::array<CardSet, max_hands> discarded,
                                                    Random& random, std::uint64_t max_rollouts) {
    SearchTask next = task;  // of the responding hand
    place(next, task.me, placement);
    discarded[task.me] = unseen_by(next, task.unseen);  // its own discards: others do not see them
    CardSet left = task.unseen;
    for (const CardSet cards : discarded) left &= ~cards;
    ExpectedPoints sum;
    for (std::size_t h = 0; h < task.count; ++h) {
        if (!is_yet_to_act(task, h)) continue;
        next.me = h;
        CardSet drawn = 0;
        for (std::size_t i = 0; i < shape_.dealt[task.street]; ++i) drawn |= bit(next.cards[i] = draw_card(left, random));
        next.unseen &= ~drawn;
        discarded[h] |= drawn;
        const Placement greedy_choice =
            greedy(value_, rules_, strengths_, shape_, task.street, next.hands[h].board, next.cards.data(), LiveCards(unseen_by(next, discarded[h])));
        const Placement response = best_response(next, discarded[h], greedy_choice, random, max_rollouts);
        if (response.row != greedy_choice.row) add(sum, task, next, discarded, response, greedy_choice, random);
        place(next, h, response);
    }
    sum.fouls = sum.fantasylands = 0;
    return sum;
}

void OpponentResponses::place(SearchTask& task, std::size_t h, const Placement& placement) const {
    KnownHand& hand = task.hands[h];
    hand.board.place(placement, task.cards.data(), shape_.dealt[task.street]);
    hand.streets_done = task.street + 1;
    for (std::size_t row = 0; row < row_count; ++row) hand.laid[task.street][row] = hand.board.rows[row].size;
}

Card OpponentResponses::draw_card(CardSet& left, Random& random) {
    CardSet at = left;
    for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(left))); skip > 0; --skip) at &= at - 1;
    const auto card = static_cast<Card>(std::countr_zero(at));
    left &= ~bit(card);
    return card;
}

CardSet OpponentResponses::unseen_by(const SearchTask& task, CardSet own) const {
    CardSet unseen = ((CardSet{1} << shape_.deck) - 1) & ~own;
    for (std::size_t h = 0; h < task.count; ++h) {
        const BoardInPlay& board = task.hands[h].board;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < board.rows[row].size; ++i) unseen &= ~bit(board.cards[row_start[row] + i]);
        }
    }
    return unseen;
}

Placement OpponentResponses::best_response(const SearchTask& next, CardSet own, const Placement& greedy_choice, Random& random, std::uint64_t max_rollouts) {
    SearchTask task = next;
    task.temperature = {};
    task.unseen = unseen_by(task, own);
    std::vector<Candidate> candidates = search_->candidates(task);
    const bool last = task.street + 1 == shape_.streets;
    const auto close = std::ranges::count_if(candidates, [&](const Candidate& candidate) { return candidate.prior > candidates.front().prior - margin; });
    if (close == 1 && !last) return greedy_choice;
    search_->run(task, candidates, last ? width : std::min(width, static_cast<std::size_t>(close)), max_rollouts, random.next(), true);
    return candidates.front().placement;
}

void OpponentResponses::add(ExpectedPoints& sum, const SearchTask& task, const SearchTask& next, const std::array<CardSet, max_hands>& discarded,
                            const Placement& response, const Placement& greedy_choice, Random& random) {
    for (int i = 0; i < continuations; ++i) {
        rollout_.deal_out(next, random, discarded);
        sum.add(payoff(rules_, task, rollout_.finish(next, response)), 1.0 / continuations);
        sum.add(payoff(rules_, task, rollout_.finish(next, greedy_choice)), -1.0 / continuations);
    }
}

}  // namespace triptych::learn
