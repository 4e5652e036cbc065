// Candidate settings of a fantasyland, computed once per task (fantasyland_search.hpp).
#include "triptych/learn/fantasyland_search.hpp"

namespace triptych::learn {

std::vector<Candidate> FantasylandSearch::candidates(const SearchTask& task, std::span<const RowMasks> named) {
    settings_.clear();
    const std::size_t count = task.hands[task.me].fantasyland_cards;
    Pool pool;
    for (const bool joker : {false, true}) {
        for (std::size_t i = 0; i < count; ++i) {
            if (is_joker(task.cards[i]) != joker) continue;
            task_index_[pool.count] = i;
            pool.jokers |= static_cast<std::uint32_t>(joker) << pool.count;
            pool.cards[pool.count++] = task.cards[i];
        }
    }
    if (FantasylandSolver::solves(rules_)) {
        field_.undominated(rules_, pool, [&](const RowValues&, const RowMasks& masks) { add_setting(task, task_masks(masks, pool.count)); });
    } else {
        add_setting(task, task_masks(best(task, pool), pool.count));
    }
    std::stable_sort(settings_.begin(), settings_.end(), [](const Setting& a, const Setting& b) {
        return a.standalone_points != b.standalone_points ? a.standalone_points > b.standalone_points
                                                          : std::array{a.rows[2], a.rows[1], a.rows[0]} > std::array{b.rows[2], b.rows[1], b.rows[0]};
    });
    for (const RowMasks& masks : named) {
        if (std::none_of(settings_.begin(), settings_.end(), [&](const Setting& setting) { return setting.masks == masks; })) add_setting(task, masks);
    }
    if (settings_.empty()) add_setting(task, fouled_setting);
    std::vector<Candidate> result(settings_.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i].number = i;
        result[i].prior = static_cast<float>(settings_[i].standalone_points);
    }
    belief_.update(task, !solvable(task));
    return result;
}

RowMasks FantasylandSearch::task_masks(const RowMasks& masks, std::size_t count) const {
    RowMasks result{};
    for (std::size_t row = 0; row < row_count; ++row) {
        for (std::size_t i = 0; i < count; ++i) {
            if ((masks[row] >> i & 1U) != 0) result[row] |= 1U << task_index_[i];
        }
    }
    return result;
}

RowMasks FantasylandSearch::best(const SearchTask& task, const Pool& pool) {
    const KnownHand& mine = task.hands[task.me];
    Objective objective;
    objective.rules = &rules_;
    objective.fantasyland_cards = mine.fantasyland_cards;
    objective.fantasyland_in_row = mine.fantasyland_in_row;
    for (std::size_t h = 0; h < task.count; ++h) {
        if (h == task.me || !play_each_other(rules_, h, task.me, task.count - 1) || !task.hands[h].board.complete()) continue;
        objective.opponents[objective.opponent_count++] = opponent_of(rules_, task.hands[h].board.cards.data());
    }
    objective.unknown = static_cast<int>(opponent_count(task) - objective.opponent_count);
    for (std::size_t n = 0; n <= max_fantasyland_cards; ++n)
        objective.fantasyland_values[n] = static_cast<double>(task.fantasyland_values[n]) * static_cast<double>(opponent_count(task));
    const Completion& result = completer_.solve(objective, FixedRows{}, pool);
    return result.legal ? result.masks : fouled_setting;
}

void FantasylandSearch::add_setting(const SearchTask& task, const RowMasks& masks) {
    Setting made{masks, {}, {}, 0};
    for (std::size_t row = 0; row < row_count; ++row) {
        std::size_t at = row_start[row];
        for (std::size_t i = 0; i < task.hands[task.me].fantasyland_cards; ++i) {
            if ((masks[row] >> i & 1U) != 0) made.cards[at++] = task.cards[i];
        }
    }
    made.rows = board_values(rules_, made.cards.data());
    made.standalone_points = standalone_points(task, made.rows).total();
    settings_.push_back(made);
}

}  // namespace triptych::learn
