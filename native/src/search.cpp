// Candidates of a street, and which of them are searched (search.hpp).
#include "triptych/learn/search.hpp"

#include "triptych/learn/next_street.hpp"

namespace triptych::learn {

std::vector<Candidate> Search::candidates(const SearchTask& task) {
    const KnownHand& mine = task.hands[task.me];
    const std::size_t dealt = shape_.dealt[task.street];
    const std::size_t placed = shape_.placed[task.street];
    const bool last = task.street + 1 == shape_.streets;
    const LiveCards live(task.unseen);
    const RowCache table(value_, mine.board.rows, task.cards.data(), last ? 0 : dealt, placed, live);
    std::vector<Candidate> candidates;
    for (const Placement& placement : placements(dealt, placed)) {
        if (!is_placeable(mine.board.rows, placement)) continue;
        Candidate candidate;
        candidate.placement = placement;
        if (last) {
            BoardInPlay done = mine.board;
            done.place(placement, task.cards.data(), dealt);
            candidate.prior = estimate(board_values(rules_, done.cards.data()));
        } else {
            candidate.prior = table.points(value_, placement);
        }
        candidate.lookahead_value = candidate.prior;
        candidates.push_back(candidate);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.prior > b.prior; });
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].number = i;
    control_variate_.clear();
    looked_ahead_ = false;
    stack_effects_.begin();
    if (helper_ != nullptr) {
        helper_->control_variate_.clear();
        helper_->stack_effects_.begin();
    }
    last_streets_.clear();
    last_streets_.resize(enumerates_own_draws(task) ? candidates.size() : 0);
    if (helper_ != nullptr) helper_->last_streets_ = last_streets_;
    belief_->update(task, !all_others_finished(task));
    thorough_belief_->invalidate();
    return candidates;
}

std::size_t Search::add_variant_candidates(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t left) const {
    if (left == candidates.size()) return left;
    const LiveCards live(task.unseen);
    std::vector<VariantPoints> variant_values(candidates.size());  // by candidate number; zero on the last street
    if (task.street + 1 < shape_.streets) {
        for (const Candidate& candidate : std::span(candidates).subspan(left)) {
            VariantPoints& values = variant_values[candidate.number];
            values = value_.variant_points(value_.map().features(placed(task, candidate.placement).rows, live));
            for (float& variant : values) variant += candidate.prior;
        }
    }
    const std::size_t width = left;
    for (std::size_t variant = 0; variant < variant_count; ++variant) {
        for (std::size_t count = width / (variant == fantasyland_first ? 4 : 8); count > 0 && left < candidates.size(); --count, ++left) {
            const auto end = candidates.begin() + static_cast<std::ptrdiff_t>(left);
            const auto best = std::max_element(end, candidates.end(), [&](const Candidate& a, const Candidate& b) {
                return variant_values[a.number][variant] < variant_values[b.number][variant];
            });
            std::rotate(end, best, best + 1);
        }
    }
    return left;
}

bool Search::look_ahead(const SearchTask& task, std::vector<Candidate>& candidates, std::size_t own, std::size_t left, std::uint64_t draws) const {
    if (draws == 0 || !can_look_ahead(shape_, task.street, task.unseen)) return false;
    const auto place = [&](std::size_t at) { return candidates.begin() + static_cast<std::ptrdiff_t>(at); };
    const std::size_t more = std::min(own, candidates.size() - left);
    std::rotate(place(own), place(left), place(left + more));  // candidates of variants last
    std::vector<BoardInPlay> boards;
    for (std::size_t i = 0; i < left + more; ++i) boards.push_back(placed(task, candidates[i].placement));
    const std::vector<double> points = lookahead_values(value_, rules_, strengths_, shape_, task.street, boards, task.unseen, draws);
    for (std::size_t i = 0; i < boards.size(); ++i) candidates[i].lookahead_value = static_cast<float>(points[i]);
    std::stable_sort(candidates.begin(), place(own + more), [](const Candidate& a, const Candidate& b) { return a.lookahead_value > b.lookahead_value; });
    std::rotate(place(own), place(own + more), place(left + more));
    return true;
}

}  // namespace triptych::learn
