// What the other hands have discarded: cards that the searching player does not see and that will not come any more.
//
// A hand that was dealt three cards and placed two chose among all ways to do so. For each card that may have been the
// third, the learned value says how likely that choice was: a softmax over all placements, with a temperature that is
// fitted to played deals (bench/belief.py). Before a hand's last draw, where it still can be counted, half of that value is
// what the board is worth on average over all draws: who searches sees that too. By Bayes' rule that is how likely each card
// lies among its discards. It needs what lies open alone: true discards have no way in here. With `thorough`, which takes twelve
// times as long, that share is larger and the rows are held against what lay on the other boards; on streets before, the same is taken of many
// draws of the next one; and players are taken for less free.
//
// At a table one sees which cards came on which street. A position that is only written down says no more than the order
// within each row: then the histories that lead to the board are weighed by the same rule, and some of them drawn; what lay
// on other boards when a hand chose is taken from the likeliest history of each. The cards that a hand in fantasyland holds say nothing before they are shown: they are
// any of those that are left.
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
    // Found by bench/belief.py, like the temperatures.
    static constexpr std::size_t max_histories = 16;     // histories of a hand, drawn by their weight
    static constexpr std::size_t probe_cards = 4;    // third cards by which histories are weighed
    static constexpr float min_likelihood = 0.0005F;      // how likely any choice is, however bad
    static constexpr int lookahead_draws = 112;           // of the next street, looked at with care
    static constexpr float lookahead_weight = 0.8F;     // share of what a placement is worth after them

    // What else depends on whether there is time for care.
    struct Settings {
        std::size_t third_cards;  // third cards of a later choice, spread over what is likely
        float close_margin;          // points behind the best, then the learned value is trusted
        float draw_weight;       // share of what a placement is worth on average over all last draws
        float temperature_factor;          // times the temperature
    };
    static constexpr Settings fast_settings = {4, 1.5F, 0.5F, 1};
    static constexpr Settings thorough_settings = {16, 4, 0.75F, 0.9F};

    static constexpr int max_tries = 1'000;  // until the hands' discards are different cards
    using Chances = std::array<float, deck_size + 2>;  // by card

    // Of the hand's street from 0: how likely it discarded each card there.
    struct Slot {
        std::size_t hand;
        std::size_t street;
        Chances chance;
    };

    Belief(const ValueFunction& value, const RulesTable& rules, const DealShape& shape, const StrengthThresholds& strengths)
        : value_(value), rules_(rules), shape_(shape), strengths_(strengths) {}

    // Begins with a table; unless cards are still to `cards_to_come`, nothing is believed.
    void update(const SearchTask& task, bool cards_to_come = true, bool thorough = false);

    void invalidate() { is_current_ = false; }
    bool is_current() const { return is_current_; }

    // Whether nobody discarded anything that the searching player has not seen, or nothing is believed of it.
    bool empty() const { return hands_.empty(); }

    // What each hand discarded, one draw of it all.
    std::array<CardSet, max_hands> draw(Random& random) const {
        std::array<CardSet, max_hands> result{};
        for (int attempt = 0; attempt < max_tries; ++attempt) {
            if (draw_independent(random, result)) return result;
        }
        return draw_sequentially(random);
    }

    // The same as numbers, street by street, as if each street's discard were drawn alone.
    std::vector<Slot> slots() const;

private:
    using Counts = std::array<std::size_t, row_count>;  // how many cards of each row lie there
    using History = std::vector<std::size_t>;           // edges of the streets with a discard, in order

    // A street of a hand, from what lay there before to what lay there then.
    struct Edge {
        std::size_t hand;
        std::size_t street;
        Counts from;
        Counts to;
        double weight = 0;            // how likely such a choice is
        std::vector<float> chance{};  // with each unseen card discarded
        std::vector<float> later{};   // so many times as likely where each unseen card was discarded before
    };

    // A discard of a history: the chances of the unseen cards, added up to each.
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
        if (h == task.me || task.hands[h].land_cards > 0) return false;
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

    // Cards that are still to be dealt to somebody.
    std::size_t needed(const SearchTask& task) const {
        std::size_t cards = 0;
        for (std::size_t h = 0; h < task.count; ++h) {
            const KnownHand& hand = task.hands[h];
            if (h != task.me) cards += still_dealt(shape_, hand, hand.streets_done);
            else if (hand.land_cards == 0) cards += still_dealt(shape_, hand, task.street + 1);
        }
        return cards;
    }

    static CardSet placed_cards(const PlayedBoard& board, const Counts& counts) {
        CardSet cards = 0;
        for (std::size_t row = 0; row < row_count; ++row) {
            for (std::size_t i = 0; i < counts[row]; ++i) cards |= bit(board.cards[row_start[row] + i]);
        }
        return cards;
    }

    static Counts sizes(const PlayedBoard& board) { return {board.rows[front_row].size, board.rows[middle_row].size, board.rows[back_row].size}; }

    // How many cards lay in each row after so many streets, by the likeliest history of a board.
    std::array<Counts, max_streets + 1> likeliest_history(const SearchTask& task, std::size_t h);

    // Weighs the histories of a hand and draws some.
    void sample_histories(const SearchTask& task, std::size_t h);

    // Goes back from what lies there after so many streets to the empty board, in every way.
    void find_paths(const SearchTask& task, std::size_t h, const Counts& to, std::size_t streets, const Path& so_far, std::vector<Path>& result);

    // Whether a hand's rows may have been of such sizes before a street.
    static bool is_possible(const KnownHand& hand, std::size_t street, const Counts& sizes) {
        return !hand.in_order || street == 0 || std::ranges::equal(hand.laid[street - 1], sizes);
    }

    std::size_t edge_of(const SearchTask& task, std::size_t h, std::size_t street, const Counts& from, const Counts& to);

    // Who threw a card away does not go on as if it might come: later choices tell of a discard, too.
    std::vector<DiscardDistribution> discard_distributions(const SearchTask& task, const History& history);

    void compute_likelihoods(const SearchTask& task, Edge& edge, bool later);

    // Each discard for itself; whether all are different cards.
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

    // Where nearly all unseen cards are discards: each is drawn of those that are left.
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
    std::size_t probe_count_ = probe_cards;  // third cards by which edges are weighed
    bool thorough_ = false;
    bool is_current_ = false;
    std::vector<Edge> edges_;
    std::vector<HandHistories> hands_;
};

}  // namespace triptych::learn
