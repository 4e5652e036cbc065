// Python bindings of the search over rollouts, and to what luck and stacks are worth by them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "learner.hpp"
#include "results.hpp"
#include "triptych/learn/decision.hpp"
#include "triptych/learn/luck.hpp"
#include "triptych/learn/results.hpp"
#include "triptych/learn/task_check.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::bind;
using namespace triptych::learn;

namespace {

constexpr std::uint64_t most_rollouts = 1'000'000'000;  // of one call
constexpr std::uint64_t most_samples = 10'000'000;      // whose points are kept
constexpr double largest_number = 1e12;                 // of chips, points and prizes
constexpr double smallest_stack = 1e-6;
constexpr double unbounded = std::numeric_limits<double>::infinity();

PlayedBoard board_of(const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back) {
    PlayedBoard board;
    const std::array<const nb::bytes*, row_count> rows = {&front, &middle, &back};
    for (std::size_t row = 0; row < row_count; ++row) {
        const std::span<const Card> cards = cards_of(*rows[row], row_size[row]);
        std::copy(cards.begin(), cards.end(), board.cards.begin() + row_start[row]);
        for (const Card card : cards) board.rows[row].add(card);
    }
    return board;
}

Places places_of(const std::vector<double>& prizes, const std::vector<double>& elsewhere, std::size_t count) {
    need(count + elsewhere.size() <= Places::most_players, "too many players for places");
    need(all_within(prizes, 0, largest_number), "no prize is below zero");
    need(all_within(elsewhere, smallest_stack, largest_number), "who is still in has chips");
    return {prizes, elsewhere};
}

// What each of up to twelve players may expect; who has no chips is out, placed by the chips before.
std::vector<double> place_worth(const std::vector<double>& now, const std::vector<double>& before, const std::vector<double>& prizes) {
    need(now.size() == before.size() && !now.empty(), "chips now and before of the same players expected");
    need(all_within(now, 0, largest_number) && all_within(before, 0, largest_number), "a stack is zero or more");
    const Places places = places_of(prizes, {}, now.size());
    std::array<double, Places::most_players> chips{};
    std::array<double, Places::most_players> began{};
    std::copy(now.begin(), now.end(), chips.begin());
    std::copy(before.begin(), before.end(), began.begin());
    const auto worth = places.worth(chips, began, now.size());
    return {worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(now.size())};
}

// Chips by hand, chips a point by pair, chips a point by which all is told, cap, whether who is bust collects nothing, the
// most chips that anybody loses, prizes by place, chips of players who sit elsewhere.
using StackParts = std::tuple<std::vector<double>, std::vector<double>, double, int, bool, double, std::vector<double>, std::vector<double>>;

Stacks stacks_of(const StackParts& parts, std::size_t count) {
    const auto& [chips, stake, point, cap, bust_stops, loss_limit, prizes, elsewhere] = parts;
    need(chips.size() == count && stake.size() == count * (count - 1) / 2 && cap >= 0 && cap <= 2, "a stack for each hand and a stake for each pair expected");
    need(all_within(chips, 0, unbounded) && all_within(stake, 1, largest_number) && all_within(std::array{point}, 1, largest_number),
         "a stack is zero or more, and a point a chip or more");
    need(all_within(std::array{loss_limit}, 0, unbounded), "nobody loses less than nothing");
    Stacks stacks;
    stacks.point = point;
    std::copy(chips.begin(), chips.end(), stacks.chips.begin());
    std::copy(stake.begin(), stake.end(), stacks.stake.begin());
    stacks.rule.cap = static_cast<PaymentRule::Cap>(cap);
    stacks.rule.bust_stops = bust_stops;
    stacks.rule.loss_limit = loss_limit;
    stacks.places = places_of(prizes, elsewhere, count);
    stacks.begin(count);
    return stacks;
}

// What fantasylands worth so much are worth to a hand where stacks bound what is paid.
std::vector<double> lands_paid(const StackParts& parts, std::size_t me, std::vector<double> value) {
    const std::size_t count = std::get<0>(parts).size();
    need(all_within(value, -largest_number, largest_number), "a fantasyland's value is no number");
    need(count >= 2 && count <= max_hands && me < count, "wrong number of hands");
    const Stacks stacks = stacks_of(parts, count);
    for (double& one : value) one = one > 0 ? stacks.paid(me, count, one) : one;
    return value;
}

// Front, middle, back, streets done, cards of its fantasyland, fantasylands in a row.
using HandParts = std::tuple<nb::bytes, nb::bytes, nb::bytes, std::size_t, std::uint8_t, std::uint8_t>;

SearchHand hand_of(const HandParts& parts, const DealShape& shape) {
    const auto& [front, middle, back, streets_done, land_cards, land_in_row] = parts;
    need(streets_done <= shape.streets, "there are not so many streets");
    SearchHand hand;
    hand.board = board_of(front, middle, back);
    hand.streets_done = streets_done;
    hand.land_cards = land_cards;
    hand.land_in_row = land_in_row;
    return hand;
}

void need_right(const char* fault) { need(fault == nullptr, fault); }

// How many cards lay in each row after each street done, a byte each; no bytes where that is not known.
void tell_order(SearchHand& hand, const nb::bytes& laid, const DealShape& shape) {
    if (laid.size() == 0) return;
    need(laid.size() == hand.streets_done * row_count, "the order of a hand's cards has other streets");
    const auto* sizes = static_cast<const std::uint8_t*>(laid.data());
    for (std::size_t s = 0; s < hand.streets_done; ++s) std::copy_n(sizes + s * row_count, row_count, hand.laid[s].begin());
    hand.in_order = true;
    need(comes_in_order(hand, shape), "a hand's cards cannot have come in this order");
}

// What a draw brought each hand, in points. `lands`: the cards of fantasylands that are dealt already, by hand.
std::vector<double> luck(const Learner& learner, std::size_t street, std::size_t me, const std::vector<HandParts>& hands, const std::vector<nb::bytes>& lands,
                         const nb::bytes& cards, std::uint64_t left, const std::vector<float>& land_value, std::uint64_t orders, std::uint64_t seed) {
    const DealShape& shape = learner.shape();
    DrawTask task;
    task.count = hands.size();
    need(task.count >= 2 && task.count <= max_hands && me < task.count && lands.size() == task.count, "wrong number of hands");
    need(street < shape.streets && land_value.size() == most_land_cards + 1 && orders > 0 && orders <= most_rollouts, "wrong street, fantasyland values or orders");
    need(all_within(land_value, -largest_number, largest_number), "a fantasyland's value is no number");
    task.me = me;
    task.street = street;
    task.left = left;
    std::copy(land_value.begin(), land_value.end(), task.land_value.begin());
    LandSetter setter(learner.rules());
    std::size_t needed = 0;
    CardSet seen = left;
    std::size_t count = static_cast<std::size_t>(std::popcount(left));
    const auto see = [&](CardSet some, std::size_t size) {
        seen |= some;
        count += size;
    };
    for (std::size_t h = 0; h < task.count; ++h) {
        SearchHand& hand = task.hands[h];
        hand = hand_of(hands[h], shape);
        need_right(hand_fault(hand, shape));
        see(cards_on(hand.board), lying(hand.board));
        need(hand.land_cards == 0 || lying(hand.board) == 0, "a fantasyland is not set before it is dealt");
        need(h != me || hand.land_cards > 0 || hand.streets_done == street, "the hand is at another street");
        if (hand.land_cards == 0) {
            needed += still_dealt(shape, hand, h == me ? street + 1 : hand.streets_done);
        } else if (lands[h].size() > 0) {
            need(h != me && lands[h].size() == hand.land_cards, "wrong cards of a fantasyland");
            const std::span<const Card> own = cards_of(lands[h], most_land_cards);
            see(set_of(own), own.size());
            hand.board.cards = setter.set(hand, own.data(), task.land_value);
            hand.streets_done = shape.streets;
        } else {
            hand.streets_done = 0;
            needed += h == me ? 0 : hand.land_cards;
        }
    }
    const SearchHand& mine = task.hands[me];
    need(cards.size() == (mine.land_cards > 0 ? mine.land_cards : shape.dealt[street]), "wrong cards for the draw");
    const std::span<const Card> drawn = cards_of(cards, most_land_cards);
    see(set_of(drawn), drawn.size());
    need(static_cast<std::size_t>(std::popcount(seen)) == count && (seen & ~((CardSet{1} << shape.deck) - 1)) == 0, "a card is in two places, or not in the pack");
    need(needed <= static_cast<std::size_t>(std::popcount(left)), "too few cards in the deck");
    Luck found(learner.self().value(), learner.rules(), shape, learner.self().strengths());
    nb::gil_scoped_release release;
    const Gain gain = found.of(task, drawn, orders, seed);
    return {gain.begin(), gain.begin() + static_cast<std::ptrdiff_t>(task.count)};
}

// The second job on a thread of its own.
void at_once(const std::function<void()>& first, const std::function<void()>& second) {
    std::future<void> done = std::async(std::launch::async, second);
    first();
    done.get();
}

// Which of a decision's cards lie in the rows of a board.
RowMasks masks_of(const std::vector<nb::bytes>& rows, const SearchTask& task, std::size_t count) {
    need(rows.size() == row_count, "front, middle and back expected");
    RowMasks masks{};
    std::uint32_t used = 0;
    for (std::size_t row = 0; row < row_count; ++row) {
        need(rows[row].size() == row_size[row], "thirteen cards expected");
        for (const Card card : cards_of(rows[row], row_size[row])) {
            const auto at = static_cast<std::size_t>(std::find(task.cards.begin(), task.cards.begin() + count, card) - task.cards.begin());
            need(at < count && (used >> at & 1U) == 0, "this is no setting of these cards");
            used |= 1U << at;
            masks[row] |= 1U << at;
        }
    }
    return masks;
}

// One decision under search; it can be run in slices and stopped between them.
class Analysis {
public:
    Analysis(const Learner& learner, std::size_t street, std::size_t me, const std::vector<HandParts>& hands, const nb::bytes& cards,
             std::uint64_t unseen, const std::vector<float>& land_value, bool shared, bool believing, const std::optional<StackParts>& stacks,
             const std::vector<std::vector<nb::bytes>>& named, const std::vector<nb::bytes>& orders)
        : search_(learner.self().value(), learner.rules(), learner.shape(), learner.self().strengths()) {
        const DealShape& shape = learner.shape();
        need(land_value.size() == most_land_cards + 1, "one fantasyland value for 0 to 17 cards");
        task_.count = hands.size();
        need(task_.count >= 1 && task_.count <= max_hands && me < task_.count, "wrong number of hands");
        need(orders.empty() || orders.size() == task_.count, "wrong number of hands");
        task_.street = street;
        task_.me = me;
        task_.unseen = unseen;
        if (believing) task_.temperature = learner.temperature();
        task_.first_answers = learner.first_answers();
        const std::span<const Card> own = cards_of(cards, most_land_cards);
        std::copy(own.begin(), own.end(), task_.cards.begin());
        std::copy(land_value.begin(), land_value.end(), task_.land_value.begin());
        for (std::size_t h = 0; h < task_.count; ++h) {
            SearchHand& hand = task_.hands[h] = hand_of(hands[h], shape);
            if (!orders.empty()) tell_order(hand, orders[h], shape);
        }
        need_right(task_fault(task_, own, shape));
        if (stacks) task_.stacks = stacks_of(*stacks, task_.count);
        if (shared) search_.share(at_once);
        dealt_ = cards.size();
        streets_ = shape.streets;
        std::vector<RowMasks> settings;
        for (const auto& rows : named) settings.push_back(masks_of(rows, task_, dealt_));
        field_ = search_.candidates(task_, settings);
    }

