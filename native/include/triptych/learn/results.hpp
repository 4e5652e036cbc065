// Results of the search over rollouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "triptych/learn/candidate.hpp"
#include "triptych/learn/fantasyland_search.hpp"
#include "triptych/learn/street_progress.hpp"
#include "triptych/result.hpp"

namespace triptych::learn {

// The chance of a foul, that of fantasyland, and royalties, as far as they are certain after a street.
struct StreetOutcome {
    static constexpr char name[] = "StreetOutcome";
    double foul = 0, fantasyland = 0, royalties = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("foul", foul)("fantasyland", fantasyland)("royalties", royalties);
    }
};

// By street of the game, on average over so many rollouts.
inline std::vector<StreetOutcome> street_outcomes(std::span<const StreetSums> streets, std::uint64_t rollouts) {
    std::vector<StreetOutcome> outcomes;
    const auto n = static_cast<double>(rollouts);
    for (const StreetSums& reached : streets) outcomes.push_back({reached.fouls / n, reached.fantasylands / n, reached.royalties / n});
    return outcomes;
}

// Points by where they come from: rows, royalties, fouls, fantasyland.
struct PointParts {
    static constexpr char name[] = "PointParts";
    double rows = 0, royalties = 0, fouls = 0, fantasyland = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("rows", rows)("royalties", royalties)("fouls", fouls)("fantasyland", fantasyland);
    }
};

// A card that a hand discarded unseen on a street, from 0: how likely each card lies there.
struct DiscardChances {
    static constexpr char name[] = "DiscardChances";
    std::uint32_t hand = 0, street = 0;
    std::vector<float> chances;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("hand", hand)("street", street)("chances", chances);
    }
};

// A placement under search: cards by row, learned value, rollouts, mean points and its standard error; the mean's parts; the chances of
// a foul and of fantasyland; the effect of stack limits on the points; the player's own share of the parts.
struct SearchedPlacement {
    static constexpr char name[] = "SearchedPlacement";
    CardList front, middle, back;
    float prior = 0;
    std::uint64_t rollouts = 0;
    double value = 0, error = 0;
    double rows = 0, royalties = 0, fouls = 0, fantasyland = 0;
    double foul_chance = 0, fantasyland_chance = 0;
    double stacks = 0;
    double own_rows = 0, own_royalties = 0, own_fouls = 0, own_fantasyland = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("front", front)("middle", middle)("back", back)("prior", prior)("rollouts", rollouts)("value", value)("error", error)("rows", rows)(
            "royalties", royalties)("fouls", fouls)("fantasyland", fantasyland)("foul_chance", foul_chance)("fantasyland_chance", fantasyland_chance)(
            "stacks", stacks)("own_rows", own_rows)("own_royalties", own_royalties)("own_fouls", own_fouls)("own_fantasyland", own_fantasyland);
    }

    SearchedPlacement(const Candidate& c, const RowMasks& masks, std::span<const Card> cards)
        : front(cards, masks[0]), middle(cards, masks[1]), back(cards, masks[2]), prior(c.prior), rollouts(c.rollouts) {
        const double n = c.rollouts > 0 ? static_cast<double>(c.rollouts) : 1;
        value = c.points / n;
        error = c.rollouts > 1 ? c.error() : 0.0;
        rows = c.rows / n;
        royalties = c.royalties / n;
        fouls = c.other / n;
        fantasyland = c.fantasyland / n;
        foul_chance = c.fouls / n;
        fantasyland_chance = c.fantasylands / n;
        stacks = c.stacks / n;
        own_rows = c.own.rows / n;
        own_royalties = c.own.royalties / n;
        own_fouls = c.own.other / n;
        own_fantasyland = c.own.fantasyland / n;
    }
    SearchedPlacement() = default;
};

// A placement before rollouts: cards by row and learned value.
struct ListedPlacement {
    static constexpr char name[] = "ListedPlacement";
    RowCards rows{};
    float prior = 0;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("rows", rows)("prior", prior);
    }
};

// Start of an analysis: its number, whether its result is exact, and the placements, best first by the learned value.
struct ListedDecision {
    static constexpr char name[] = "ListedDecision";
    std::uint32_t number = 0;
    bool exact = false;
    std::vector<ListedPlacement> placements;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("number", number)("exact", exact)("placements", placements);
    }
};

// Sums over the rollouts of a placement, by its number; `exact`: one sum that has no error.
struct PlacementSums {
    static constexpr char name[] = "PlacementSums";
    std::uint32_t number = 0;
    bool exact = false;
    std::uint64_t rollouts = 0;
    double points = 0, squares = 0;
    PointParts parts;
    double fouls = 0, fantasylands = 0, stacks = 0;
    PointParts own;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("number", number)("exact", exact)("rollouts", rollouts)("points", points)("squares", squares)("parts", parts)("fouls", fouls)(
            "fantasylands", fantasylands)("stacks", stacks)("own", own);
    }

    explicit PlacementSums(const Candidate& c)
        : number(static_cast<std::uint32_t>(c.number)), exact(c.exact), rollouts(c.rollouts), points(c.points), squares(c.squares),
          parts{c.rows, c.royalties, c.other, c.fantasyland}, fouls(c.fouls), fantasylands(c.fantasylands), stacks(c.stacks),
          own{c.own.rows, c.own.royalties, c.own.other, c.own.fantasyland} {}
    PlacementSums() = default;
};

struct PlacementList {
    static constexpr char name[] = "PlacementList";
    std::vector<PlacementSums> placements;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("placements", placements);
    }
};

struct GameCourse {
    static constexpr char name[] = "GameCourse";
    std::vector<StreetOutcome> streets;
    template <typename Visit>
    void each(const Visit& visit) const {
        visit("streets", streets);
    }
};

}  // namespace triptych::learn
