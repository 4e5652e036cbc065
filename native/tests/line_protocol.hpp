// What the slow programs of this folder read alike: standard input in lines of a word and integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "triptych/score/showdown.hpp"

namespace triptych {

// Calls `on_line` with each line's first word and its rest. Returns the exit status: 2 as soon as `on_line` returns false.
template <typename OnLine>
int for_each_line(OnLine on_line) {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (!on_line(word, words)) return 2;
    }
    return 0;
}

inline std::vector<std::int32_t> read_numbers(std::istream& words) {
    std::vector<std::int32_t> numbers;
    for (std::int32_t number = 0; words >> number;) numbers.push_back(number);
    return numbers;
}

// False when the numbers are no rules table of this kernel.
inline bool read_rules(const std::vector<std::int32_t>& numbers, RulesTable& rules) {
    if (numbers.size() != rules_size) return false;
    std::memcpy(&rules, numbers.data(), sizeof rules);
    return true;
}

inline Hand finished_board(const std::vector<Card>& cards) {
    Hand hand{HandKind::board, 7, 0, 0, 0, {}};
    std::copy_n(cards.begin(), std::min<std::size_t>(cards.size(), board_size), hand.cards.begin());
    return hand;
}

}  // namespace triptych