    void run(std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool hurried) {
        need_few(rollouts);
        nb::gil_scoped_release release;
        search_.run(task_, field_, width, rollouts, seed, hurried);
    }

    // Forgets all rollouts; the order of the placements stays.
    void reset_samples() {
        for (Candidate& candidate : field_) candidate.forget();
    }

    // The first `width` in the order that `run` left, and those in `also`, by their places in it.
    void measure(std::size_t width, std::uint64_t each, std::uint64_t seed, std::uint64_t first, const std::vector<std::size_t>& also) {
        need_few(each);
        std::vector<std::size_t> chosen(std::min(width, field_.size()));
        std::iota(chosen.begin(), chosen.end(), std::size_t{0});
        for (const std::size_t c : also) {
            need(c < field_.size(), "there is no such placement");
            if (std::find(chosen.begin(), chosen.end(), c) == chosen.end()) chosen.push_back(c);
        }
        nb::gil_scoped_release release;
        search_.measure(task_, field_, chosen, each, seed, first);
    }

    // Rollouts `first` … of a seed for the chosen placements: their points, a row a rollout, a column a placement. The
    // table does not know of them.
    nb::ndarray<nb::numpy, float, nb::ndim<2>> sample_points(const std::vector<std::size_t>& chosen, std::uint64_t each, std::uint64_t seed,
                                                      std::uint64_t first) {
        need(each <= most_samples && chosen.size() <= field_.size(), "too many rollouts at once");
        for (const std::size_t c : chosen) need(c < field_.size(), "there is no such placement");
        auto* points = new std::vector<float>();
        nb::capsule owner(points, [](void* data) noexcept { delete static_cast<std::vector<float>*>(data); });
        {
            nb::gil_scoped_release release;
            points->reserve(chosen.size() * each);
            std::vector<Candidate> field = field_;
            search_.measure<false>(task_, field, chosen, each, seed, first, [&](double value) { points->push_back(static_cast<float>(value)); });
        }
        return {points->data(), {chosen.empty() ? 0 : points->size() / chosen.size(), chosen.size()}, owner};
    }

