// Belief about the other hands' discards: cards that the searching player has not seen and that are out of the deck.
//
// A hand that was dealt three cards and placed two chose among all placements. For each card that may have been the third, the
// likelihood of the observed choice is a softmax over the learned values of all placements, with a temperature fitted to played
// deals (bench/belief.py). Before a hand's last draw, where it can be enumerated, half of a placement's value is the mean over
// all draws, since players who search see that too. Bayes' rule turns the likelihoods into the chance of each card. Only open
// cards are used: true discards are never an input. The thorough settings take twelve times as long: the enumerated share is
// larger, rows are compared with the other boards as they were then, earlier streets are evaluated by a sampled lookahead, and
// the temperature is lower.
//
// At a table one sees which cards came on which street. A written position gives only the order within each row: then all
// histories that lead to the board are weighted by the same rule and some of them are sampled. What lay on other boards when a
// hand chose is taken from the likeliest history of each. Nothing is inferred about the cards of a hand in fantasyland before
// they are shown: they are any of the unseen ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

class Belief {
public:
    // Fitted by bench/belief.py, like the temperatures.
    static constexpr std::size_t max_histories = 16;  // per hand, sampled by weight
    static constexpr std::size_t probe_cards = 4;     // third cards by which histories are weighed
    static constexpr float min_likelihood = 0.0005F;  // minimum likelihood of any choice
    static constexpr int lookahead_draws = 112;       // of the next street, of the thorough lookahead
    static constexpr float lookahead_weight = 0.8F;   // weight of the lookahead value

    // Settings of the fast and of the thorough belief.
    struct Settings {
        std::size_t third_cards;   // third cards of a later choice, at quantiles of their chance
        float close_margin;        // points behind the best; only closer placements are evaluated by draws
        float draw_weight;         // weight of the mean over all last draws
        float temperature_factor;  // factor of the temperature
    };
    static constexpr Settings fast_settings = {4, 1.5F, 0.5F, 1};
    static constexpr Settings thorough_settings = {16, 4, 0.75F, 0.9F};

    static constexpr int max_tries = 1'000;            // until the hands' discards are different cards
    using Chances = std::array<float, deck_size + 2>;  // by card

    // A discard: the hand, its street from 0, and the chance of each card.
    struct Slot {
        std::size_t hand;
        std::size_t street;
        Chances chance;
    };

    Belief(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths) {}

    // Computes the belief for a task; without `cards_to_come` nothing is believed.
    void update(const SearchTask& task, bool cards_to_come = true, bool thorough = false);

    void invalidate() { is_current_ = false; }
    bool is_current() const { return is_current_; }

    // Whether there is no unseen discard, or nothing is believed about any.
    bool empty() const { return hands_.empty(); }

    // Samples the discards of all hands.
    std::array<CardSet, max_hands> draw(Random& random) const {
        std::array<CardSet, max_hands> result{};
        for (int attempt = 0; attempt < max_tries; ++attempt) {
            if (draw_independent(random, result)) return result;
        }
        return draw_sequentially(random);
    }

    // The marginal chances, street by street.
    std::vector<Slot> slots() const;

private:
    using Counts = std::array<std::size_t, row_count>;  // cards in each row
    using History = std::vector<std::size_t>;           // edges of the streets with a discard, in order

    // A street of a hand: row sizes before and after it.
    struct Edge {
        std::size_t hand;
        std::size_t street;
        Counts from;
        Counts to;
        double weight = 0;            // likelihood of the observed choice
        std::vector<float> chance{};  // likelihood by discarded card
        std::vector<float> later{};   // likelihood ratio by card discarded on an earlier street
    };

    // A discard of a history: cumulative chances of the unseen cards.
    struct DiscardDistribution {
        std::size_t street;
        std::vector<float> sum{};
    };

    struct HandHistories {
        std::size_t hand;
        std::vector<std::vector<DiscardDistribution>> history{};
    };

    struct Path {
        double weight;
        History edges;
        std::array<Counts, max_streets + 1> counts{};  // after so many streets
    };

    using RowSizesByStreet = std::array<std::array<Counts, max_streets + 1>, max_hands>;  // of each hand, after so many streets

    const Settings& settings() const { return thorough_ ? thorough_settings : fast_settings; }

    bool has_discard(std::size_t street) const { return shape_.dealt[street] == shape_.placed[street] + 1; }

