"""A short bot: it pairs cards, collects suits and makes no sure foul. `python docs/examples/careful_bot.py`."""

import triptych
from triptych.deal import Action, DealView, Task


class Careful:
    """Takes the placement that looks best; a fantasyland is solved."""

    name = "careful"

    def choose(self, rules: triptych.Ruleset, view: DealView, task: Task, _budget_ms: int = 1000) -> Action:
        """Return the action for a task of an open game."""
        if len(task.cards) > 5:
            best = triptych.Placement.of(triptych.solve_fantasyland(task.cards, rules))
        else:
            board = view.boards[task.hand]
            best = max(triptych.LegalPlacements.from_task(task), key=lambda one: worth(one.on(board), rules))
        return best.action(task.hand)


def worth(board: triptych.Board, rules: triptych.Ruleset) -> float:
    """Return what a board looks like: pairs and high cards count more in lower rows, suits there too."""
    if not triptych.can_still_be_legal(board, rules):
        return -1000
    points = 0.0
    for row, pairs, high, suits in ((board.front, 0.2, 0, 0), (board.middle, 1, 0.5, 1.5), (board.back, 1.2, 0.5, 3)):
        ranks, colours = [card // 4 for card in row], [card % 4 for card in row]
        points += sum(pairs * (ranks.count(rank) - 1) * (rank + 6) + high * rank for rank in ranks)
        points += suits * max(map(colours.count, range(4))) ** 2
    return points


if __name__ == "__main__":
    print(triptych.play_match(Careful(), "random", deals=100).bots[0].plain.duplicate)
