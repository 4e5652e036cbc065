// A row with each subset of a street's cards, computed in a few steps from the subset without its highest card.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/value_function.hpp"

namespace triptych::learn {

inline constexpr std::size_t max_street_cards = 5;
inline constexpr std::size_t max_subsets = std::size_t{1} << max_street_cards;

// A street's cards by rank.
class StreetCards {
public:
    struct RankedCard {
        std::uint32_t rank;
        std::int32_t live;       // unseen cards of its rank; none of a joker
        std::uint32_t suit;      // as a bit; none of a joker
        std::uint32_t position;  // its place among the cards as they came, as a bit
    };

    StreetCards(const Card* cards, std::size_t count, const LiveCards& live) : count_(count) {
        for (std::size_t i = 0; i < count; ++i) {
            RankedCard card{static_cast<std::uint32_t>(rank_of(cards[i])), 0, 0, 1U << i};
            if (!is_joker(cards[i])) {
                card.live = live.of_rank[card.rank];
                card.suit = 1U << suit_of(cards[i]);
            }
            std::size_t at = i;
            for (; at > 0 && card_[at - 1].rank > card.rank; --at) card_[at] = card_[at - 1];
            card_[at] = card;
        }
    }

    std::size_t count() const { return count_; }
    const RankedCard& operator[](std::size_t i) const { return card_[i]; }

private:
    std::size_t count_;
    std::array<RankedCard, max_street_cards> card_;  // written before it is read
};

// `visit(mask, row)` for every subset of at most `max_added` cards; `mask` has them as they came. A state's index sums what each
// of its cards gives by rank and place: an added card has its share by how many lie below it and how many are added below it.
template <typename Visit>
[[gnu::always_inline]] inline void for_each_row_subset(const PartialRow& placed, const StreetCards& cards, std::size_t max_added, const LiveCards& live,
                                                       const Visit& visit) {
    // By subset; a number of one width each, so that what was just written is read again without a wait.
    std::array<std::uint32_t, max_subsets> shares;
    std::array<std::uint32_t, max_subsets> held;   // ranks, as bits
    std::array<std::uint32_t, max_subsets> suits;  // as bits
    std::array<std::uint32_t, max_subsets> position;
    std::array<std::int32_t, max_subsets> matching;
    shares[0] = held[0] = position[0] = 0;
    suits[0] = placed.suit < 0 ? 0U : placed.suited() ? 1U << placed.suit : 15U;
    matching[0] = 0;
    std::array<std::array<std::uint32_t, row_limit + 1>, row_limit + 1> below;  // what the lying cards below a place give, so many added below them
    for (std::size_t s = 0; s <= max_added; ++s) below[s][0] = 0;
    for (std::size_t i = 0; i < placed.size; ++i) {
        const auto rank = static_cast<std::size_t>(placed.rank[i]);
        for (std::size_t s = 0; s <= max_added; ++s) below[s][i + 1] = below[s][i] + detail::binomial[rank + i + s][i + s + 1];
        if (rank < ranks && (held[0] >> rank & 1U) == 0) matching[0] += live.of_rank[rank];
        held[0] |= 1U << rank;
    }
    std::array<std::array<std::uint32_t, row_limit>, max_street_cards> share;
    for (std::size_t card = 0; card < cards.count(); ++card) {
        const std::size_t rank = cards[card].rank;
        std::size_t lower = 0;
        for (std::size_t i = 0; i < placed.size; ++i) lower += static_cast<std::size_t>(placed.rank[i]) <= rank ? 1 : 0;
        for (std::size_t s = 0; s < max_added; ++s) share[card][s] = detail::binomial[rank + lower + s][lower + s + 1] + below[s][lower] - below[s + 1][lower];
    }
    for (std::size_t subset = 0; subset < (std::size_t{1} << cards.count()); ++subset) {
        const auto size = static_cast<std::size_t>(std::popcount(subset));
        if (size > max_added) continue;
        if (size > 0) {
            const auto top = static_cast<std::size_t>(std::bit_width(subset)) - 1;
            const std::size_t rest = subset ^ std::size_t{1} << top;
            const StreetCards::RankedCard& card = cards[top];
            shares[subset] = shares[rest] + share[top][size - 1];
            matching[subset] = matching[rest] + ((held[rest] >> card.rank & 1U) == 0 ? card.live : 0);
            held[subset] = held[rest] | 1U << card.rank;
            suits[subset] = suits[rest] | card.suit;
            position[subset] = position[rest] | card.position;
        }
        const std::size_t all = placed.size + size;
        const bool suited = (suits[subset] & (suits[subset] - 1)) == 0;
        const std::uint32_t index = detail::multiset_offset[all] + below[size][placed.size] + shares[subset];
        visit(position[subset], RowKey{2 * index + static_cast<std::uint32_t>(suited), static_cast<std::uint32_t>(all), matching[subset],
                                       suited && suits[subset] != 0 ? std::countr_zero(suits[subset]) : -1});
    }
}

}  // namespace triptych::learn
