// What full rows with jokers can be, by their states: every value, highest first, read once a process. It serves rules whose best
// legal choice is found from the back up (score/jokers.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "triptych/learn/row_state.hpp"
#include "triptych/score/jokers.hpp"

namespace triptych::learn {

class JokerRows {
public:
    // By all that such rules say of it.
    static const JokerRows& of(const RulesTable& rules) {
        if (rules.five_of_a_kind != 0) return rules.wheel_second != 0 ? read<3>(rules) : read<2>(rules);
        return rules.wheel_second != 0 ? read<1>(rules) : read<0>(rules);
    }

    // The highest value of a full row with jokers that is at most `most`; 0 = none is.
    Rank highest(const PartialRow& row, Rank most) const {
        const Span& span = span_[row.state()];
        const Rank* begin = value_.data() + span.begin;
        const Rank* end = begin + span.count;
        const Rank* found = std::lower_bound(begin, end, most, std::greater<>());
        return found == end ? 0 : *found;
    }

private:
    static constexpr std::size_t most_jokers = 2;

    struct Span {
        std::uint32_t begin = 0;
        std::uint32_t count = 0;
    };

    template <int kind>
    static const JokerRows& read(const RulesTable& rules) {
        static const JokerRows rows(rules);
        return rows;
    }

    explicit JokerRows(const RulesTable& rules) : span_(row_states) {
        std::array<Card, row_limit> cards{};
        for (const Row row : {front_row, back_row}) {
            for (std::size_t jokers = 1; jokers <= most_jokers; ++jokers) add(rules, row, cards, 0, row_size[row] - jokers, 0);
        }
    }

    // Every set of ranks for its `real` cards, of which some are `laid`, of one suit and of several.
    void add(const RulesTable& rules, Row row, std::array<Card, row_limit>& cards, std::size_t laid, std::size_t real, int least) {
        for (int rank = least; laid < real && rank < ranks; ++rank) {
            cards[laid] = static_cast<Card>(rank * suits);
            add(rules, row, cards, laid + 1, real, rank);
        }
        if (laid < real) return;
        std::fill(cards.begin() + static_cast<std::ptrdiff_t>(real), cards.end(), static_cast<Card>(first_joker));
        add(rules, row, cards);
        if (real == 1) return;
        ++cards[0];
        add(rules, row, cards);
        --cards[0];
    }

    void add(const RulesTable& rules, Row row, const std::array<Card, row_limit>& cards) {
        PartialRow full;
        std::array<Card, board_size> board{};
        for (std::size_t i = 0; i < row_size[row]; ++i) {
            full.add(cards[i]);
            board[row_start[row] + i] = cards[i];
        }
        std::vector<Rank> values;
        each_row_value(rules, board.data(), row, bit(first_joker) - 1, [&](Rank value, CardSet) { values.push_back(value); });
        std::sort(values.begin(), values.end(), std::greater<>());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        span_[full.state()] = {static_cast<std::uint32_t>(value_.size()), static_cast<std::uint32_t>(values.size())};
        value_.insert(value_.end(), values.begin(), values.end());
    }

    std::vector<Span> span_;  // by state
    std::vector<Rank> value_;
};

}  // namespace triptych::learn
