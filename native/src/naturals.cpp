// The naturals of thirteen cards.
#include "triptych/score/naturals.hpp"

namespace triptych {

namespace {

// Counts that most kinds need.
struct ThirteenCards {
    std::array<Card, 13> cards{};
    std::array<int, ranks> of_rank{};
    std::array<int, suits> of_suit{};
    int low = 12;
    int high = 0;
    bool jokers = false;

    explicit ThirteenCards(const Card* thirteen) {
        std::copy_n(thirteen, 13, cards.begin());
        jokers = std::any_of(cards.begin(), cards.end(), is_joker);
        if (jokers) return;
        for (Card card : cards) {
            ++of_rank[static_cast<std::size_t>(rank_of(card))];
            ++of_suit[static_cast<std::size_t>(suit_of(card))];
            low = std::min(low, rank_of(card));
            high = std::max(high, rank_of(card));
        }
    }
    int groups(int size) const {
        return static_cast<int>(std::count_if(of_rank.begin(), of_rank.end(), [&](int n) { return n >= size; }));
    }
    int pairs() const {
        int n = 0;
        for (int count : of_rank) n += count / 2;
        return n;
    }
    int within(int first, int last) const {
        int n = 0;
        for (int rank = first; rank <= last; ++rank) n += of_rank[static_cast<std::size_t>(rank)];
        return n;
    }
    int of_one_colour() const {
        const int red = of_suit[1] + of_suit[2];
        return std::max(red, 13 - red);
    }
    // One odd rank, of three cards: quads count as two pairs.
    bool five_pairs_and_trips() const {
        int odd = 0;
        bool has_trips = false;
        for (int count : of_rank) {
            odd += count & 1;
            has_trips = has_trips || count == 3;
        }
        return odd == 1 && has_trips;
    }
    NaturalKey pair_key() const {
        NaturalKey key{};
        std::size_t next = 0;
        for (int rank = ranks - 1; rank >= 0; --rank) {
            for (int n = of_rank[static_cast<std::size_t>(rank)] / 2; n > 0; --n) key[next++] = static_cast<Rank>(rank + 1);
        }
        return key;
    }
};

// Height of three cards as a straight: 2..13 for A23..QKA, 0 for none; `second` puts A23 between JQK and QKA.
Rank front_straight(unsigned rank_mask, bool second) {
    if (rank_mask == 0x1003U) return second ? make_rank(straight, 12, 1) : make_rank(straight, 2);
    const int low = std::countr_zero(rank_mask);
    return rank_mask == 7U << low ? make_rank(straight, low + 3) : 0;
}

// Best split of 13 cards into three straights and/or flushes by back, then middle, then front.
class Split {
public:
    Split(const RulesTable& rules, const ThirteenCards& hand, bool straights, bool flushes)
        : cards_(hand.cards), second_(rules.wheel_second != 0), straights_(straights), flushes_(flushes) {
        if (straights && !flushes && hand.groups(4) > 0) return;
        for (unsigned back = 0; back < 1U << 13; ++back) {
            if (std::popcount(back) != 5) continue;
            const Rank value = five(back);
            if (value == 0 || value < best_[0]) continue;
            split_middle(0x1FFFU & ~back, value);
        }
    }
    bool exists() const { return best_[0] != 0; }
    const NaturalKey& key() const { return best_; }

private:
    void split_middle(unsigned rest, Rank back) {
        for (unsigned middle = rest; middle != 0; middle = (middle - 1) & rest) {
            if (std::popcount(middle) != 5) continue;
            const Rank value = five(middle);
            if (value == 0) continue;
            const Rank front = three(rest & ~middle);
            if (front != 0) best_ = std::max(best_, NaturalKey{back, value, front});
        }
    }
    // Value of five cards given by position, 0 when they are not of the wanted kind.
    Rank five(unsigned places) const {
        std::array<Card, 5> row{};
        for (std::size_t i = 0; i < 5; ++i, places &= places - 1) row[i] = cards_[static_cast<std::size_t>(std::countr_zero(places))];
        const Rank value = rank5(row.data());
        const std::uint32_t cat = category(value);
        if (straights_ && cat != straight && cat != straight_flush) return 0;
        if (flushes_ && cat != flush && cat != straight_flush) return 0;
        return second_ ? wheel_second(value) : value;
    }
    Rank three(unsigned places) const {
        std::array<Card, 3> row{};
        for (std::size_t i = 0; i < 3; ++i, places &= places - 1) row[i] = cards_[static_cast<std::size_t>(std::countr_zero(places))];
        const bool one_suit = suit_of(row[0]) == suit_of(row[1]) && suit_of(row[1]) == suit_of(row[2]);
        if (flushes_ && !one_suit) return 0;
        if (!straights_) return rank3(row.data());
        return front_straight(1U << rank_of(row[0]) | 1U << rank_of(row[1]) | 1U << rank_of(row[2]), second_);
    }

