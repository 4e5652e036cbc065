// Counts of every category over all five-card rows and fronts, and a timing of the enumeration.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "triptych/rank.hpp"

int main() {
    using namespace triptych;
    std::array<int, 11> count{};
    for (Card a = 0; a < 52; ++a)
        for (Card b = a + 1; b < 52; ++b)
            for (Card c = b + 1; c < 52; ++c)
                for (Card d = c + 1; d < 52; ++d)
                    for (Card e = d + 1; e < 52; ++e) {
                        const Rank value = rank5(a, b, c, d, e);
                        ++count[is_royal(value) ? 10 : category(value)];
                    }
    const std::array<int, 11> expected = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 0, 4};
    std::array<int, 4> fronts{};
    for (Card a = 0; a < 52; ++a)
        for (Card b = a + 1; b < 52; ++b)
            for (Card c = b + 1; c < 52; ++c) ++fronts[category(rank3(a, b, c))];
    if (count != expected || fronts != std::array<int, 4>{18304, 3744, 0, 52}) {
        std::puts("rank_test: wrong category counts");
        return EXIT_FAILURE;
    }
    std::puts("rank_test: ok");
    return EXIT_SUCCESS;
}
