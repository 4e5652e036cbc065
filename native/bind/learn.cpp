// Python's door to the learner: self-play, its tables, the greedy choice and the search over rollouts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "triptych/learn/look.hpp"
#include "triptych/learn/decision.hpp"
#include "triptych/learn/luck.hpp"

namespace nb = nanobind;
using namespace triptych;
using namespace triptych::learn;

namespace {

void need(bool right, const char* what) {
    if (!right) throw nb::value_error(what);
}

Outcomes outcomes_of(const std::vector<float>& values) {
    need(values.size() == outcome_count, "a wrong number of outcome weights");
    Outcomes out{};
    std::copy(values.begin(), values.end(), out.begin());
    return out;
}

Strengths strengths_of(const std::vector<Rank>& values) {
    need(values.size() == 3 * strength_bins, "a wrong number of row strengths");
    Strengths out{};
    for (std::size_t i = 0; i < values.size(); ++i) out[i / strength_bins][i % strength_bins] = values[i];
    return out;
}

DealShape shape_of(const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers) {
    need(dealt.size() == placed.size() && !dealt.empty() && dealt.size() <= max_streets, "wrong streets");
    need(hands >= 2 && hands <= max_hands, "wrong number of hands");
    need(jokers >= 0 && jokers <= 2, "wrong number of jokers");
    DealShape shape;
    shape.hands = hands;
    shape.deck = static_cast<std::uint32_t>(deck_size + jokers);
    shape.streets = dealt.size();
    int total = 0;
    for (std::size_t i = 0; i < dealt.size(); ++i) {
        need(placed[i] >= 1 && dealt[i] >= placed[i] && dealt[i] <= static_cast<int>(max_street_cards), "wrong street");
        shape.dealt[i] = static_cast<std::uint8_t>(dealt[i]);
        shape.placed[i] = static_cast<std::uint8_t>(placed[i]);
        total += dealt[i];
    }
    need(total * static_cast<int>(hands) <= static_cast<int>(shape.deck), "too few cards for so many hands");
    return shape;
}

const Card* cards_of(const nb::bytes& bytes, std::size_t most) {
    need(bytes.size() <= most, "too many cards");
    const auto* cards = reinterpret_cast<const Card*>(bytes.c_str());
    for (std::size_t i = 0; i < bytes.size(); ++i) need(cards[i] < deck_size + 2, "a card is an int from 0 to 53");
    return cards;
}

// A card by its text; `no_card` for one that is not known.
constexpr Card no_card = 64;

Card card_of_text(PyObject* text) {
    static const auto table = [] {
        std::array<std::array<Card, 128>, 128> of;
        for (auto& row : of) row.fill(no_card + 1);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (std::size_t suit = 0; suit < suits; ++suit) of[static_cast<std::size_t>("23456789TJQKA"[rank])][static_cast<std::size_t>("cdhs"[suit])] = static_cast<Card>(4 * rank + suit);
        }
        of['X']['1'] = first_joker;
        of['X']['2'] = first_joker + 1;
        of['?']['?'] = no_card;
        return of;
    }();
    Py_ssize_t size = 0;
    const char* letters = PyUnicode_Check(text) != 0 ? PyUnicode_AsUTF8AndSize(text, &size) : nullptr;
    need(letters != nullptr && size == 2 && letters[0] > 0 && letters[1] > 0, "a card is two letters");
    const Card card = table[static_cast<std::size_t>(letters[0])][static_cast<std::size_t>(letters[1])];
    need(card <= no_card, "no such card");
    return card;
}

// `visit(card)` for each that is known.
template <typename Visit>
void each_card(PyObject* texts, const Visit& visit) {
    need(PyTuple_Check(texts) != 0, "cards lie in a tuple");
    for (Py_ssize_t i = 0; i < PyTuple_Size(texts); ++i) {
        const Card card = card_of_text(PyTuple_GetItem(texts, i));
        if (card != no_card) visit(card);
    }
}

