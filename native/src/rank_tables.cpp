// Tables that rank rows: filled once, before anything else runs.
#include "triptych/score/rank.hpp"

namespace triptych::detail {

RankTables::RankTables() {
    for (unsigned card = 0; card < deck_size; ++card) { key[card] = weight[card >> 2] | std::uint64_t{1} << (32 + 4 * (card & 3)); }
    fill_five();
    fill_front();
}

void RankTables::fill_five() {
    struct Entry {
        std::uint32_t sum;
        Rank value;
    };
    std::vector<std::vector<Entry>> rows(displacement.size());
    for (int a = 0; a < ranks; ++a)
        for (int b = a; b < ranks; ++b)
            for (int c = b; c < ranks; ++c)
                for (int d = c; d < ranks; ++d)
                    for (int e = d; e < ranks; ++e) {
                        const std::uint32_t sum = weight[a] + weight[b] + weight[c] + weight[d] + weight[e];
                        const Rank five = value_of_ranks({a, b, c, d, e});
                        rows[sum >> displacement_bits].push_back({sum, five});
                        if (a < b && b < c && c < d && d < e) {
                            const unsigned mask = 1U << a | 1U << b | 1U << c | 1U << d | 1U << e;
                            suited[mask] = category(five) == straight ? five + (4U << 20) : five + (5U << 20);
                        }
                    }
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row].empty()) order.push_back(row);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a].size() > rows[b].size(); });
    std::vector<bool> used(slot_count);
    for (std::size_t row : order) {
        std::uint32_t shift = 0;
        const auto clash = [&](const Entry& entry) { return used[shift + (entry.sum & column_mask)]; };
        while (std::any_of(rows[row].begin(), rows[row].end(), clash)) ++shift;
        displacement[row] = static_cast<std::uint16_t>(shift);
        for (const Entry& entry : rows[row]) {
            used[shift + (entry.sum & column_mask)] = true;
            value[shift + (entry.sum & column_mask)] = entry.value;
        }
    }
}

void RankTables::fill_front() {
    for (int a = 0; a < ranks; ++a)
        for (int b = 0; b < ranks; ++b)
            for (int c = 0; c < ranks; ++c) {
                std::array<int, 3> n = {a + 1, b + 1, c + 1};
                std::sort(n.begin(), n.end(), std::greater<>());
                front[static_cast<std::size_t>((a * ranks + b) * ranks + c)] = n[0] == n[2]   ? make_rank(trips, n[0])
                                                                               : n[0] == n[1] ? make_rank(pair, n[0], n[2])
                                                                               : n[1] == n[2] ? make_rank(pair, n[1], n[0])
                                                                                              : make_rank(high_card, n[0], n[1], n[2]);
            }
}

}  // namespace triptych::detail
