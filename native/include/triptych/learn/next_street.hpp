// One-street lookahead: the mean over some draws of the best placement's learned value. One street later the learned value has less
// to predict, so this judges placements far better than the learned value itself.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "triptych/learn/last_draw_value.hpp"

namespace triptych::learn {

// Draws of one street out of the unseen cards. No card comes twice before too few are left for another draw: so every
// card counts about as often, and the mean over the draws varies far less than with independent draws.
class DrawSampler {
public:
    DrawSampler(CardSet unseen, std::uint32_t dealt, Random random) : unseen_(unseen), dealt_(dealt), random_(random) {
        for (CardSet left = unseen; left != 0; left &= left - 1) card_[size_++] = static_cast<Card>(std::countr_zero(left));
        begin_ = size_;
    }

    // The cards of another draw; `left()` are the unseen ones without them.
    const Card* next() {
        if (begin_ + dealt_ > size_) begin_ = 0;
        const Card* drawn = &card_[begin_];
        left_ = unseen_;
        for (std::uint32_t i = 0; i < dealt_; ++i, ++begin_) {
            std::swap(card_[begin_], card_[begin_ + random_.below(size_ - begin_)]);
            left_ &= ~bit(card_[begin_]);
        }
        return drawn;
    }

    CardSet left() const { return left_; }

private:
    CardSet unseen_;
    CardSet left_ = 0;
    std::uint32_t dealt_;
    std::uint32_t size_ = 0;
    std::uint32_t begin_ = 0;
    Random random_;
    std::array<Card, 64> card_{};
};

// The learned value of boards after the best of the placements of a draw. Boards that differ by a placement have most of
// their rows in common: each row is read once.
template <typename Value>
class NextStreetValue {
public:
    NextStreetValue(const Value& value, const DealShape& shape, std::size_t street, std::span<const BoardInPlay> boards)
        : value_(value), dealt_(shape.dealt[street]), placed_(shape.placed[street]), boards_(boards), tables_(boards.size()), first_with_row_(boards.size()) {
        for (std::size_t i = 0; i < boards.size(); ++i) {
            for (std::size_t row = 0; row < row_count; ++row) {
                while (!(boards[first_with_row_[i][row]].rows[row] == boards[i].rows[row])) ++first_with_row_[i][row];
            }
            for (const Placement& placement : placements(dealt_, placed_)) {
                if (is_placeable(boards[i].rows, placement)) fitting_.push_back(placement);
            }
            placement_ends_.push_back(fitting_.size());
        }
    }

    // `visit(i, points)` for every board.
    template <typename Visit>
    void draw(const Card* cards, const LiveCards& live, const Visit& visit) {
        const StreetCards street(cards, dealt_, live);
        std::size_t at = 0;
        for (std::size_t i = 0; i < boards_.size(); ++i) {
            for (std::size_t row = 0; row < row_count; ++row) {
                if (first_with_row_[i][row] < i) tables_[i].copy(row, tables_[first_with_row_[i][row]], dealt_);
                else tables_[i].read(value_, row, boards_[i].rows[row], street, placed_, live);
            }
            float best_points = -std::numeric_limits<float>::max();
            for (; at < placement_ends_[i]; ++at) best_points = std::max(best_points, tables_[i].points(value_, fitting_[at]));
            visit(i, best_points);
        }
    }

private:
    const Value& value_;
    std::size_t dealt_;
    std::size_t placed_;
    std::span<const BoardInPlay> boards_;
    std::vector<RowCache> tables_;
    std::vector<std::array<std::size_t, row_count>> first_with_row_;  // the first board that has this one's row
    std::vector<Placement> fitting_;                                  // board by board
    std::vector<std::size_t> placement_ends_;                         // of a board's placements among them
};

// Whether a lookahead is possible: the next draw is not the last, or can be enumerated.
inline bool can_look_ahead(const DealShape& shape, std::size_t street, CardSet unseen) {
    return std::popcount(unseen) > static_cast<int>(max_street_cards) && (street + 2 < shape.streets || LastDrawValue::is_enumerable(shape, street));
}

// What boards are worth after a street, by so many draws of the next one, the same for all; where the last draw alone is left, by all of them.
inline std::vector<double> lookahead_values(const ValueFunction& value, const RulesTable& rules, const StrengthThresholds& strengths, const DealShape& shape,
                                            std::size_t street, const std::vector<BoardInPlay>& boards, CardSet unseen, std::uint64_t draws) {
    const std::size_t dealt = shape.dealt[street + 1];
    std::vector<double> points;
    if (LastDrawValue::is_enumerable(shape, street)) {
        LastDrawValue last(rules, strengths, value.weights());
        for (const BoardInPlay& board : boards) points.push_back(last.expect(board, unseen, dealt > 1));
        return points;
    }
    points.resize(boards.size());
    DrawSampler next(unseen, static_cast<std::uint32_t>(dealt), Random(unseen, street));
    NextStreetValue then(value, shape, street + 1, boards);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const Card* cards = next.next();
        then.draw(cards, LiveCards(next.left()),
                  [&](std::size_t i, float best_points) { points[i] += static_cast<double>(best_points) / static_cast<double>(draws); });
    }
    return points;
}

}  // namespace triptych::learn
