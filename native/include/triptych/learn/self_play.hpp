// Self-play of open-face deals: the greedy learner plays every seat. It learns by TD(lambda) in one of two ways: from
// what its own boards became (as `base` was made), or from further draws of the rest of the deal, for the placement it
// chose and for others that it might have chosen. The second way never stays blind to a placement that it once thought
// little of.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "triptych/learn/finished_boards.hpp"
#include "triptych/learn/placements.hpp"
#include "triptych/play/deal.hpp"
#include "triptych/play/random.hpp"
#include "triptych/score/showdown.hpp"

namespace triptych::learn {

// Rank values at the quintiles of finished rows: front, middle, back.
using StrengthThresholds = std::array<std::array<Rank, strength_bins>, 3>;

inline Outcomes outcome_vector(const RulesTable& rules, const StrengthThresholds& strengths, const RowValues& values) {
    Outcomes outcome{};
    if (!is_legal(rules, values)) {
        outcome[foul_outcome] = 1;
        return outcome;
    }
    const RowPoints royalties = row_royalties(rules, values);
    for (std::size_t row = 0; row < 3; ++row) {
        outcome[royalty_outcome + row] = static_cast<float>(royalties[row]);
        for (std::size_t bin = 0; bin < strength_bins; ++bin) {
            outcome[strength_outcome + row * strength_bins + bin] = values[row] > strengths[row][bin] ? 1.0F : 0.0F;
        }
    }
    const int fantasyland = next_fantasyland(rules, values, royalties, 0, 0);
    if (fantasyland >= 13) outcome[fantasyland_outcome + static_cast<std::size_t>(fantasyland - 13)] = 1;
    return outcome;
}

inline Outcomes outcome_vector(const RulesTable& rules, const StrengthThresholds& strengths, const Card* board) {
    return outcome_vector(rules, strengths, board_values(rules, board));
}

// The points of that outcome, without the vector: equal to `dot` to the last bit.
inline float final_points(const Outcomes& weights, const RulesTable& rules, const StrengthThresholds& strengths, const RowValues& values) {
    if (!is_legal(rules, values)) return weights[foul_outcome];
    const RowPoints royalties = row_royalties(rules, values);
    float sum = 0;
    for (std::size_t row = 0; row < row_count; ++row) sum += weights[royalty_outcome + row] * static_cast<float>(royalties[row]);
    const int fantasyland = next_fantasyland(rules, values, royalties, 0, 0);
    if (fantasyland >= 13) sum += weights[fantasyland_outcome + static_cast<std::size_t>(fantasyland - 13)];
    for (std::size_t row = 0; row < row_count; ++row) {
        for (std::size_t bin = 0; bin < strength_bins; ++bin)
            sum += values[row] > strengths[row][bin] ? weights[strength_outcome + row * strength_bins + bin] : 0;
    }
    return sum;
}

// The best last placement by the weights of its outcome.
inline FinishedPlacement choose_final_placement(const Outcomes& weights, const RulesTable& rules, const StrengthThresholds& strengths, const BoardInPlay& board,
                                                const Card* cards, std::size_t dealt, std::size_t placed) {
    FinishedPlacement best;
    float best_points = -1e30F;
    FinishedBoards(rules, board, cards, dealt).each(placed, [&](const FinishedPlacement& finished) {
        const float points = final_points(weights, rules, strengths, finished.rows);
        if (points <= best_points) return;
        best_points = points;
        best = finished;
    });
    return best;
}

// The best placement by the learned value; exact where the street completes the board. `unseen`: cards that this
// player has not seen, its draws excluded. `worth`: what the learned value says of it, before the last street.
inline Placement choose(const ValueFunction& value, const RulesTable& rules, const StrengthThresholds& strengths, const BoardInPlay& board, const Card* cards,
                        std::size_t dealt, std::size_t placed, const LiveCards& live, float noise, Random& random, float* worth = nullptr) {
    if (board.rows[0].size + board.rows[1].size + board.rows[2].size + placed == board_size) {
        return choose_final_placement(value.weights(), rules, strengths, board, cards, dealt, placed).placement;
    }
    const RowCache table(value, board.rows, cards, dealt, placed, live);
    Placement best;
    float best_points = -1e30F;
    for (const Placement& placement : placements(dealt, placed)) {
        if (!is_placeable(board.rows, placement)) continue;
        float points = table.points(value, placement);
        if (noise > 0) points -= noise * static_cast<float>(std::log(-std::log(random.unit() + 1e-300)));
        if (points > best_points) {
            best_points = points;
            best = placement;
        }
    }
    if (worth != nullptr) *worth = best_points;
    return best;
}

// The same of a game's street, with nothing left to chance.
inline Placement greedy(const ValueFunction& value, const RulesTable& rules, const StrengthThresholds& strengths, const DealShape& shape, std::size_t street,
                        const BoardInPlay& board, const Card* cards, const LiveCards& live, float* worth = nullptr) {
    Random none;
    return choose(value, rules, strengths, board, cards, shape.dealt[street], shape.placed[street], live, 0, none, worth);
}

// How it plays and learns. `rate`: of the tables. `decay`: lambda. `noise`, `spread`: points of Gumbel noise on the
// choice that is played, and on `others` that are evaluated as well. `draws` of the rest of the deal are averaged
// for every placement; with none it learns from the outcome of the deal.
struct Method {
    bool learning = false;
    float rate = 0;
    float decay = 0;
    float noise = 0;
    int draws = 0;
    int others = 0;
    float spread = 0;
};

struct PlayStats {
    std::uint64_t deals = 0;
    std::uint64_t boards = 0;
    std::uint64_t fouls = 0;
    std::uint64_t fantasylands = 0;
    std::uint64_t fantasyland_cards = 0;
    std::int64_t royalties = 0;

