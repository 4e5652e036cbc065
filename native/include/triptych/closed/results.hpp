// Results of the closed solver.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "triptych/closed/solver.hpp"
#include "triptych/result.hpp"

namespace triptych {

// A setting of thirteen cards: mean points, royalties, chances to win and to lose each row and all three.
struct ClosedBoard {
    static constexpr char name[] = "ClosedBoard";
    CardList board;  // front first
    bool legal = false;
    double points = 0;
    RowPoints royalties{};
    std::array<double, row_count> won{}, lost{};
    double scoops = 0, scooped = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("board", board)("legal", legal)("points", points)("royalties", royalties)("won", won)("lost", lost)("scoops", scoops)("scooped", scooped);
    }

    ClosedBoard(const ClosedValue& value, const Card* cards)
        : board(board_of(value.setting, cards)), legal(value.setting.offending == 0), points(value.points), royalties(value.setting.royalties), won(value.won),
          lost(value.lost), scoops(value.scoops), scooped(value.scooped) {}
    ClosedBoard() = default;
};

// How many settings there are, how many of them legal, and the best ones, the best first.
struct ClosedRanking {
    static constexpr char name[] = "ClosedRanking";
    std::uint32_t settings = 0;
    std::uint32_t legal = 0;
    std::vector<ClosedBoard> best;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("settings", settings)("legal", legal)("best", best);
    }

    ClosedRanking(std::span<const ClosedValue> values, const Card* cards, std::size_t top) : settings(static_cast<std::uint32_t>(values.size())) {
        for (const ClosedValue& value : values) legal += value.setting.offending == 0 ? 1 : 0;
        for (const ClosedValue& value : values.first(std::min(top, values.size()))) best.emplace_back(value, cards);
    }
    ClosedRanking() = default;
};

// What thirteen cards can do: points of a surrender and of their natural, and their settings.
struct ClosedChoice {
    static constexpr char name[] = "ClosedChoice";
    double surrender = 0, natural = 0;
    ClosedRanking ranking;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("surrender", surrender)("natural", natural)("ranking", ranking);
    }

    // `top` 0: the best setting and its points alone, without going through all.
    ClosedChoice(ClosedSolver& solver, const OpponentSamples& table, const Card* cards, std::size_t top) {
        std::vector<ClosedValue> values;
        if (top == 0) values = {solver.best(table, cards)};
        else solver.rank(table, cards, values);
        surrender = solver.value_without_board(table, table.surrender());
        natural = solver.value_without_board(table, table.natural(best_natural(table.rules(), cards)));
        ranking = ClosedRanking(values, cards, std::max<std::size_t>(top, 1));
    }
    ClosedChoice() = default;
};

// Points of playing a finished board and of surrendering it.
struct ClosedPlay {
    static constexpr char name[] = "ClosedPlay";
    double play = 0, surrender = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("play", play)("surrender", surrender);
    }

    ClosedPlay(ClosedSolver& solver, const OpponentSamples& table, const Card* board)
        : play(solver.value(table, board).points), surrender(solver.value_without_board(table, table.surrender())) {}
    ClosedPlay() = default;
};

}  // namespace triptych