PlayedBoard board_of(const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back) {
    PlayedBoard board;
    const std::array<const nb::bytes*, row_count> rows = {&front, &middle, &back};
    for (std::size_t row = 0; row < row_count; ++row) {
        const Card* cards = cards_of(*rows[row], row_size[row]);
        for (std::size_t i = 0; i < rows[row]->size(); ++i) {
            board.cards[row_start[row] + i] = cards[i];
            board.rows[row].add(cards[i]);
        }
    }
    return board;
}

Places places_of(const std::vector<double>& prizes, const std::vector<double>& elsewhere, std::size_t count) {
    need(count + elsewhere.size() <= Places::most_players, "too many players for places");
    need(std::all_of(prizes.begin(), prizes.end(), [](double one) { return one >= 0; }), "no prize is below zero");
    need(std::all_of(elsewhere.begin(), elsewhere.end(), [](double one) { return one > 0; }), "who is still in has chips");
    return {prizes, elsewhere};
}

// What each of up to twelve players may expect; who has no chips is out, placed by the chips before.
std::vector<double> place_worth(const std::vector<double>& now, const std::vector<double>& before, const std::vector<double>& prizes) {
    need(now.size() == before.size() && !now.empty(), "chips now and before of the same players expected");
    const Places places = places_of(prizes, {}, now.size());
    std::array<double, Places::most_players> chips{};
    std::array<double, Places::most_players> began{};
    std::copy(now.begin(), now.end(), chips.begin());
    std::copy(before.begin(), before.end(), began.begin());
    const auto worth = places.worth(chips, began, now.size());
    return {worth.begin(), worth.begin() + static_cast<std::ptrdiff_t>(now.size())};
}

nb::bytes taken(std::uint32_t mask, const Card* cards, std::size_t count) {
    std::array<char, most_land_cards> out{};
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if ((mask >> i & 1U) != 0) out[size++] = static_cast<char>(cards[i]);
    }
    return nb::bytes(out.data(), size);
}

// The learner with the rules that it plays by.
class Learner {
public:
    Learner(const RulesTable& rules, const std::vector<int>& dealt, const std::vector<int>& placed, std::size_t hands, int jokers,
            const std::vector<float>& weights, const std::vector<Rank>& strengths, std::uint64_t seed)
        : rules_(rules),
          shape_(shape_of(dealt, placed, hands, jokers)),
          play_(rules, shape_, strengths_of(strengths), outcomes_of(weights), jokers, seed) {}

    void play(std::uint64_t deals, bool learning, float rate, float decay, float noise, int draws, int others, float spread) {
        nb::gil_scoped_release release;
        play_.play(deals, {learning, rate, decay, noise, draws, others, spread});
    }

    // deals, boards, fouls, fantasylands, fantasyland cards, royalties since the last call; starts counting again
    std::vector<std::int64_t> take_stats() {
        const PlayStats& s = play_.stats();
        const std::vector<std::int64_t> out = {static_cast<std::int64_t>(s.deals), static_cast<std::int64_t>(s.boards),
                                               static_cast<std::int64_t>(s.fouls), static_cast<std::int64_t>(s.lands),
                                               static_cast<std::int64_t>(s.land_cards), s.royalties};
        play_.clear_stats();
        return out;
    }

