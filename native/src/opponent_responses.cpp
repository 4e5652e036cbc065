// What the others' answers change, searched for: compiled once, for this search plays as many as the one that asks.
#include "triptych/learn/opponent_responses.hpp"

#include <algorithm>
#include <bit>

#include "triptych/learn/search.hpp"

namespace triptych::learn {

OpponentResponses::OpponentResponses(const ValueTables& value, const RulesTable& rules, const DealShape& shape, const Strengths& strengths)
    : value_(value), rules_(rules), shape_(shape), strengths_(strengths), search_(std::make_unique<Search>(value, rules, shape, strengths)),
      playout_(value, rules, shape, strengths) {}

OpponentResponses::~OpponentResponses() = default;

Expected OpponentResponses::change(const SearchTask& task, const Placement& placement, std::array<CardSet, max_hands> discarded, Random& random, std::uint64_t most) {
    SearchTask next = task;  // of whoever answers
    place(next, task.me, placement);
    discarded[task.me] = unseen_by(next, task.unseen);  // what it discarded itself: others do not see it
    CardSet left = task.unseen;
    for (const CardSet cards : discarded) left &= ~cards;
    Expected sum;
    for (std::size_t h = 0; h < task.count; ++h) {
        if (!answers(task, h)) continue;
        next.me = h;
        CardSet drawn = 0;
        for (std::size_t i = 0; i < shape_.dealt[task.street]; ++i) drawn |= bit(next.cards[i] = take(left, random));
        next.unseen &= ~drawn;
        discarded[h] |= drawn;
        const Placement slip = greedy(value_, rules_, strengths_, shape_, task.street, next.hands[h].board, next.cards.data(),
                                      LiveCards(unseen_by(next, discarded[h])));
        const Placement answer = best(next, discarded[h], slip, random, most);
        if (answer.row != slip.row) add(sum, task, next, discarded, answer, slip, random);
        place(next, h, answer);
    }
    sum.fouls = sum.lands = 0;
    return sum;
}

void OpponentResponses::place(SearchTask& task, std::size_t h, const Placement& placement) const {
    SearchHand& hand = task.hands[h];
    hand.board.place(placement, task.cards.data(), shape_.dealt[task.street]);
    hand.streets_done = task.street + 1;
    for (std::size_t row = 0; row < row_count; ++row) hand.laid[task.street][row] = hand.board.rows[row].size;
}

Card OpponentResponses::take(CardSet& left, Random& random) {
    CardSet at = left;
    for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(left))); skip > 0; --skip) at &= at - 1;
    const auto card = static_cast<Card>(std::countr_zero(at));
    left &= ~bit(card);
    return card;
}

CardSet OpponentResponses::unseen_by(const SearchTask& task, CardSet own) const {
    CardSet unseen = ((CardSet{1} << shape_.deck) - 1) & ~own;
    for (std::size_t h = 0; h < task.count; ++h) {
        const PlayedBoard& board = task.hands[h].board;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < board.rows[row].size; ++i) unseen &= ~bit(board.cards[row_start[row] + i]);
        }
    }
    return unseen;
}

Placement OpponentResponses::best(const SearchTask& next, CardSet own, const Placement& slip, Random& random, std::uint64_t most) {
    SearchTask task = next;
    task.temperature = {};
    task.unseen = unseen_by(task, own);
    std::vector<Candidate> field = search_->candidates(task);
    const bool last = task.street + 1 == shape_.streets;
    const auto near = std::ranges::count_if(field, [&](const Candidate& one) { return one.prior > field.front().prior - margin; });
    if (near == 1 && !last) return slip;
    search_->run(task, field, last ? width : std::min(width, static_cast<std::size_t>(near)), most, random.next(), true);
    return field.front().placement;
}

void OpponentResponses::add(Expected& sum, const SearchTask& task, const SearchTask& next, const std::array<CardSet, max_hands>& discarded, const Placement& answer,
                  const Placement& slip, Random& random) {
    for (int i = 0; i < continuations; ++i) {
        playout_.deal_out(next, random, discarded);
        sum.add(points_of(rules_, task, playout_.finish(next, answer)), 1.0 / continuations);
        sum.add(points_of(rules_, task, playout_.finish(next, slip)), -1.0 / continuations);
    }
}

}  // namespace triptych::learn
