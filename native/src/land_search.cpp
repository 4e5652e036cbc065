// The settings of a fantasyland that are tried, found once a task (land_search.hpp).
#include "triptych/learn/land_search.hpp"

namespace triptych::learn {

std::vector<Candidate> LandSearch::candidates(const SearchTask& task, std::span<const RowMasks> named) {
    settings_.clear();
    const std::size_t count = task.hands[task.me].land_cards;
    Pool pool;
    for (const bool joker : {false, true}) {
        for (std::size_t i = 0; i < count; ++i) {
            if (is_joker(task.cards[i]) != joker) continue;
            place_[pool.count] = i;
            pool.jokers |= static_cast<std::uint32_t>(joker) << pool.count;
            pool.cards[pool.count++] = task.cards[i];
        }
    }
    if (LandField::solves(rules_)) {
        field_.undominated(rules_, pool, [&](const RowValues&, const RowMasks& masks) { list(task, moved(masks, pool.count)); });
    } else {
        list(task, moved(best(task, pool), pool.count));
    }
    std::stable_sort(settings_.begin(), settings_.end(), [](const Setting& a, const Setting& b) {
        return a.alone != b.alone ? a.alone > b.alone : std::array{a.rows[2], a.rows[1], a.rows[0]} > std::array{b.rows[2], b.rows[1], b.rows[0]};
    });
    for (const RowMasks& masks : named) {
        if (std::none_of(settings_.begin(), settings_.end(), [&](const Setting& one) { return one.masks == masks; })) list(task, masks);
    }
    if (settings_.empty()) list(task, any);
    std::vector<Candidate> found(settings_.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].number = i;
        found[i].prior = static_cast<float>(settings_[i].alone);
    }
    belief_.look(task, !solvable(task));
    return found;
}

RowMasks LandSearch::moved(const RowMasks& masks, std::size_t count) const {
    RowMasks found{};
    for (std::size_t row = 0; row < row_count; ++row) {
        for (std::size_t i = 0; i < count; ++i) {
            if ((masks[row] >> i & 1U) != 0) found[row] |= 1U << place_[i];
        }
    }
    return found;
}

RowMasks LandSearch::best(const SearchTask& task, const Pool& pool) {
    const SearchHand& mine = task.hands[task.me];
    Goal goal;
    goal.rules = &rules_;
    goal.land_cards = mine.land_cards;
    goal.land_in_row = mine.land_in_row;
    for (std::size_t h = 0; h < task.count; ++h) {
        if (h == task.me || !play_each_other(rules_, h, task.me, task.count - 1) || !task.hands[h].board.complete()) continue;
        goal.opponents[goal.opponent_count++] = opponent_of(rules_, task.hands[h].board.cards.data());
    }
    goal.unknown = static_cast<int>(opponent_count(task) - goal.opponent_count);
    for (std::size_t n = 0; n <= most_land_cards; ++n) goal.land_value[n] = static_cast<double>(task.land_value[n]) * static_cast<double>(opponent_count(task));
    const Completion& found = completer_.solve(goal, FixedRows{}, pool);
    return found.legal ? found.masks : any;
}

void LandSearch::list(const SearchTask& task, const RowMasks& masks) {
    Setting made{masks, {}, {}, 0};
    for (std::size_t row = 0; row < row_count; ++row) {
        std::size_t at = row_start[row];
        for (std::size_t i = 0; i < task.hands[task.me].land_cards; ++i) {
            if ((masks[row] >> i & 1U) != 0) made.cards[at++] = task.cards[i];
        }
    }
    made.rows = board_values(rules_, made.cards.data());
    made.alone = alone(task, made.rows).total();
    settings_.push_back(made);
}

}  // namespace triptych::learn
