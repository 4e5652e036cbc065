// The value of the best setting of 13 to 17 cards by trying every one of them with the scorer: what the solver is held
// against. It shares nothing with the solver.
//
// Reads lines "RULES n…" (integers of the rules table), "LAND cards in_row value" (value of the next fantasyland),
// "AGAINST 13 cards" (once for each opponent) and "CARDS n…"; for each CARDS line prints "legal value back middle front" and forgets the
// opponents. Of equal values it takes the highest back, then middle, then front, and prints those values too.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "triptych/deal.hpp"

using namespace triptych;

namespace {

struct Question {
    RulesTable rules{};
    int land_cards = 0;
    int land_in_row = 0;
    double land_value = 0;
    std::vector<Hand> opponents;
};

double value_of(const Question& asked, const std::array<Card, board_size>& board, RowValues& rows, bool& legal) {
    Hand hand{HandKind::board, 7, static_cast<std::uint8_t>(asked.land_cards),
              static_cast<std::uint8_t>(asked.land_in_row), 0, board};
    rows = board_values(asked.rules, board.data());
    legal = is_legal(asked.rules, rows);
    if (!legal) return 0;
    const double land = next_fantasyland(asked.rules, rows, asked.land_cards, asked.land_in_row) > 0
                            ? asked.land_value : 0.0;
    if (asked.opponents.empty()) {
        const RowPoints royalties = row_royalties(asked.rules, rows);
        return royalties[0] + royalties[1] + royalties[2] + land;
    }
    std::vector<Hand> hands = {hand};
    hands.insert(hands.end(), asked.opponents.begin(), asked.opponents.end());
    for (std::size_t i = 0; i < hands.size(); ++i) hands[i].owner = static_cast<std::uint8_t>(i);
    DealScore score;
    score_deal(asked.rules, hands.data(), hands.size(), score);
    int points = 0;
    for (std::size_t i = 0; i < asked.opponents.size(); ++i) points += score.pairs[i].total();
    return points + land;
}

void try_all(const Question& asked, const std::vector<Card>& cards) {
    const unsigned all = (1U << cards.size()) - 1;
    double best = -std::numeric_limits<double>::infinity();
    std::array<Rank, row_count> best_rows{};
    bool any = false;
    std::array<Card, board_size> board;
    const auto lay = [&](unsigned mask, std::size_t at) {
        for (; mask != 0; mask &= mask - 1) board[at++] = cards[static_cast<std::size_t>(std::countr_zero(mask))];
    };
    for (unsigned front = 0; front <= all; ++front) {
        if (std::popcount(front) != 3) continue;
        lay(front, row_start[front_row]);
        for (unsigned middle = all & ~front; middle != 0; middle = (middle - 1) & all & ~front) {
            if (std::popcount(middle) != 5) continue;
            lay(middle, row_start[middle_row]);
            const unsigned rest = all & ~front & ~middle;
            for (unsigned back = rest; back != 0; back = (back - 1) & rest) {
                if (std::popcount(back) != 5) continue;
                lay(back, row_start[back_row]);
                bool legal = false;
                RowValues rows;
                const double value = value_of(asked, board, rows, legal);
                if (!legal) continue;
                any = true;
                const std::array<Rank, row_count> order = {rows[back_row], rows[middle_row], rows[front_row]};
                if (value > best || (value == best && order > best_rows)) {
                    best = value;
                    best_rows = order;
                }
            }
        }
    }
    std::cout << any << ' ' << (any ? best : 0) << ' ' << best_rows[0] << ' ' << best_rows[1] << ' ' << best_rows[2]
              << std::endl;
}

}  // namespace

int main() {
    Question asked;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "LAND") {
            words >> asked.land_cards >> asked.land_in_row >> asked.land_value;
            continue;
        }
        std::vector<std::int32_t> numbers;
        for (std::int32_t number = 0; words >> number;) numbers.push_back(number);
        if (word == "RULES") {
            if (numbers.size() != rules_size) return 2;
            std::memcpy(&asked.rules, numbers.data(), sizeof asked.rules);
        } else if (word == "AGAINST") {
            Hand hand{HandKind::board, 7, 0, 0, 0, {}};
            for (std::size_t i = 0; i < board_size; ++i) hand.cards[i] = static_cast<Card>(numbers.at(i));
            asked.opponents.push_back(hand);
        } else if (word == "CARDS") {
            try_all(asked, {numbers.begin(), numbers.end()});
            asked.opponents.clear();
        }
    }
}