    // What is certain after each street of the game, on average; of a placement by its place.
    std::vector<StreetOutcome> street_progress(std::size_t at, std::uint64_t each, std::uint64_t seed, std::uint64_t first) const {
        need(at < field_.size() && each > 0, "there is no such placement, or no rollouts");
        need_few(each);
        const Streets streets = search_.course(task_, field_[at], each, seed, first);
        return street_outcomes(std::span(streets).first(streets_), each);
    }

    // Every discard of others that is not seen; none when nothing is believed. `thorough`: as what is shown believes it.
    std::vector<DiscardChances> discard_belief(bool thorough) {
        std::vector<DiscardChances> out;
        for (const Belief::Slot& slot : (thorough ? search_.careful(task_) : search_.belief()).slots()) {
            out.push_back({static_cast<std::uint32_t>(slot.hand), static_cast<std::uint32_t>(slot.street), {slot.chance.begin(), slot.chance.end()}});
        }
        return out;
    }

    // What it changes that the others answer, a draw of their cards each.
    std::vector<PointParts> response_corrections(std::uint64_t each, std::uint64_t seed) {
        need_few(each);
        nb::gil_scoped_release release;
        std::vector<PointParts> out;
        for (const Expected& one : search_.answers(task_, field_.front(), each, seed)) out.push_back({one.rows, one.royalties, one.other, one.land});
        return out;
    }

