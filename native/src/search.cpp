// The placements of a street, and which of them are searched (search.hpp).
#include "triptych/learn/search.hpp"

#include "triptych/learn/next_street.hpp"

namespace triptych::learn {

std::vector<Candidate> Search::candidates(const SearchTask& task) {
    const SearchHand& mine = task.hands[task.me];
    const std::size_t dealt = shape_.dealt[task.street];
    const std::size_t placed = shape_.placed[task.street];
    const bool last = task.street + 1 == shape_.streets;
    const LiveCards live(task.unseen);
    const RowTable table(value_, mine.board.rows, task.cards.data(), last ? 0 : dealt, placed, live);
    std::vector<Candidate> found;
    for (const Placement& placement : placements(dealt, placed)) {
        if (!fits(mine.board.rows, placement)) continue;
        Candidate candidate;
        candidate.placement = placement;
        if (last) {
            PlayedBoard done = mine.board;
            done.place(placement, task.cards.data(), dealt);
            candidate.prior = guide(board_values(rules_, done.cards.data()));
        } else {
            candidate.prior = table.points(value_, placement);
        }
        candidate.lookahead_value = candidate.prior;
        found.push_back(candidate);
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.prior > b.prior; });
    for (std::size_t i = 0; i < found.size(); ++i) found[i].number = i;
    luck_.clear();
    foreseen_ = false;
    changes_.begin();
    if (helper_ != nullptr) {
        helper_->luck_.clear();
        helper_->changes_.begin();
    }
    endings_.clear();
    endings_.resize(counts_draws(task) ? found.size() : 0);
    if (helper_ != nullptr) helper_->endings_ = endings_;
    belief_->look(task, !settled(task));
    careful_->forget();
    return found;
}

std::size_t Search::invite(const SearchTask& task, std::vector<Candidate>& field, std::size_t left) const {
    if (left == field.size()) return left;
    const LiveCards live(task.unseen);
    std::vector<Hopes> hoped(field.size());  // by a candidate's number; nothing is hoped for on the last street
    if (task.street + 1 < shape_.streets) {
        for (const Candidate& candidate : std::span(field).subspan(left)) {
            Hopes& hopes = hoped[candidate.number];
            hopes = value_.hopes(value_.map().of(placed(task, candidate.placement).rows, live));
            for (float& hope : hopes) hope += candidate.prior;
        }
    }
    const std::size_t width = left;
    for (std::size_t hope = 0; hope < hope_count; ++hope) {
        for (std::size_t guests = width / (hope == land_hope ? 4 : 8); guests > 0 && left < field.size(); --guests, ++left) {
            const auto end = field.begin() + static_cast<std::ptrdiff_t>(left);
            const auto best = std::max_element(end, field.end(), [&](const Candidate& a, const Candidate& b) {
                return hoped[a.number][hope] < hoped[b.number][hope];
            });
            std::rotate(end, best, best + 1);
        }
    }
    return left;
}

bool Search::foresee(const SearchTask& task, std::vector<Candidate>& field, std::size_t own, std::size_t left, std::uint64_t draws) const {
    if (draws == 0 || !can_look_ahead(shape_, task.street, task.unseen)) return false;
    const auto place = [&](std::size_t at) { return field.begin() + static_cast<std::ptrdiff_t>(at); };
    const std::size_t more = std::min(own, field.size() - left);
    std::rotate(place(own), place(left), place(left + more));  // guests last
    std::vector<PlayedBoard> boards;
    for (std::size_t i = 0; i < left + more; ++i) boards.push_back(placed(task, field[i].placement));
    const std::vector<double> points = lookahead_values(value_, rules_, strengths_, shape_, task.street, boards, task.unseen, draws);
    for (std::size_t i = 0; i < boards.size(); ++i) field[i].lookahead_value = static_cast<float>(points[i]);
    std::stable_sort(field.begin(), place(own + more), [](const Candidate& a, const Candidate& b) { return a.lookahead_value > b.lookahead_value; });
    std::rotate(place(own), place(own + more), place(left + more));
    return true;
}

}  // namespace triptych::learn