    // Row values of the last deal's legal boards, three numbers a board.
    std::vector<Rank> last_values() const {
        std::vector<Rank> out;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            const RowValues values = board_values(rules_, play_.boards()[h].cards.data());
            if (offending_rows(rules_, values) == 0) out.insert(out.end(), values.begin(), values.end());
        }
        return out;
    }

    // Cards of the last deal's boards, 13 a hand, front first.
    nb::bytes last_boards() const {
        std::vector<char> out;
        for (std::size_t h = 0; h < shape_.hands; ++h) {
            const auto& cards = play_.boards()[h].cards;
            out.insert(out.end(), cards.begin(), cards.end());
        }
        return nb::bytes(out.data(), out.size());
    }

    nb::ndarray<nb::numpy, float, nb::ndim<2>> table() {
        return {play_.value().mean().data(), {play_.value().map().size(), outcome_width}, nb::find(this)};
    }

    // After the table was written from outside: the points of every entry again.
    void reweigh() { play_.value().weigh(Outcomes(play_.value().weights())); }

    // Views of all that learning changes; with the number of deals played they are the whole state of a run.
    nb::list memory() {
        nb::list out;
        for (const std::span<float> part : play_.value().memory()) {
            out.append(nb::ndarray<nb::numpy, float, nb::ndim<1>>(part.data(), {part.size()}, nb::find(this)));
        }
        return out;
    }

    std::uint64_t played() const { return play_.played(); }
    void go_on(std::uint64_t played) { play_.go_on(played); }

    void weigh(const std::vector<float>& weights) { play_.value().weigh(outcomes_of(weights)); }
    // The same tables, where fantasylands of 0 to 17 cards are worth so many points; it shares what they learned.
    Learner with_lands(const std::vector<float>& value) const {
        need(value.size() == most_land_cards + 1, "one fantasyland value for 0 to 17 cards");
        Learner other = *this;
        Outcomes weights = play_.value().weights();
        std::copy_n(value.begin() + 13, land_sizes, weights.begin() + land_outcome);
        other.play_.value().weigh(weights);
        return other;
    }
    void set_strengths(const std::vector<Rank>& strengths) { play_.set_strengths(strengths_of(strengths)); }

    // `rivals`: rows of the others' boards, three of each, front first.
    nb::tuple choose(std::size_t street, const nb::bytes& front, const nb::bytes& middle, const nb::bytes& back,
                     const nb::bytes& cards, std::uint64_t unseen, bool looking, const std::vector<nb::bytes>& rivals) const {
        need(street < shape_.streets && cards.size() == shape_.dealt[street], "wrong cards for the street");
        const Card* drawn = cards_of(cards, max_street_cards);
        need(rivals.size() % row_count == 0 && rivals.size() < row_count * max_hands, "three rows of each other hand");
        std::array<PlayedBoard, max_hands> others;
        const std::size_t count = rivals.size() / row_count;
        for (std::size_t i = 0; i < count; ++i) others[i] = board_of(rivals[3 * i], rivals[3 * i + 1], rivals[3 * i + 2]);
        const Placement best = best_of(street, board_of(front, middle, back), drawn, unseen, looking, std::span(others).first(count));
        return nb::make_tuple(taken(best.row[0], drawn, cards.size()), taken(best.row[1], drawn, cards.size()),
                              taken(best.row[2], drawn, cards.size()));
    }

    // The same from the texts of a view: it is read here because that takes longer in Python than the choice does. Of each
    // hand front, middle, back, cards not in rows, discards.
    nb::tuple place(std::size_t street, const nb::list& boards, std::size_t me, const nb::tuple& cards, bool looking) const {
        const std::size_t hands = nb::len(boards);
        need(street < shape_.streets && nb::len(cards) == shape_.dealt[street], "wrong cards for the street");
        need(hands <= max_hands && me < hands, "wrong number of hands");
        CardSet unseen = (CardSet{1} << shape_.deck) - 1;
        std::array<Card, max_street_cards> drawn{};
        std::size_t dealt = 0;
        each_card(cards.ptr(), [&](Card card) {
            drawn[dealt++] = card;
            unseen &= ~bit(card);
        });
        need(dealt == shape_.dealt[street], "the street's cards are known");
        std::array<PlayedBoard, max_hands> laid;  // the others, and its own behind them
        for (std::size_t h = 0, other = 0; h < hands; ++h) {
            PyObject* parts = PyList_GetItem(boards.ptr(), static_cast<Py_ssize_t>(h));
            need(PyTuple_Check(parts) != 0 && PyTuple_Size(parts) == 5, "five parts of each hand");
            PlayedBoard& board = laid[h == me ? hands - 1 : other++];
            for (std::size_t part = 0; part < 5; ++part) {
                each_card(PyTuple_GetItem(parts, static_cast<Py_ssize_t>(part)), [&](Card card) {
                    unseen &= ~bit(card);
                    if (part >= row_count) return;
                    need(board.rows[part].size < row_size[part], "too many cards");
                    board.cards[row_start[part] + board.rows[part].size] = card;
                    board.rows[part].add(card);
                });
            }
        }
        const Placement best = best_of(street, laid[hands - 1], drawn.data(), unseen, looking, std::span(laid).first(hands - 1));
        const auto row = [&](std::size_t which) {
            nb::object texts = nb::steal(PyTuple_New(std::popcount(best.row[which])));
            Py_ssize_t at = 0;
            for (std::size_t i = 0; i < dealt; ++i) {
                if ((best.row[which] >> i & 1U) != 0) PyTuple_SetItem(texts.ptr(), at++, nb::object(cards[i]).release().ptr());
            }
            return texts;
        };
        return nb::make_tuple(row(front_row), row(middle_row), row(back_row));
    }

    // How freely its players choose, by street; without any, nothing is believed of what they threw away.
    void set_temperature(const std::vector<float>& temperature) {
        need(temperature.empty() || temperature.size() == shape_.streets, "one temperature a street, or none");
        for (const float one : temperature) need(one >= 0 && one < 1e6F, "a temperature is points from 0 on");
        temperature_ = {};
        std::copy(temperature.begin(), temperature.end(), temperature_.begin());
    }

    // What others who answer a first street change of the points (playout.hpp); less than all: nothing of the rest.
    void set_first_answers(const std::vector<std::array<float, FirstAnswers::parts>>& change) {
        need(change.size() <= FirstAnswers::count, "too many numbers of hands");
        first_answers_ = {};
        std::copy(change.begin(), change.end(), first_answers_.change.begin());
    }

    const std::array<float, max_streets>& temperature() const { return temperature_; }
    const FirstAnswers& first_answers() const { return first_answers_; }
    const RulesTable& rules() const { return rules_; }
    const DealShape& shape() const { return shape_; }
    const SelfPlay& self() const { return play_; }