    // Whether the answer has no error: all that is left to chance can be counted.
    bool exact() const { return search_.solvable(task_); }

    // In the order that `run` left.
    std::vector<SearchedPlacement> table() const {
        std::vector<SearchedPlacement> out;
        out.reserve(field_.size());
        for (const Candidate& c : field_) out.emplace_back(c, search_.masks(c), std::span(task_.cards.data(), dealt_));
        return out;
    }

private:
    static void need_few(std::uint64_t rollouts) { need(rollouts <= most_rollouts, "too many rollouts at once"); }

    Decision search_;
    SearchTask task_;
    std::vector<Candidate> field_;
    std::size_t dealt_ = 0;
    std::size_t streets_ = 0;
};

}  // namespace

void init_analysis(nb::module_& m) {
    m.def("lands_paid", &lands_paid, nb::arg("stacks"), nb::arg("me"), nb::arg("value"),
          "Points that a hand may expect from each opponent of fantasylands worth `value`, as far as stacks reach.");
    m.def("place_worth", &place_worth, nb::arg("now"), nb::arg("before"), nb::arg("prizes"),
          "What each of up to twelve players may expect of the prizes by place (Malmuth-Harville), by chips.\n\nWho has none is out, "
          "placed behind the others by the chips before; equal chips share their places.");
    m.def("luck", &luck, nb::arg("learner"), nb::arg("street"), nb::arg("me"), nb::arg("hands"), nb::arg("lands"), nb::arg("cards"),
          nb::arg("left"), nb::arg("land_value"), nb::kw_only(), nb::arg("orders"), nb::arg("seed"),
          "Return what a draw brought each hand, in points, the next fantasylands at their value.\n\nHand `me` drew `cards`, of a street "
          "or of its whole fantasyland; `left`: a bit for each card in the deck after it. `hands` as `Analysis` takes them, of whole "
          "streets; `lands`: the cards of the fantasylands that are dealt already, by hand, else empty. The deal is played to its end in "
          "so many `orders` of the deck, and with other cards in the draw's place. Raises ValueError for what cannot be.");
    nb::class_<Analysis>(m, "Analysis",
                         "One decision under search by rollouts.")
        .def(nb::init<const Learner&, std::size_t, std::size_t, const std::vector<HandParts>&, const nb::bytes&, std::uint64_t,
                      const std::vector<float>&, bool, bool, const std::optional<StackParts>&,
                      const std::vector<std::vector<nb::bytes>>&, const std::vector<nb::bytes>&>(),
             nb::arg("learner"), nb::arg("street"), nb::arg("me"), nb::arg("hands"), nb::arg("cards"), nb::arg("unseen"),
             nb::arg("land_value"), nb::kw_only(), nb::arg("shared") = false, nb::arg("believing") = true, nb::arg("stacks") = nb::none(),
             nb::arg("named") = std::vector<std::vector<nb::bytes>>(), nb::arg("orders") = std::vector<nb::bytes>(), nb::keep_alive<1, 2>(),
             "Hands as (front, middle, back, streets done, fantasyland cards, fantasylands in a row), in deal order.\n\n`believing`: the "
             "learner's temperatures say what others threw away; else any unseen card may still come. A hand in fantasyland sets all its "
             "cards, and may be the only one; `named`: settings, front, middle and back, that are to be among the placements. `orders`: by "
             "hand how many cards lay in each row after each street done, a byte each; none of a hand, or none at all, where that is not "
             "known.")
        .def("run", &Analysis::run, nb::arg("width"), nb::arg("rollouts"), nb::arg("seed"), nb::kw_only(), nb::arg("hurried") = false,
             "Spend rollouts on the `width` best placements, halving the field, and sort them; all of them when exact.\n\n`hurried`: it "
             "ends as soon as one is clearly the best.")
        .def("reset_samples", &Analysis::reset_samples,
             "Forget all rollouts; the order of the placements stays.")
        .def("measure", &Analysis::measure, nb::arg("width"), nb::arg("each"), nb::arg("seed"), nb::arg("first"),
             nb::arg("also") = std::vector<std::size_t>(),
             "Give each of the first `width` placements the rollouts `first` to `first + each - 1` of a seed.\n\n`also`: further ones, by "
             "their places in the present order.")
        .def("sample_points", &Analysis::sample_points, nb::arg("chosen"), nb::arg("each"), nb::arg("seed"), nb::arg("first"),
             "Return the points of such rollouts of the chosen placements, shape (each, chosen); none when exact.\n\nThe table does not "
             "know of them.")
        .def("street_progress", &Analysis::street_progress, nb::arg("at"), nb::arg("each"), nb::arg("seed"), nb::arg("first"),
             "Return what is certain after each street of the game, on average over rollouts of the placement at a place.\n\nThe chance of "
             "a foul, that of fantasyland, and the royalties; nothing before the position's own street.")
        .def("response_corrections", &Analysis::response_corrections, nb::arg("each"), nb::arg("seed"),
             "Return what changes when others who still act answer the first placement by a search: the parts of points.\n\nRows, "
             "royalties, fouls and fantasylands, of so many draws of the others' cards.")
        .def("discard_belief", &Analysis::discard_belief, nb::kw_only(), nb::arg("thorough") = false,
             "Return how likely each card, of 54, lies there, for each unseen discard of others.\n\nEmpty when "
             "nothing is believed of them. `thorough`: as what is shown believes it, not as levels do.")
        .def("exact", &Analysis::exact,
             "Return whether the answer has no error: all that is left to chance can be counted.")
        .def("table", &Analysis::table,
             "Placements, in the order that `run` left.");
}