    static constexpr char name[] = "PlayStats";
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("deals", deals)("boards", boards)("fouls", fouls)("fantasylands", fantasylands)("fantasyland_cards", fantasyland_cards)("royalties", royalties);
    }
};

class SelfPlay {
public:
    SelfPlay(const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths, const Outcomes& weights, int jokers, std::uint64_t seed)
        : rules_(rules), shape_(shape), strengths_(strengths), value_(jokers, weights), seed_(seed) {}

    ValueFunction& value() { return value_; }
    const ValueFunction& value() const { return value_; }
    const RulesTable& rules() const { return rules_; }
    const DealShape& shape() const { return shape_; }
    const StrengthThresholds& strengths() const { return strengths_; }
    void set_strengths(const StrengthThresholds& strengths) { strengths_ = strengths; }
    const PlayStats& stats() const { return stats_; }
    PlayStats pop_stats() { return std::exchange(stats_, {}); }  // counts from zero again
    std::uint64_t played() const { return played_; }
    void resume(std::uint64_t played) { played_ = played; }

    // Plays the deals of one call; each deal has its own stream of the seed, so a run can be cut anywhere.
    void play(std::uint64_t deals, const Method& method) {
        for (std::uint64_t i = 0; i < deals; ++i) play_deal(method);
    }

    // Finished boards of the last deal, hand by hand.
    const std::array<BoardInPlay, max_hands>& boards() const { return boards_; }

private:
    using Trajectory = std::array<Features, max_streets>;

