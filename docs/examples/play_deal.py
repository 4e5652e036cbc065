"""A match of open-face Chinese poker against a bot, in the terminal. `python docs/examples/play_deal.py [level]`."""

import sys

import triptych
from triptych.deal import Task

YOU, BOT = "You", "Bot"


def ask(deal: triptych.Deal, task: Task) -> None:
    """Let the player do what is asked: `Kd/7s7h/` is front/middle/back, the cards left over are discarded."""
    print(f"\n{deal.text(YOU)}")
    while True:
        try:
            deal.place(input(f"place {task.place} of {' '.join(deal.drawn(YOU))}: ").strip(), YOU)
        except triptych.TriptychError as error:
            print(error.message)
        else:
            return


def play(deal: triptych.Deal, bot: triptych.Bot) -> None:
    """Play one deal to its end."""
    while task := deal.task:
        if deal.player == YOU:
            ask(deal, task)
        else:
            deal.play_turn(bot)
    print(f"\n{deal}\n{deal.result()}")


match = triptych.Match("pineapple", [YOU, BOT], stacks={YOU: 100, BOT: 100})
opponent = triptych.make_bot(sys.argv[1] if len(sys.argv) > 1 else "fast")
for deal in match:  # a deal, and the fantasylands that it brings
    play(deal, opponent)
print("stacks:", match.stacks)
