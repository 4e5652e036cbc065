// Greedy policy with a one-street lookahead between placements of nearly the same learned value. Where only the last draw is left,
// it is enumerated; earlier, some draws of the next street are sampled, the same for each placement, and more of them for
// placements that remain close. Near the end, rows are compared with the opponents' open rows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "triptych/learn/next_street.hpp"
#include "triptych/learn/opponent_thresholds.hpp"

namespace triptych::learn {

class RefinedGreedy {
public:
    // All measured on bench/decisions. A move has 20 µs on an idle machine, its view in Python included:
    // docs/explanation/how-bots-learn.md says what it takes.
    static constexpr std::size_t max_enumerated = 10;  // placements
    static constexpr float enumeration_margin = 3;     // points behind the best prior; others are dropped
    static constexpr std::size_t max_sampled = 4;
    static constexpr float sampling_margin = 2;
    static constexpr int rounds = 2;
    static constexpr int draws = 10;             // of each round
    static constexpr float round_margin = 0.4F;  // points behind the best, then a placement is left out of the next round
    static constexpr float prior_samples = 4;    // weight of the learned value, in draws

    // `opponents`: the others' boards, as far as they lie open.
    RefinedGreedy(const ValueFunction& value, const RulesTable& rules, const StrengthThresholds& strengths, const DealShape& shape, CardSet unseen,
                  std::span<const BoardInPlay> opponents)
        : value_(value), rules_(rules), strengths_(strengths), weights_(value.weights()), shape_(shape), unseen_(unseen), opponents_(opponents) {}

    Placement choose(std::size_t street, const BoardInPlay& board, const Card* cards) {
        const bool last = street + 1 == shape_.streets;
        const bool enumerable = LastDrawValue::is_enumerable(shape_, street);
        if (last || enumerable) adjust_thresholds(rules_, opponents_, strengths_, weights_);
        if (last) return choose_final_placement(weights_, rules_, strengths_, board, cards, shape_.dealt[street], shape_.placed[street]).placement;
        if (std::popcount(unseen_) <= static_cast<int>(max_street_cards)) {
            return greedy(value_, rules_, strengths_, shape_, street, board, cards, LiveCards(unseen_));
        }
        find_best(street, board, cards, enumerable ? max_enumerated : max_sampled, enumerable ? enumeration_margin : sampling_margin);
        if (count_ == 1) return best_[0].placement;
        for (std::size_t i = 0; i < count_; ++i) {
            boards_[i] = board;
            boards_[i].place(best_[i].placement, cards, shape_.dealt[street]);
        }
        enumerable ? enumerate_last_draw(street) : sample_next_street(street);
        return std::max_element(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(count_), [](const ScoredPlacement& a, const ScoredPlacement& b) {
            return a.points < b.points;
        })->placement;
    }

private:
    struct ScoredPlacement {
        float points = 0;
        Placement placement;
    };

    // The best placements by the learned value, best first.
    void find_best(std::size_t street, const BoardInPlay& board, const Card* cards, std::size_t max_count, float margin) {
        const RowCache table(value_, board.rows, cards, shape_.dealt[street], shape_.placed[street], LiveCards(unseen_));
        count_ = 0;
        for (const Placement& placement : placements(shape_.dealt[street], shape_.placed[street])) {
            if (!is_placeable(board.rows, placement)) continue;
            const float points = table.points(value_, placement);
            if (count_ == max_count && points <= best_[count_ - 1].points) continue;
            std::size_t at = count_ < max_count ? count_++ : count_ - 1;
            for (; at > 0 && points > best_[at - 1].points; --at) {
                best_[at].points = best_[at - 1].points;
                best_[at].placement = best_[at - 1].placement;
            }
            best_[at].points = points;
            best_[at].placement = placement;
        }
        while (count_ > 1 && best_[count_ - 1].points < best_[0].points - margin) --count_;
    }

    void enumerate_last_draw(std::size_t street) {
        LastDrawValue draw(rules_, strengths_, weights_);
        for (std::size_t i = 0; i < count_; ++i) { best_[i].points = static_cast<float>(draw.expect(boards_[i], unseen_, shape_.dealt[street + 1] > 1)); }
    }

    void sample_next_street(std::size_t street) {
        DrawSampler next(unseen_, shape_.dealt[street + 1], Random(unseen_, street));
        for (std::size_t i = 0; i < count_; ++i) best_[i].points *= prior_samples;
        for (int round = 1; round <= rounds && count_ > 1; ++round) {
            NextStreetValue then(value_, shape_, street + 1, std::span(boards_).first(count_));
            for (int draw = 0; draw < draws; ++draw) {
                const Card* cards = next.next();
                then.draw(cards, LiveCards(next.left()), [&](std::size_t i, float best_points) { best_[i].points += best_points; });
            }
            drop_candidates(round_margin * (prior_samples + static_cast<float>(round * draws)));
        }
    }

    // Those that are so many points behind the best.
    void drop_candidates(float margin) {
        float best_points = best_[0].points;
        for (std::size_t i = 1; i < count_; ++i) best_points = std::max(best_points, best_[i].points);
        std::size_t left = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if (best_[i].points < best_points - margin) continue;
            best_[left] = best_[i];
            boards_[left++] = boards_[i];
        }
        count_ = left;
    }

    const ValueFunction& value_;
    const RulesTable& rules_;
    StrengthThresholds strengths_;
    Outcomes weights_;
    const DealShape& shape_;
    CardSet unseen_;
    std::span<const BoardInPlay> opponents_;
    std::array<ScoredPlacement, max_enumerated> best_;
    std::array<BoardInPlay, max_enumerated> boards_;  // after each of them
    std::size_t count_ = 0;
};

}  // namespace triptych::learn