    void play_deal(const Method& method) {
        Random random(seed_, played_++);
        deal_.reset(shape_.deck);
        boards_ = {};
        std::array<Trajectory, max_hands> trajectory;
        std::array<CardSet, max_hands> own{};
        CardSet open = 0;
        const CardSet all = (CardSet{1} << shape_.deck) - 1;
        for (std::size_t street = 0; street < shape_.streets; ++street) {
            const std::size_t dealt = shape_.dealt[street];
            for (std::size_t h = 0; h < shape_.hands; ++h) {
                std::array<Card, max_street_cards> cards{};
                for (std::size_t i = 0; i < dealt; ++i) {
                    cards[i] = deal_.draw(random);
                    own[h] |= bit(cards[i]);
                }
                const CardSet unseen = all & ~(own[h] | open);
                const LiveCards live(unseen);
                const bool last = street + 1 == shape_.streets;
                if (method.learning && method.draws > 0 && !last) {
                    for (int other = 0; other < method.others; ++other) {
                        const Placement tried =
                            choose(value_, rules_, strengths_, boards_[h], cards.data(), dealt, shape_.placed[street], live, method.spread, random);
                        BoardInPlay board = boards_[h];
                        board.place(tried, cards.data(), dealt);
                        learn_draws(method, board, unseen, street + 1, random);
                    }
                }
                const Placement placement =
                    choose(value_, rules_, strengths_, boards_[h], cards.data(), dealt, shape_.placed[street], live, method.noise, random);
                boards_[h].place(placement, cards.data(), dealt);
                for (std::size_t i = 0; i < dealt; ++i) {
                    if (((placement.row[0] | placement.row[1] | placement.row[2]) >> i & 1U) != 0) open |= bit(cards[i]);
                }
                if (!method.learning || last) continue;
                if (method.draws > 0) {
                    learn_draws(method, boards_[h], unseen, street + 1, random);
                } else {
                    trajectory[h][street] = value_.map().features(boards_[h].rows, live);
                }
            }
        }
        ++stats_.deals;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            const Outcomes outcome = outcome_vector(rules_, strengths_, boards_[h].cards.data());
            count(outcome);
            if (method.learning && method.draws == 0) learn(method, trajectory[h], 0, outcome);
        }
    }

    // Plays draws of the streets that are left on from a board, as if its player were alone; learns that board and all
    // on the way, so that no choice is valued higher than its results.
    void learn_draws(const Method& method, const BoardInPlay& board, CardSet unseen, std::size_t street, Random& random) {
        std::array<Card, deck_size + 2> left;
        std::uint32_t count = 0;
        for (CardSet cards = unseen; cards != 0; cards &= cards - 1) left[count++] = static_cast<Card>(std::countr_zero(cards));
        Outcomes mean{};
        for (int draw = 0; draw < method.draws; ++draw) {
            BoardInPlay next = board;
            CardSet after = unseen;
            Trajectory trajectory;
            std::uint32_t used = 0;
            for (std::size_t s = street; s < shape_.streets; ++s) {
                const Card* cards = &left[used];
                for (const std::uint32_t end = used + shape_.dealt[s]; used < end; ++used) {
                    std::swap(left[used], left[used + random.below(count - used)]);
                    after &= ~bit(left[used]);
                }
                const LiveCards live(after);
                next.place(choose(value_, rules_, strengths_, next, cards, shape_.dealt[s], shape_.placed[s], live, 0, random), cards, shape_.dealt[s]);
                if (s + 1 < shape_.streets) trajectory[s] = value_.map().features(next.rows, live);
            }
            const Outcomes target = learn(method, trajectory, street, outcome_vector(rules_, strengths_, next.cards.data()));
            for (std::size_t i = 0; i < outcome_count; ++i) mean[i] += target[i] / static_cast<float>(method.draws);
        }
        value_.learn(value_.map().features(board.rows, LiveCards(unseen)), mean, method.rate);
    }

    // Learns the boards after `first` and the streets behind it from what became of them; returns what the board
    // before them has to learn.
    Outcomes learn(const Method& method, const Trajectory& trajectory, std::size_t first, const Outcomes& outcome) {
        Outcomes target = outcome;
        for (std::size_t street = shape_.streets - 1; street-- > first;) {
            const Outcomes now = value_.learn(trajectory[street], target, method.rate);
            for (std::size_t i = 0; i < outcome_count; ++i) target[i] = method.decay * target[i] + (1 - method.decay) * now[i];
        }
        return target;
    }

    void count(const Outcomes& outcome) {
        ++stats_.boards;
        stats_.fouls += outcome[foul_outcome] > 0;
        for (std::size_t size = 0; size < fantasyland_size_count; ++size) {
            if (outcome[fantasyland_outcome + size] == 0) continue;
            ++stats_.fantasylands;
            stats_.fantasyland_cards += 13 + size;
        }
        for (std::size_t row = 0; row < 3; ++row) stats_.royalties += static_cast<std::int64_t>(outcome[royalty_outcome + row]);
    }

    RulesTable rules_;
    DealShape shape_;
    StrengthThresholds strengths_;
    ValueFunction value_;
    std::uint64_t seed_;
    std::uint64_t played_ = 0;
    Deck deal_;
    std::array<BoardInPlay, max_hands> boards_{};
    PlayStats stats_;
};

}  // namespace triptych::learn