private:
    Placement best_of(std::size_t street, const PlayedBoard& board, const Card* cards, CardSet unseen, bool looking, std::span<const PlayedBoard> rivals) const {
        const ValueTables& value = play_.value();
        if (looking) return Look(value, rules_, play_.strengths(), shape_, unseen, rivals).choose(street, board, cards);
        return greedy(value, rules_, play_.strengths(), shape_, street, board, cards, LiveCards(unseen));
    }

    RulesTable rules_;
    DealShape shape_;
    SelfPlay play_;
    std::array<float, max_streets> temperature_{};
    FirstAnswers first_answers_;
};

// Chips by hand, chips a point by pair, chips a point by which all is told, cap, whether who is bust collects nothing, the
// most chips that anybody loses, prizes by place, chips of players who sit elsewhere.
Stacks stacks_of(const nb::tuple& given, std::size_t count) {
    need(nb::len(given) == 8, "stacks are told in eight parts");
    const auto chips = nb::cast<std::vector<double>>(given[0]);
    const auto stake = nb::cast<std::vector<double>>(given[1]);
    const auto cap = nb::cast<int>(given[3]);
    need(chips.size() == count && stake.size() == count * (count - 1) / 2 && cap >= 0 && cap <= 2, "a stack for each hand and a stake for each pair expected");
    const auto least = [](const std::vector<double>& list, double from) { return std::all_of(list.begin(), list.end(), [&](double one) { return one >= from; }); };
    Stacks stacks;
    stacks.point = nb::cast<double>(given[2]);
    need(least(chips, 0) && least(stake, 1) && stacks.point >= 1, "a stack is zero or more, and a point a chip or more");
    std::copy(chips.begin(), chips.end(), stacks.chips.begin());
    std::copy(stake.begin(), stake.end(), stacks.stake.begin());
    stacks.rule.cap = static_cast<PaymentRule::Cap>(cap);
    stacks.rule.bust_stops = nb::cast<bool>(given[4]);
    stacks.rule.loss_limit = nb::cast<double>(given[5]);
    stacks.places = places_of(nb::cast<std::vector<double>>(given[6]), nb::cast<std::vector<double>>(given[7]), count);
    stacks.begin(count);
    return stacks;
}

