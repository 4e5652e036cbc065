// The other hands' streets, and the best last street of the hand that sees every board (rollout.hpp).
#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

void Rollout::deal_out(const SearchTask& task, Random& random, const std::array<CardSet, max_hands>& discarded, bool rotate_hands, bool track_luck) {
    // With two hands so many cards are left before the last draws that it takes longer than it brings; with jokers, whose rows are
    // slower to read and leave more to other luck, as long.
    track_luck_ = track_luck && task.count > 2 && shape_.deck == deck_size && task.street + 1 < shape_.streets &&
                  LastDrawValue::is_enumerable(shape_, shape_.streets - 2);
    last_draw_luck_.fill(0);
    std::size_t size = 0;
    discarded_ = discarded;
    to_come_ = task.unseen;
    for (const CardSet cards : discarded) to_come_ &= ~cards;
    for (CardSet left = to_come_; left != 0; left &= left - 1) order_[size++] = static_cast<Card>(std::countr_zero(left));
    for (std::size_t i = size; i > 1; --i) std::swap(order_[i - 1], order_[random.below(static_cast<std::uint32_t>(i))]);
    last_ = rules_.scoring == static_cast<RulesTable::Int>(RowScoring::first_to_11) ? task.count : last_to_act(task);
    street_cards_ = size;
    for (std::size_t h = 0; h < task.count; ++h) street_cards_ -= sets_fantasyland(task, h) ? task.hands[h].fantasyland_cards : 0;
    start_.hands = task.hands;
    for (std::size_t h = 0; h < task.count; ++h) {
        BoardInPlay& board = start_.hands[h].board;
        if (board.complete()) board.values = board_values(rules_, board.cards.data());
    }
    start_.own = discarded;
    start_.placed_by_others = 0;
    start_.placed_later = 0;
    unseen_by_others_ = task.unseen | hidden_cards(task, random);
    start_.live.clear();
    start_.last = nullptr;
    start_.finishes.clear();
    used_ = 0;
    turns_ = 1;
    fork_ = shape_.streets;
    if (rotate_hands) {
        fork_ = std::max(task.street + 1, shape_.streets - (shape_.streets - 1) / 2);
        if (fork_ < shape_.streets) turns_ = std::max<std::size_t>(1, dealt_to(task, fork_));
        if (turns_ == 1) fork_ = shape_.streets;
    }
    std::size_t next = 0;
    play_others(task, start_, task.street, fork_, 0, next);
    const std::size_t forked = next;
    for (std::size_t street = fork_; street < shape_.streets; ++street) next += shape_.dealt[street] * turns_;
    set_fantasylands(task, size, next);
    for (std::size_t turn = 0; fork_ < shape_.streets && turn < turns_; ++turn) {
        next = forked;
        by_turn_[turn] = start_;
        play_others(task, by_turn_[turn], fork_, shape_.streets, turn, next);
    }
    for (std::size_t h = 0; h < task.count; ++h) used_ |= h == task.me ? 0 : start_.own[h];
}

CardSet Rollout::hidden_cards(const SearchTask& task, Random& random) const {
    CardSet cards = ((CardSet{1} << shape_.deck) - 1) & ~task.unseen;
    for (std::size_t h = 0; h < task.count; ++h) {
        const BoardInPlay& board = task.hands[h].board;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < board.rows[row].size; ++i) cards &= ~bit(board.cards[row_start[row] + i]);
        }
    }
    if (task.hands[task.me].fantasyland_cards > 0) return cards;
    const auto dealt = static_cast<std::uint32_t>(shape_.dealt[task.street]);
    const auto placed = static_cast<std::uint32_t>(shape_.placed[task.street]);
    const std::uint32_t first = placed < dealt ? random.below(dealt) : 0;  // discarded, with those behind it
    for (std::uint32_t i = 0; i < placed; ++i) cards &= ~bit(task.cards[(first + dealt - placed + i) % dealt]);
    return cards;
}

void Rollout::play_others(const SearchTask& task, PartialDeal& deal, std::size_t from, std::size_t to, std::size_t turn, std::size_t& next) {
    for (std::size_t street = from; street < to; ++street) {
        const std::size_t dealt = shape_.dealt[street];
        const std::size_t drawing = dealt_to(task, street);
        const bool last = street + 1 == shape_.streets;
        if (last && track_luck_) {
            last_cards_ = 0;
            for (std::size_t i = next; i < street_cards_; ++i) last_cards_ |= bit(order_[i]);
        }
        std::size_t place = turn;
        for (std::size_t h = 0; h < task.count; ++h) {
            if (!is_dealt(task, h, street)) continue;
            KnownHand& hand = deal.hands[h];
            const Card* cards = &order_[next + dealt * (place++ % drawing)];
            for (std::size_t i = 0; i < dealt; ++i) deal.own[h] |= bit(cards[i]);
            if (last && h != task.me) add_luck(h, hand.board, cards);
            if (h == task.me) {
                deal.own_street[street] = cards;
                for (std::size_t i = dealt - static_cast<std::size_t>(shape_.placed[street]); i < dealt; ++i) deal.placed_later |= bit(cards[i]);
                deal.live.emplace_back(task.unseen & ~(deal.own[h] | deal.placed_by_others));
            } else if (h == last_ && last) {
                deal.last = cards;
            } else {
                const Placement placement = place_street(
                    hand.board, cards, street, [&] { return LiveCards(unseen_by_others_ & ~(deal.own[h] | deal.placed_later | deal.placed_by_others)); });
                for (std::size_t i = 0; i < dealt; ++i) {
                    if (((placement.row[0] | placement.row[1] | placement.row[2]) >> i & 1U) != 0) deal.placed_by_others |= bit(cards[i]);
                }
                hand.streets_done = street + 1;
            }
        }
        next += dealt * drawing;
    }
}

