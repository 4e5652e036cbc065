// Closed games: the best settings of thirteen cards, against given boards and against hands as a strategy sets them.
#include <memory>
#include <vector>

#include "abi.hpp"
#include "triptych/closed/results.hpp"
#include "triptych/closed/strategy_match.hpp"

using namespace triptych;
using namespace triptych::web;

namespace {

constexpr std::uint32_t max_hand_count = 100'000;

// A kind and thirteen cards, front first.
std::vector<Hand> read_hands(Reader& in, std::size_t count) {
    std::vector<Hand> hands;
    for (std::size_t i = 0; i < count && !in.refused(); ++i) {
        const auto kind = in.number<std::uint8_t>();
        in.require(kind <= static_cast<std::uint8_t>(HandKind::dead), "there is no such hand");
        CardSet seen = 0;
        hands.push_back({static_cast<HandKind>(kind), all_rows_mask, 0, 0, 0, in.board(seen)});
    }
    return hands;
}

std::uint32_t read_top(Reader& in) { return in.within(0, closed_settings, "there are 72,072 settings"); }

}  // namespace

// Rules, how many hands, the hands (a kind, thirteen cards); its number.
TRIPTYCH_REQUEST(keep_field) {
    const auto rules = stored<RulesTable>(in);
    const std::vector<Hand> hands = read_hands(in, in.within(1, max_hand_count, "1 to 100,000 hands expected"));
    if (!in.complete()) return;
    auto hand_pool = std::make_shared<HandPool>(*rules, hands);
    if (hand_pool->pool().hands.empty()) return in.refuse(wrong_value, "the hand pool is empty");
    store(in, out, std::move(hand_pool));
}

// A field, thirteen cards, other cards that are known, the states of one to three opponents (0 unknown, 1 not a natural,
// 2 plays), how many settings to show; 0: the best board and its points alone, without going through all. A ClosedChoice.
TRIPTYCH_REQUEST(closed_choose) {
    const auto hand_pool = stored<HandPool>(in);
    CardSet all = 0;
    const auto cards = in.board(all);
    in.cards(joker_end, all);
    std::vector<SeatState> states(in.within(1, max_closed_seats, "one to three opponents expected"));
    for (SeatState& state : states) state = static_cast<SeatState>(in.within(0, 2, "there is no such state of a seat"));
    const std::size_t top = read_top(in);
    if (!in.complete()) return;
    BestResponse strategy(*hand_pool);
    strategy.set_opponents(set_of(cards), all & ~set_of(cards), states);
    out.put(ClosedChoice(strategy.solver(), strategy.table(), cards.data(), top));
}

// Rules, thirteen cards, how many opponents, what a point is worth against each, how many samples of them all, their hands
// sample by sample (a kind, thirteen cards), how many settings to show; 0 as above. A ClosedChoice.
TRIPTYCH_REQUEST(closed_against) {
    const auto rules = stored<RulesTable>(in);
    CardSet own = 0;
    const auto cards = in.board(own);
    std::vector<double> stakes(in.within(1, max_closed_seats, "one to three opponents expected"));
    for (double& stake : stakes) in.require((stake = in.number<double>()) >= 0, "a stake is not negative");
    const std::size_t samples = in.within(1, max_hand_count, "1 to 100,000 samples expected");
    const std::vector<Hand> hands = read_hands(in, samples * stakes.size());
    const std::size_t top = read_top(in);
    if (!in.complete()) return;
    static ClosedSolver solver;
    out.put(ClosedChoice(solver, OwnedSamples(*rules, hands, stakes).table, cards.data(), top));
}