// What fantasylands worth so much are worth to a hand where stacks bound what is paid.
std::vector<double> lands_paid(const nb::tuple& given, std::size_t me, const std::vector<double>& value) {
    const std::size_t count = nb::len(nb::handle(given[0]));
    need(count >= 2 && count <= max_hands && me < count, "wrong number of hands");
    const Stacks stacks = stacks_of(given, count);
    std::vector<double> found;
    for (const double one : value) found.push_back(one > 0 ? stacks.paid(me, count, one) : one);
    return found;
}

// Front, middle, back, streets done, cards of its fantasyland, fantasylands in a row.
SearchHand hand_of(nb::handle given, const DealShape& shape) {
    const auto hand = nb::cast<nb::tuple>(given);
    SearchHand into;
    into.board = board_of(nb::cast<nb::bytes>(hand[0]), nb::cast<nb::bytes>(hand[1]), nb::cast<nb::bytes>(hand[2]));
    into.streets_done = nb::cast<std::size_t>(hand[3]);
    into.land_cards = nb::cast<std::uint8_t>(hand[4]);
    into.land_in_row = nb::cast<std::uint8_t>(hand[5]);
    need(into.land_cards <= most_land_cards && into.streets_done <= shape.streets, "an impossible hand");
    return into;
}

// How many cards lay in each row after each street done, a byte each; no bytes where that is not known.
void tell_order(SearchHand& hand, const nb::bytes& laid, const DealShape& shape) {
    if (laid.size() == 0) return;
    need(laid.size() == hand.streets_done * row_count, "the order of a hand's cards has other streets");
    const auto* sizes = static_cast<const std::uint8_t*>(laid.data());
    for (std::size_t s = 0; s < hand.streets_done; ++s) std::copy_n(sizes + s * row_count, row_count, hand.laid[s].begin());
    hand.in_order = true;
    need(comes_in_order(hand, shape), "a hand's cards cannot have come in this order");
}

// Cards that a hand is still dealt from a street on, outside fantasyland.
std::size_t to_come(const DealShape& shape, std::size_t street) {
    std::size_t cards = 0;
    for (; street < shape.streets; ++street) cards += shape.dealt[street];
    return cards;
}