const FinishedPlacement& Rollout::best_finish(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t h,
                                              const std::vector<FinishedPlacement>& finishes) const {
    Objective objective;
    objective.rules = &rules_;
    objective.unknown = 0;
    for (std::size_t n = 0; n <= max_fantasyland_cards; ++n) {
        objective.fantasyland_values[n] = static_cast<double>(task.fantasyland_values[n]) * static_cast<double>(opponents_of(rules_, h, task.count));
    }
    for (std::size_t other = 0; other < task.count; ++other) {
        if (!play_each_other(rules_, h, other, task.count - 1)) continue;
        Opponent& board = objective.opponents[objective.opponent_count++];
        board.rows = values_of(rules_, hands[other].board);
        board.fouled = !is_legal(rules_, board.rows);
        if (!board.fouled) board.royalties = row_royalties(rules_, board.rows);
        if (rules_.deuce_of_spades != 0) board.deuce = deuce_row(hands[other].board.cards.data());
    }
    const double foul = objective.foul_value();
    PairDues between;
    if (task.stacks.known) between = dues_between(task, hands, h);
    const FinishedPlacement* best = nullptr;
    double best_points = -std::numeric_limits<double>::infinity();
    for (const FinishedPlacement& finished : finishes) {
        const RowValues& rows = finished.rows;
        const std::size_t deuce = rules_.deuce_of_spades != 0 ? deuce_row(finished.cards.data()) : row_count;
        const bool legal = is_legal(rules_, rows);
        double points = legal ? objective.value(rows, deuce) : foul;
        if (task.stacks.known) {
            const int next = legal ? next_fantasyland(rules_, rows, row_royalties(rules_, rows), 0, 0) : 0;
            between.fantasyland[h] = static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(next)]);
            set_dues(task, between.points, h, objective.from_each(rows, legal, deuce));
            points += task.stacks.change(rules_, h, task.count, between.points, between.fantasyland);
        }
        if (best == nullptr || points > best_points) {
            best_points = points;
            best = &finished;
        }
    }
    return *best;
}

Rollout::PairDues Rollout::dues_between(const SearchTask& task, const std::array<KnownHand, max_hands>& hands, std::size_t excluded) const {
    std::array<Hand, max_hands> scored{};
    for (std::size_t h = 0; h < task.count; ++h) {
        const HandKind kind = h == excluded ? HandKind::surrender : HandKind::board;
        scored[h] = {kind, all_rows_mask, hands[h].fantasyland_cards, hands[h].fantasyland_in_row, static_cast<std::uint8_t>(h), hands[h].board.cards};
    }
    DealScore score;
    score_deal(rules_, scored.data(), task.count, score);
    PairDues result;
    for (std::size_t pair = 0; pair < max_pairs; ++pair) result.points[pair] = score.pairs[pair].total();
    for (std::size_t h = 0; h < task.count; ++h) {
        result.fantasyland[h] = static_cast<double>(task.fantasyland_values[static_cast<std::size_t>(score.hands[h].next_fantasyland)]);
    }
    return result;
}

void Rollout::set_dues(const SearchTask& task, DueList& points, std::size_t h, const std::array<double, max_opponents>& each) const {
    std::size_t pair = 0;
    std::size_t next = 0;
    for (std::size_t a = 0; a < task.count; ++a) {
        for (std::size_t b = a + 1; b < task.count; ++b, ++pair) {
            if ((a != h && b != h) || !play_each_other(rules_, a, b, task.count - 1)) continue;
            points[pair] = a == h ? each[next++] : -each[next++];
        }
    }
}

void Rollout::set_fantasylands(const SearchTask& task, std::size_t size, std::size_t dealt) {
    for (std::size_t h = 0; h < task.count; ++h) {
        KnownHand& hand = start_.hands[h];
        if (!sets_fantasyland(task, h)) continue;
        if (size < dealt + hand.fantasyland_cards) return;  // cannot happen at a table whose deck suffices
        size -= hand.fantasyland_cards;
        for (std::size_t i = 0; i < hand.fantasyland_cards; ++i) start_.own[h] |= bit(order_[size + i]);
        hand.board.cards = setter_.set(hand, &order_[size], task.fantasyland_values);
        hand.board.values = board_values(rules_, hand.board.cards.data());
    }
}

}  // namespace triptych::learn