    std::array<Card, 13> cards_;
    bool second_;
    bool straights_;
    bool flushes_;
    NaturalKey best_{};
};

// Suits that 5 + 5 + 3 cards of one suit each can use.
bool can_split_into_flushes(const ThirteenCards& hand) {
    int fives = 0;
    int threes = 0;
    for (int count : hand.of_suit) {
        if (count == 0) continue;
        if (count == 3) ++threes;
        else if (count == 5) ++fives;
        else if (count == 8) ++fives, ++threes;
        else if (count == 10) fives += 2;
        else if (count == 13) fives += 2, ++threes;
        else return false;
    }
    return fives == 2 && threes == 1;
}

// Rank counts of 13 cards, four bits a rank.
constexpr std::uint64_t pack_rank_counts(const std::array<int, ranks>& of_rank) {
    std::uint64_t counts = 0;
    for (std::size_t rank = 0; rank < of_rank.size(); ++rank) counts |= static_cast<std::uint64_t>(of_rank[rank]) << (4 * rank);
    return counts;
}

// The rank counts of two straights of five and one of three, rising.
struct StraightCounts {
    static constexpr std::size_t fives = 10;
    static constexpr std::size_t threes = 12;
    std::array<std::uint64_t, fives*(fives + 1) / 2 * threes> counts{};
    constexpr StraightCounts() {
        std::size_t next = 0;
        for (std::size_t a = 0; a < fives; ++a)
            for (std::size_t b = a; b < fives; ++b)
                for (std::size_t c = 0; c < threes; ++c) counts[next++] = straight_of(a, 5) + straight_of(b, 5) + straight_of(c, 3);
        std::sort(counts.begin(), counts.end());
    }
    // The `low`-th straight of so many cards; the first has the ace below the deuce.
    static constexpr std::uint64_t straight_of(std::size_t low, std::size_t size) {
        std::array<int, ranks> of_rank{};
        for (std::size_t i = 0; i < size; ++i) ++of_rank[(low + i + ranks - 1) % ranks];
        return pack_rank_counts(of_rank);
    }
};
constexpr StraightCounts straight_counts;

// Suits do not matter: three straights can be made exactly when the ranks are those of three straights.
bool may_split_in_straights(const ThirteenCards& hand) {
    return std::binary_search(straight_counts.counts.begin(), straight_counts.counts.end(), pack_rank_counts(hand.of_rank));
}

bool holds(const RulesTable& rules, const ThirteenCards& hand, NaturalKind kind, NaturalKey& key) {
    constexpr int six = 4;
    constexpr int eight = 6;
    constexpr int nine = 7;
    constexpr int jack = 9;
    constexpr int king = 11;
    constexpr int ace = 12;
    switch (kind) {
        case NaturalKind::one_suit_dragon:
            return std::ranges::count(hand.of_suit, 13) == 1;
        case NaturalKind::dragon:
            return hand.groups(1) == 13;
        case NaturalKind::twelve_pictures:
            return hand.within(jack, ace) >= 12;
        case NaturalKind::three_quads:
            return hand.groups(4) == 3;
        case NaturalKind::all_eight_and_above:
            return hand.low >= eight;
        case NaturalKind::all_eight_and_below:
            return hand.high <= eight;
        case NaturalKind::one_colour:
        case NaturalKind::thirteen_of_one_colour:
            return hand.of_one_colour() == 13;
        case NaturalKind::twelve_of_one_colour:
            return hand.of_one_colour() >= 12;
        case NaturalKind::four_trips:
            return hand.groups(3) == 4;
        case NaturalKind::five_pairs_and_trips:
            return hand.five_pairs_and_trips();
        case NaturalKind::no_JQK:
            return hand.within(jack, king) == 0;
        case NaturalKind::no_TJQKA:
            return hand.high <= nine;
        case NaturalKind::all_pictures:
            return hand.within(jack, ace) == 13;
        case NaturalKind::six_and_above:
            return hand.low >= six;
        case NaturalKind::six_pairs:
            if (hand.pairs() != 6) return false;
            key = hand.pair_key();
            return true;
        case NaturalKind::three_flushes:
        case NaturalKind::three_straights:
        case NaturalKind::three_straight_flushes: {
            const bool flushes = kind != NaturalKind::three_straights;
            if (flushes && !can_split_into_flushes(hand)) return false;
            if (kind != NaturalKind::three_flushes && !may_split_in_straights(hand)) return false;
            const Split split(rules, hand, kind != NaturalKind::three_flushes, flushes);
            if (split.exists() && kind != NaturalKind::three_straight_flushes) key = split.key();
            return split.exists();
        }
    }
    return false;
}

}  // namespace

HeldNatural best_natural(const RulesTable& rules, const Card* thirteen) {
    HeldNatural best;
    const ThirteenCards hand(thirteen);
    if (hand.jokers) return best;
    for (int entry = 0; entry < rules.natural_count; ++entry) {
        const auto index = static_cast<std::size_t>(entry);
        if (best.entry >= 0 && rules.natural_units[index] <= best.units) continue;
        NaturalKey key{};
        if (holds(rules, hand, static_cast<NaturalKind>(rules.natural_kind[index]), key)) { best = {entry, rules.natural_units[index], key}; }
    }
    return best;
}

namespace detail {

bool has_row_naturals(const RulesTable& rules, bool flushes, bool straights) {
    return std::any_of(rules.natural_kind.begin(), rules.natural_kind.begin() + rules.natural_count, [&](std::int32_t kind) {
        switch (static_cast<NaturalKind>(kind)) {
            case NaturalKind::three_flushes:
                return flushes;
            case NaturalKind::three_straights:
                return straights;
            case NaturalKind::three_straight_flushes:
                return flushes && straights;
            default:
                return false;
        }
    });
}

bool rows_are_natural(const RulesTable& rules, const Card* board) {
    // Few fronts are of one suit or in sequence, so most boards are done here.
    const bool one_suit = suit_of(board[0]) == suit_of(board[1]) && suit_of(board[1]) == suit_of(board[2]);
    const unsigned front = 1U << rank_of(board[0]) | 1U << rank_of(board[1]) | 1U << rank_of(board[2]);
    const bool sequence = front_straight(front, false) != 0;
    if ((!one_suit && !sequence) || std::any_of(board, board + board_size, is_joker)) return false;
    const std::uint32_t back = category(rank5(board + 8));
    const std::uint32_t middle = category(rank5(board + 3));
    const auto both = [&](Category kind) { return (back == kind || back == straight_flush) && (middle == kind || middle == straight_flush); };
    const bool flushes = one_suit && both(flush);
    const bool straights = sequence && both(straight);
    if (!flushes && !straights) return false;
    return has_row_naturals(rules, flushes, straights);
}

}  // namespace detail

bool may_show_natural(const RulesTable& rules, const Card* thirteen) {
    if (rules.natural_auto == 0) return false;
    const ThirteenCards hand(thirteen);
    return !hand.jokers && detail::has_row_naturals(rules, can_split_into_flushes(hand), may_split_in_straights(hand));
}

}  // namespace triptych