// What a draw brought each hand, in points. `lands`: the cards of fantasylands that are dealt already, by hand.
std::vector<double> luck(const Learner& learner, std::size_t street, std::size_t me, const nb::list& hands, const std::vector<nb::bytes>& lands,
                         const nb::bytes& cards, std::uint64_t left, const std::vector<float>& land_value, std::uint64_t orders, std::uint64_t seed) {
    const DealShape& shape = learner.shape();
    DrawTask task;
    task.count = nb::len(hands);
    need(task.count >= 2 && task.count <= max_hands && me < task.count && lands.size() == task.count, "wrong number of hands");
    need(street < shape.streets && land_value.size() == most_land_cards + 1 && orders > 0, "wrong street, fantasyland values or orders");
    task.me = me;
    task.street = street;
    task.left = left;
    std::copy(land_value.begin(), land_value.end(), task.land_value.begin());
    LandSetter setter(learner.rules());
    std::size_t needed = 0;
    for (std::size_t h = 0; h < task.count; ++h) {
        SearchHand& hand = task.hands[h];
        hand = hand_of(hands[h], shape);
        need(h != me || hand.land_cards > 0 || hand.streets_done == street, "the hand is at another street");
        if (hand.land_cards == 0) {
            needed += to_come(shape, h == me ? street + 1 : hand.streets_done);
        } else if (lands[h].size() > 0) {
            need(h != me && lands[h].size() == hand.land_cards, "wrong cards of a fantasyland");
            hand.board.cards = setter.set(hand, cards_of(lands[h], most_land_cards), task.land_value);
            hand.streets_done = shape.streets;
        } else {
            hand.streets_done = 0;
            needed += h == me ? 0 : hand.land_cards;
        }
    }
    const SearchHand& mine = task.hands[me];
    need(cards.size() == (mine.land_cards > 0 ? mine.land_cards : shape.dealt[street]), "wrong cards for the draw");
    const Card* drawn = cards_of(cards, most_land_cards);
    for (std::size_t i = 0; i < cards.size(); ++i) need((left & bit(drawn[i])) == 0, "a drawn card is in the deck");
    need(needed <= static_cast<std::size_t>(std::popcount(left)), "too few cards in the deck");
    Luck found(learner.self().value(), learner.rules(), shape, learner.self().strengths());
    nb::gil_scoped_release release;
    const Gain gain = found.of(task, {drawn, cards.size()}, orders, seed);
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
        const Card* cards = cards_of(rows[row], row_size[row]);
        need(rows[row].size() == row_size[row], "thirteen cards expected");
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
            const auto* found = std::find(task.cards.begin(), task.cards.begin() + count, cards[i]);
            const auto at = static_cast<std::size_t>(found - task.cards.begin());
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
    Analysis(const Learner& learner, std::size_t street, std::size_t me, const nb::list& hands, const nb::bytes& cards,
             std::uint64_t unseen, const std::vector<float>& land_value, bool shared, bool believing, const std::optional<nb::tuple>& stacks,
             const std::vector<std::vector<nb::bytes>>& named, const std::vector<nb::bytes>& orders)
        : search_(learner.self().value(), learner.rules(), learner.shape(), learner.self().strengths()) {
        const DealShape& shape = learner.shape();
        need(land_value.size() == most_land_cards + 1, "one fantasyland value for 0 to 17 cards");
        task_.count = nb::len(hands);
        need(task_.count >= 1 && task_.count <= max_hands && me < task_.count, "wrong number of hands");
        need(orders.empty() || orders.size() == task_.count, "wrong number of hands");
        const std::size_t land = hand_of(hands[me], shape).land_cards;
        need(task_.count > 1 || land > 0, "only a fantasyland is set alone");
        need(street < shape.streets && cards.size() == (land > 0 ? land : shape.dealt[street]), "wrong cards for the street");
        task_.street = street;
        task_.me = me;
        task_.unseen = unseen;
        if (believing) task_.temperature = learner.temperature();
        task_.first_answers = learner.first_answers();
        std::copy_n(cards_of(cards, most_land_cards), cards.size(), task_.cards.begin());
        std::copy(land_value.begin(), land_value.end(), task_.land_value.begin());
        std::size_t needed = 0;
        for (std::size_t h = 0; h < task_.count; ++h) {
            SearchHand& hand = task_.hands[h] = hand_of(hands[h], shape);
            if (!orders.empty()) tell_order(hand, orders[h], shape);
            if (hand.land_cards == 0) needed += to_come(shape, h == me ? street + 1 : hand.streets_done);
            else if (h != me) needed += hand.land_cards;
        }
        need(needed <= static_cast<std::size_t>(std::popcount(unseen)), "too few unseen cards");
        if (stacks) task_.stacks = stacks_of(*stacks, task_.count);
        if (shared) search_.share(at_once);
        dealt_ = cards.size();
        streets_ = shape.streets;
        std::vector<RowMasks> settings;
        for (const auto& rows : named) settings.push_back(masks_of(rows, task_, dealt_));
        field_ = search_.candidates(task_, settings);
    }

    void run(std::size_t width, std::uint64_t rollouts, std::uint64_t seed, bool hurried) {
        nb::gil_scoped_release release;
        search_.run(task_, field_, width, rollouts, seed, hurried);
    }

    // Forgets all rollouts; the order stays.
    void forget() {
        for (Candidate& candidate : field_) candidate.forget();
    }

    // The first `width` in the order that `run` left, and those in `also`, by their places in it.
    void measure(std::size_t width, std::uint64_t each, std::uint64_t seed, std::uint64_t first, const std::vector<std::size_t>& also) {
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
    nb::ndarray<nb::numpy, float, nb::ndim<2>> sample(const std::vector<std::size_t>& chosen, std::uint64_t each, std::uint64_t seed,
                                                      std::uint64_t first) {
        for (const std::size_t c : chosen) need(c < field_.size(), "there is no such placement");
        auto* points = new std::vector<float>();
        nb::capsule owner(points, [](void* data) noexcept { delete static_cast<std::vector<float>*>(data); });
        {
            nb::gil_scoped_release release;
            points->reserve(chosen.size() * each);
            std::vector<Candidate> field = field_;
            search_.measure<false>(task_, field, chosen, each, seed, first,
                                   [&](double value) { points->push_back(static_cast<float>(value)); });
        }
        return {points->data(), {chosen.empty() ? 0 : points->size() / chosen.size(), chosen.size()}, owner};
    }

    // (fouls, fantasylands, royalties) that are certain after each street of the game, on average; of a placement by its place.
    nb::list course(std::size_t at, std::uint64_t each, std::uint64_t seed, std::uint64_t first) const {
        need(at < field_.size() && each > 0, "there is no such placement, or no rollouts");
        nb::list out;
        const auto n = static_cast<double>(each);
        const Streets streets = search_.course(task_, field_[at], each, seed, first);
        for (const Reached& reached : std::span(streets).first(streets_)) out.append(nb::make_tuple(reached.fouls / n, reached.lands / n, reached.royalties / n));
        return out;
    }

    // (hand, street from 0, how likely each card lies there, by card) for every discard of others that is not seen; empty
    // when nothing is believed. `care`: as what is shown believes it.
    nb::list thrown(bool care) {
        nb::list out;
        for (const Belief::Slot& slot : (care ? search_.careful(task_) : search_.belief()).slots()) {
            out.append(nb::make_tuple(slot.hand, slot.street, std::vector<float>(slot.chance.begin(), slot.chance.end())));
        }
        return out;
    }

    // Rows, royalties, fouls' points, fantasyland points: what it changes that the others answer, a draw of their cards each.
    std::vector<std::array<double, FirstAnswers::parts>> answers(std::uint64_t each, std::uint64_t seed) {
        nb::gil_scoped_release release;
        std::vector<std::array<double, FirstAnswers::parts>> out;
        for (const Expected& one : search_.answers(task_, field_.front(), each, seed)) out.push_back({one.rows, one.royalties, one.other, one.land});
        return out;
    }

    // Whether the answer has no error: all that is left to chance can be counted.
    bool exact() const { return search_.solvable(task_); }

    // (front, middle, back, prior, rollouts, mean, standard error, rows, royalties, fouls' points, fantasyland points,
    //  chance of a foul, chance of fantasyland, what stacks change of the points) a placement, in the order that `run` left
    nb::list table() const {
        nb::list out;
        for (const Candidate& c : field_) {
            const double n = c.rollouts > 0 ? static_cast<double>(c.rollouts) : 1;
            const RowMasks masks = search_.masks(c);
            out.append(nb::make_tuple(taken(masks[0], task_.cards.data(), dealt_), taken(masks[1], task_.cards.data(), dealt_),
                                      taken(masks[2], task_.cards.data(), dealt_), c.prior, c.rollouts, c.points / n,
                                      c.rollouts > 1 ? c.error() : 0.0, c.rows / n, c.royalties / n, c.other / n, c.land / n,
                                      static_cast<double>(c.fouls) / n, static_cast<double>(c.lands) / n, c.stacks / n));
        }
        return out;
    }

private:
    Decision search_;
    SearchTask task_;
    std::vector<Candidate> field_;
    std::size_t dealt_ = 0;
    std::size_t streets_ = 0;
};

}  // namespace

