// What the jokers of a board stand for, row by row.
#include "triptych/score/jokers.hpp"

namespace triptych {

Rank highest_value(const RulesTable& rules, const Card* board, Row row, CardSet free, Rank limit) {
    Rank highest = 0;
    for_each_row_value(rules, board, row, free, [&](Rank value, CardSet) {
        if (value > highest && value <= limit) highest = value;
    });
    return highest;
}

RowOptions row_options(const RulesTable& rules, const Card* board, Row row, CardSet free) {
    RowOptions options;
    for_each_row_value(rules, board, row, free, [&](Rank value, CardSet set) { options.add(value, set); });
    options.sort();
    return options;
}

RowValues joker_row_values(const RulesTable& rules, const Card* board) {
    CardSet own = 0;
    for (int i = 0; i < board_size; ++i) own |= bit(board[i]);
    constexpr CardSet real_cards = bit(first_joker) - 1;
    const CardSet free = rules.joker_off_board != 0 ? real_cards & ~own : real_cards;
    if (maximises_from_back(rules)) {
        return values_from_the_back(rules, [&](Row row, Rank limit) { return highest_value(rules, board, row, free, limit); });
    }
    return joker_row_values(rules, row_options(rules, board, front_row, free), row_options(rules, board, middle_row, free),
                            row_options(rules, board, back_row, free));
}

}  // namespace triptych
