// What was learned of a game, with the game: what a search, and every choice by the learned value, goes by.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "triptych/learn/refined_greedy.hpp"
#include "triptych/learn/rollout.hpp"

namespace triptych::learn {

using Temperatures = std::array<float, max_streets>;  // how freely a player chooses, in points by street

// What a player sees of a street that is to be placed, filled in card by card. Returns what is wrong; null where nothing is.
class StreetView {
public:
    StreetView(const DealShape& shape, std::size_t street, std::size_t hands, std::size_t me)
        : street(street), unseen((CardSet{1} << shape.deck) - 1), shape_(shape), hands_(hands), me_(me) {}

    std::size_t street;
    CardSet unseen;
    std::array<Card, max_street_cards> drawn{};

    const BoardInPlay& own() const { return boards_[hands_ - 1]; }
    std::span<const BoardInPlay> opponents() const { return std::span(boards_).first(hands_ - 1); }

    const char* draw(Card card) {
        see(card);
        if (place(card)) drawn[dealt_++] = card;
        return fault_;
    }

    // `part`: front, middle, back; others lie off the rows.
    const char* add(std::size_t hand, std::size_t part, Card card) {
        see(card);
        if (part >= row_count || !place(card)) return fault_;
        BoardInPlay& board = boards_[hand == me_ ? hands_ - 1 : hand < me_ ? hand : hand - 1];
        if (board.rows[part].size >= row_size[part]) return "too many cards";
        board.add(part, card);
        return nullptr;
    }

    const char* drawn_fault() const { return dealt_ == shape_.dealt[street] ? nullptr : "the street's cards are known"; }
    const char* fault() const { return placed_count(own()) == placed_after(shape_, street) ? nullptr : "the hand is not at this street"; }

private:
    void see(Card card) { unseen &= ~bit(card); }

    bool place(Card card) {
        if (card >= shape_.deck || (placed_ & bit(card)) != 0) fault_ = "a card is in two places, or not in the pack";
        placed_ |= bit(card);
        return fault_ == nullptr;
    }

    const DealShape& shape_;
    std::size_t hands_;
    std::size_t me_;
    std::size_t dealt_ = 0;
    CardSet placed_ = 0;
    const char* fault_ = nullptr;
    std::array<BoardInPlay, max_hands> boards_;  // the opponents', and the own one last
};

// The learned value of a game's boards.
struct Learned {
    const ValueFunction& value;
    const RulesTable& rules;
    const DealShape& shape;
    const StrengthThresholds& strengths;

    Placement choose(const StreetView& view, bool lookahead) const {
        return choose(view.street, view.own(), view.drawn.data(), view.unseen, view.opponents(), lookahead);
    }

    // The best placement of a street. `lookahead`: close placements are separated by a lookahead, and near the
    // end by the opponents' boards as far as they lie open.
    Placement choose(std::size_t street, const BoardInPlay& board, const Card* cards, CardSet unseen, std::span<const BoardInPlay> opponents,
                     bool lookahead) const {
        if (lookahead) return RefinedGreedy(value, rules, strengths, shape, unseen, opponents).choose(street, board, cards);
        return greedy(value, rules, strengths, shape, street, board, cards, LiveCards(unseen));
    }
};

// A learned value with all else that a player who goes by it knows.
struct Model {
    RulesTable rules;
    DealShape shape;
    StrengthThresholds strengths{};
    FantasylandValues fantasyland_values{};
    Temperatures temperature{};
    FirstStreetCorrections first_street_corrections;
    ValueFunction value;

    Learned learned() const { return {value, rules, shape, strengths}; }

    bool plays(const DealShape& deal) const {
        return deal.deck == shape.deck && deal.streets == shape.streets && deal.dealt == shape.dealt && deal.placed == shape.placed;
    }
};

// Self-play, and what is learned of its players besides.
class Learner : public SelfPlay {
public:
    using SelfPlay::SelfPlay;

    Temperatures temperature{};  // 0: nothing is believed of their discards
    FirstStreetCorrections first_street_corrections;

    Learned learned() const { return {value(), rules(), shape(), strengths()}; }

    // The same tables, where fantasylands of 0 to 17 cards are worth so many points; it shares what they learned.
    Learner with_fantasyland_values(const FantasylandValues& fantasyland_values) const {
        Learner other = *this;
        Outcomes weights = value().weights();
        std::copy_n(fantasyland_values.begin() + board_size, fantasyland_size_count, weights.begin() + fantasyland_outcome);
        other.value().set_weights(weights);
        return other;
    }

    // Of the last deal: row values of the legal boards, three a board; all boards' cards, front first.
    std::vector<Rank> last_values() const {
        std::vector<Rank> all;
        for (std::size_t h = 0; h < shape().hands; ++h) {
            const RowValues values = board_values(rules(), boards()[h].cards.data());
            if (is_legal(rules(), values)) all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }
    std::vector<Card> last_boards() const {
        std::vector<Card> all;
        for (std::size_t h = 0; h < shape().hands; ++h) all.insert(all.end(), boards()[h].cards.begin(), boards()[h].cards.end());
        return all;
    }
};

// Fills a table from its compressed form: of each entry that was ever visited how many entries it lies behind the one before,
// and its outcomes in steps of `steps`, outcome by outcome. False where an entry lies outside the table.
inline bool set_compressed(ValueFunction& value, const std::array<float, outcome_count>& steps, std::span<const std::uint8_t> gaps,
                           std::span<const std::uint8_t> outcomes) {
    const std::size_t count = gaps.size() / sizeof(std::uint32_t);
    std::uint64_t entry = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t gap = 0;
        std::memcpy(&gap, &gaps[i * sizeof gap], sizeof gap);
        entry += gap;
        if (entry >= value.map().size()) return false;
        Outcomes mean{};
        for (std::size_t outcome = 0; outcome < outcome_count; ++outcome) {
            std::int16_t number = 0;
            std::memcpy(&number, &outcomes[(outcome * count + i) * sizeof number], sizeof number);
            mean[outcome] = static_cast<float>(number) * steps[outcome];
        }
        value.set_points(entry, mean);
    }
    return true;
}

}  // namespace triptych::learn
