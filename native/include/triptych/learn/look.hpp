// The greedy choice with a closer look: placements that the learned value puts close together are told apart by what
// may come next. Where only the last draw is left all of it is counted; earlier a few draws of the next street are
// tried, the same for each placement.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "triptych/learn/ahead.hpp"

namespace triptych::learn {

class Look {
public:
    // All found on bench/decisions, within 20 µs a move.
    static constexpr std::size_t most_counted = 8;  // placements
    static constexpr float counted_margin = 4;      // points behind the best, then the learned value is trusted
    static constexpr std::size_t most_tried = 4;
    static constexpr float tried_margin = 1;
    static constexpr int draws = 14;  // in which each unseen card comes about once
    static constexpr float trust = 4;  // draws that tell two placements apart as well as the learned value does

    Look(const ValueTables& value, const RulesTable& rules, const Strengths& strengths, const DealShape& shape, CardSet unseen)
        : value_(value), rules_(rules), strengths_(strengths), shape_(shape), unseen_(unseen) {}

    Placement choose(std::size_t street, const PlayedBoard& board, const Card* cards) {
        const bool counted = LastDraw::counts(shape_, street);
        const bool tried = !counted && street + 1 < shape_.streets;
        if ((!counted && !tried) || std::popcount(unseen_) <= static_cast<int>(max_street_cards)) {
            return greedy(value_, rules_, strengths_, shape_, street, board, cards, LiveCards(unseen_));
        }
        find(street, board, cards, counted ? most_counted : most_tried, counted ? counted_margin : tried_margin);
        if (count_ == 1) return best_[0].placement;
        for (std::size_t i = 0; i < count_; ++i) {
            boards_[i] = board;
            boards_[i].place(best_[i].placement, cards, shape_.dealt[street]);
        }
        counted ? count_last(street) : try_next(street);
        return std::max_element(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(count_),
                                [](const Seen& a, const Seen& b) { return a.points < b.points; })
            ->placement;
    }

private:
    struct Seen {
        float points = 0;
        Placement placement;
    };

    // The best placements by the learned value, best first.
    void find(std::size_t street, const PlayedBoard& board, const Card* cards, std::size_t most, float margin) {
        const RowTable table(value_, board.rows, cards, shape_.dealt[street], LiveCards(unseen_));
        count_ = 0;
        for (const Placement& placement : placements(shape_.dealt[street], shape_.placed[street])) {
            if (!fits(board.rows, placement)) continue;
            const float points = table.points(value_, placement);
            if (count_ == most && points <= best_[count_ - 1].points) continue;
            std::size_t at = count_ < most ? count_++ : count_ - 1;
            for (; at > 0 && points > best_[at - 1].points; --at) {
                best_[at].points = best_[at - 1].points;
                best_[at].placement = best_[at - 1].placement;
            }
            best_[at].points = points;
            best_[at].placement = placement;
        }
        while (count_ > 1 && best_[count_ - 1].points < best_[0].points - margin) --count_;
    }

    void count_last(std::size_t street) {
        LastDraw draw(rules_, strengths_, value_.weights());
        for (std::size_t i = 0; i < count_; ++i) {
            best_[i].points = static_cast<float>(draw.expect(boards_[i], unseen_, shape_.dealt[street + 1] > 1));
        }
    }

    void try_next(std::size_t street) {
        NextDraws next(unseen_, shape_.dealt[street + 1], Random(unseen_, street));
        NextStreet then(value_, shape_, street + 1, std::span(boards_).first(count_));
        for (std::size_t i = 0; i < count_; ++i) best_[i].points *= trust;
        for (int draw = 0; draw < draws; ++draw) {
            const Card* cards = next.next();
            then.draw(cards, LiveCards(next.left()), [&](std::size_t i, float most) { best_[i].points += most; });
        }
    }

    const ValueTables& value_;
    const RulesTable& rules_;
    const Strengths& strengths_;
    const DealShape& shape_;
    CardSet unseen_;
    std::array<Seen, most_counted> best_;
    std::array<PlayedBoard, most_counted> boards_;  // after each of them
    std::size_t count_ = 0;
};

}  // namespace triptych::learn
