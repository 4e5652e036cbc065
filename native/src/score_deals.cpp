// The scores of many deals: a file of its own, so that the scorer of one deal is compiled for all callers alike.
#include <algorithm>

#include "triptych/score/showdown.hpp"

namespace triptych {

void score_deals(const RulesTable& rules, std::span<const Card> boards, std::size_t count, std::span<const std::uint8_t> fantasylands, const DealColumns& out) {
    const std::size_t deals = boards.size() / (count * board_size);
    const std::size_t pairs = count * (count - 1) / 2;
    DealScore score;
    std::array<Hand, max_hands> hands{};
    for (std::size_t deal = 0; deal < deals; ++deal) {
        const std::size_t first = deal * count;
        for (std::size_t h = 0; h < count; ++h) {
            Hand& hand = hands[h];
            const std::size_t at = 2 * (first + h);
            hand.kind = HandKind::board;
            hand.declared = all_rows_mask;
            hand.owner = static_cast<std::uint8_t>(h);
            hand.fantasyland_cards = fantasylands.empty() ? std::uint8_t{0} : fantasylands[at];
            hand.fantasyland_in_row = fantasylands.empty() ? std::uint8_t{0} : fantasylands[at + 1];
            std::copy_n(boards.data() + (first + h) * board_size, board_size, hand.cards.begin());
        }
        score_deal(rules, hands.data(), count, score);
        for (std::size_t h = 0; h < count; ++h) {
            std::copy_n(score.hands[h].royalties.begin(), row_count, out.royalties + (first + h) * row_count);
            out.legal[first + h] = score.hands[h].offending == 0;
            out.next_fantasyland[first + h] = static_cast<std::uint8_t>(score.hands[h].next_fantasyland);
        }
        for (std::size_t i = 0; i < pairs; ++i) out.pair_points[deal * pairs + i] = score.pairs[i].total();
    }
}

}  // namespace triptych