void init_learn(nb::module_& m) {
    m.attr("OUTCOMES") = static_cast<std::size_t>(outcome_count);
    m.attr("STRENGTH_BINS") = strength_bins;
    m.def("lands_paid", &lands_paid, nb::arg("stacks"), nb::arg("me"), nb::arg("value"));
    m.def("place_worth", &place_worth, nb::arg("now"), nb::arg("before"), nb::arg("prizes"));
    nb::class_<Learner>(m, "Learner", "The afterstate learner with the rules that it plays by.")
        .def(nb::init<const RulesTable&, const std::vector<int>&, const std::vector<int>&, std::size_t, int, const std::vector<float>&,
                      const std::vector<Rank>&, std::uint64_t>(),
             nb::arg("rules"), nb::arg("dealt"), nb::arg("placed"), nb::kw_only(), nb::arg("hands"), nb::arg("jokers"),
             nb::arg("weights"), nb::arg("strengths"), nb::arg("seed"))
        .def("play", &Learner::play, nb::arg("deals"), nb::kw_only(), nb::arg("learning"), nb::arg("rate"), nb::arg("decay"),
             nb::arg("noise"), nb::arg("draws") = 0, nb::arg("others") = 0, nb::arg("spread") = 0.0F)
        .def("take_stats", &Learner::take_stats)
        .def("last_values", &Learner::last_values)
        .def("last_boards", &Learner::last_boards)
        .def("table", &Learner::table, nb::rv_policy::reference_internal)
        .def("reweigh", &Learner::reweigh)
        .def("memory", &Learner::memory)
        .def("played", &Learner::played)
        .def("go_on", &Learner::go_on, nb::arg("played"))
        .def("weigh", &Learner::weigh, nb::arg("weights"))
        .def("with_lands", &Learner::with_lands, nb::arg("value"))
        .def("set_strengths", &Learner::set_strengths, nb::arg("strengths"))
        .def("set_temperature", &Learner::set_temperature, nb::arg("temperature"))
        .def("set_first_answers", &Learner::set_first_answers, nb::arg("change"))
        .def("choose", &Learner::choose, nb::arg("street"), nb::arg("front"), nb::arg("middle"), nb::arg("back"), nb::arg("cards"),
             nb::arg("unseen"), nb::arg("looking") = false, nb::arg("rivals") = std::vector<nb::bytes>())
        .def("place", &Learner::place, nb::arg("street"), nb::arg("boards"), nb::arg("me"), nb::arg("cards"), nb::arg("looking"));
    m.def("luck", &luck, nb::arg("learner"), nb::arg("street"), nb::arg("me"), nb::arg("hands"), nb::arg("lands"), nb::arg("cards"),
          nb::arg("left"), nb::arg("land_value"), nb::kw_only(), nb::arg("orders"), nb::arg("seed"));
    nb::class_<Analysis>(m, "Analysis", "One decision under search.")
        .def(nb::init<const Learner&, std::size_t, std::size_t, const nb::list&, const nb::bytes&, std::uint64_t,
                      const std::vector<float>&, bool, bool, const std::optional<nb::tuple>&,
                      const std::vector<std::vector<nb::bytes>>&, const std::vector<nb::bytes>&>(),
             nb::arg("learner"), nb::arg("street"), nb::arg("me"), nb::arg("hands"), nb::arg("cards"), nb::arg("unseen"),
             nb::arg("land_value"), nb::kw_only(), nb::arg("shared") = false, nb::arg("believing") = true, nb::arg("stacks") = nb::none(),
             nb::arg("named") = std::vector<std::vector<nb::bytes>>(), nb::arg("orders") = std::vector<nb::bytes>(), nb::keep_alive<1, 2>())
        .def("run", &Analysis::run, nb::arg("width"), nb::arg("rollouts"), nb::arg("seed"), nb::kw_only(), nb::arg("hurried") = false)
        .def("forget", &Analysis::forget)
        .def("measure", &Analysis::measure, nb::arg("width"), nb::arg("each"), nb::arg("seed"), nb::arg("first"),
             nb::arg("also") = std::vector<std::size_t>())
        .def("sample", &Analysis::sample, nb::arg("chosen"), nb::arg("each"), nb::arg("seed"), nb::arg("first"))
        .def("course", &Analysis::course, nb::arg("at"), nb::arg("each"), nb::arg("seed"), nb::arg("first"))
        .def("answers", &Analysis::answers, nb::arg("each"), nb::arg("seed"))
        .def("thrown", &Analysis::thrown, nb::kw_only(), nb::arg("care") = false)
        .def("exact", &Analysis::exact)
        .def("table", &Analysis::table);
}
