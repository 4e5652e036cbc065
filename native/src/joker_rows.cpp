// All values of full rows with jokers, read once per process.
#include "triptych/learn/joker_rows.hpp"

namespace triptych::learn {

JokerRows::JokerRows(const RulesTable& rules) {
    span_[front_row].resize(front_states);
    span_[middle_row].resize(row_states);
    span_[back_row].resize(row_states);
    add(rules, front_row);
    add(rules, back_row);
    if (rules.middle_low != 0) add(rules, middle_row);
    else span_[middle_row] = span_[back_row];
}

void JokerRows::add(const RulesTable& rules, Row row) {
    std::vector<Card> real;
    for (std::size_t jokers = 1; jokers <= max_jokers; ++jokers) add(rules, row, real, jokers);
}

void JokerRows::add(const RulesTable& rules, Row row, std::vector<Card>& real, std::size_t jokers) {
    if (real.size() + jokers < row_size[row]) {
        for (int rank = real.empty() ? 0 : rank_of(real.back()); rank < ranks; ++rank) {
            real.push_back(static_cast<Card>(rank * suits));
            add(rules, row, real, jokers);
            real.pop_back();
        }
        return;
    }
    if (std::adjacent_find(real.begin(), real.end()) == real.end()) add(rules, row, real);
    if (real.size() == 1) return;
    ++real[0];
    add(rules, row, real);
    --real[0];
}

void JokerRows::add(const RulesTable& rules, Row row, const std::vector<Card>& real) {
    PartialRow full;
    std::array<Card, board_size> board{};
    for (std::size_t i = 0; i < row_size[row]; ++i) {
        const Card card = i < real.size() ? real[i] : static_cast<Card>(first_joker);
        full.add(card);
        board[row_start[row] + i] = card;
    }
    const std::size_t begin = value_.size();
    for_each_row_value(rules, board.data(), row, bit(first_joker) - 1, [&](Rank value, CardSet) { value_.push_back(value); });
    const auto first = value_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, value_.end(), std::greater<>());
    value_.erase(std::unique(first, value_.end()), value_.end());
    span_[row][full.state()] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(value_.size())};
}

}  // namespace triptych::learn
