// Results of a game that the kernel deals.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "triptych/result.hpp"

namespace triptych {

// A hand as a viewer may see it; card 255 lies face down. `laid`: cards in each row after each street of which the viewer knows.
struct SoloHand {
    static constexpr char name[] = "SoloHand";
    std::uint8_t player = 0, fantasyland = 0, in_row = 0;
    bool face_down = false;
    RowCards rows{};
    std::uint8_t to_discard = 0, holds = 0;
    CardList draws, discards;
    std::vector<std::array<std::uint8_t, row_count>> laid;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("player", player)("fantasyland", fantasyland)("in_row", in_row)("face_down", face_down)("rows", rows)("to_discard", to_discard)("holds", holds)(
            "draws", draws)("discards", discards)("laid", laid);
    }
};

// Hands in the deal's order.
struct SoloView {
    static constexpr char name[] = "SoloView";
    bool over = false;
    std::uint32_t deals = 0;
    std::uint8_t turn = 0, street = 0;
    std::vector<SoloHand> hands;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("over", over)("deals", deals)("turn", turn)("street", street)("hands", hands);
    }
};

// Whether a deal has ended, and then each player's points and the hands as `score_deal` takes them.
struct SoloStep {
    static constexpr char name[] = "SoloStep";
    bool ended = false;
    std::vector<std::int32_t> points;
    std::vector<std::uint8_t> hands;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("ended", ended)("points", points)("hands", hands);
    }
};

}  // namespace triptych