    bool has_hidden_discards(const SearchTask& task, std::size_t h) const {
        if (h == task.me || task.hands[h].fantasyland_cards > 0) return false;
        for (std::size_t s = 0; s < task.hands[h].streets_done; ++s) {
            if (has_discard(s) && task.temperature[s] > 0) return true;
        }
        return false;
    }

    std::size_t hidden_count(const SearchTask& task) const {
        std::size_t cards = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            for (std::size_t s = 0; has_hidden_discards(task, h) && s < task.hands[h].streets_done; ++s) cards += has_discard(s);
        }
        return cards;
    }

    // Cards still to be dealt.
    std::size_t needed(const SearchTask& task) const {
        std::size_t cards = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            const KnownHand& hand = task.hands[h];
            if (h != task.me) cards += still_dealt(shape_, hand, hand.streets_done);
            else if (hand.fantasyland_cards == 0) cards += still_dealt(shape_, hand, task.street + 1);
        }
        return cards;
    }

    static CardSet placed_cards(const BoardInPlay& board, const Counts& counts) {
        CardSet cards = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < counts[row]; ++i) cards |= bit(board.cards[row_start[row] + i]);
        }
        return cards;
    }

    static Counts sizes(const BoardInPlay& board) { return {board.rows[front_row].size, board.rows[middle_row].size, board.rows[back_row].size}; }

    // Row sizes after each street, by the likeliest history of a board.
    std::array<Counts, max_streets + 1> likeliest_history(const SearchTask& task, std::size_t h);

    // Weights the histories of a hand and samples some.
    void sample_histories(const SearchTask& task, std::size_t h);

    // Enumerates all paths from the present row sizes back to the empty board.
    void find_paths(const SearchTask& task, std::size_t h, const Counts& to, std::size_t streets, const Path& so_far, std::vector<Path>& result);

    // Whether a hand's rows can have had these sizes before a street.
    static bool is_possible(const KnownHand& hand, std::size_t street, const Counts& sizes) {
        return !hand.in_order || street == 0 || std::ranges::equal(hand.laid[street - 1], sizes);
    }

    std::size_t edge_of(const SearchTask& task, std::size_t h, std::size_t street, const Counts& from, const Counts& to);

    // Later choices tell about a discard too: nobody plays for a card that they discarded.
    std::vector<DiscardDistribution> discard_distributions(const SearchTask& task, const History& history);

    void compute_likelihoods(const SearchTask& task, Edge& edge, bool later);

    // Samples each discard independently; false where a card occurs twice.
    bool draw_independent(Random& random, std::array<CardSet, max_hands>& result) const {
        CardSet all = 0;
        result = {};
        for (const HandHistories& histories : hands_) {
            for (const DiscardDistribution& discarded : histories.history[random.below(static_cast<std::uint32_t>(histories.history.size()))]) {
                const CardSet card = bit(card_[pick(discarded, random)]);
                if ((all & card) != 0) return false;
                all |= card;
                result[histories.hand] |= card;
            }
        }
        return true;
    }

    // Fallback where nearly all unseen cards are discards: samples one after the other without replacement.
    std::array<CardSet, max_hands> draw_sequentially(Random& random) const {
        std::array<CardSet, max_hands> result{};
        CardSet all = 0;
        for (const HandHistories& histories : hands_) {
            for (const DiscardDistribution& discarded : histories.history.front()) {
                std::size_t at = pick(discarded, random);
                while ((all & bit(card_[at])) != 0) at = (at + 1) % count_;
                all |= bit(card_[at]);
                result[histories.hand] |= bit(card_[at]);
            }
        }
        return result;
    }

    static std::size_t pick(const DiscardDistribution& discarded, Random& random) {
        const auto at = static_cast<float>(random.unit()) * discarded.sum.back();
        const auto result = std::upper_bound(discarded.sum.begin(), discarded.sum.end() - 1, at);
        return static_cast<std::size_t>(result - discarded.sum.begin());
    }

    struct ValueWithoutFouls;
    class ObservedPlacement;

    const ValueFunction& value_;
    const RulesTable& rules_;
    const DealShape& shape_;
    const StrengthThresholds& strengths_;
    std::array<Card, deck_size + 2> card_{};  // unseen
    std::size_t count_ = 0;
    RowSizesByStreet row_sizes_{};
    std::size_t probe_count_ = probe_cards;  // third cards averaged per edge
    bool thorough_ = false;
    bool is_current_ = false;
    std::vector<Edge> edges_;
    std::vector<HandHistories> hands_;
};

}  // namespace triptych::learn
