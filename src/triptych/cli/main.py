"""Entry point of `triptych`: registers one file per command, which is imported when it is asked for.

Exit statuses: 0 all is well; 1 what was asked cannot be answered, or an answer is an error; 2 the command line was
not understood or a file cannot be read; 130 Ctrl-C; 141 nobody reads what is written (a closed pipe).
"""

import difflib
import os
import sys
from typing import Final

from cyclopts import App

import triptych
from triptych.cli.errors import report_message
from triptych.cli.serve import serve

app = App(
    name="triptych",
    help="Chinese poker, closed and open-face: play it, study it, train at it.",
    version=lambda: triptych.__version__,
)
app.default(serve)
app.command(serve, name="serve", help="Open the room, and the browser on it; the same as no command.")

# The words stand here so that `--help` imports no command either.
COMMANDS: Final = (
    ("analyse", "analyse:analyse", "Say what every placement of a street is worth."),
    ("arena", "arena:arena", "Play bots against each other: who is stronger, with intervals."),
    ("backup", "backup:backup", "Copy the room's database while it is open."),
    ("session", "session.command:app", "Score a session of real cards: the ledger, and who pays whom."),
    ("history", "history:app", "Read, check and export the histories of deals."),
    ("rate", "rate:rate", "Say how well players play, whatever cards came: points lost a decision."),
    ("review", "review:review", "Say what each placement of a played deal cost."),
    ("puzzles", "puzzles:puzzles", "Make positions to practise on, out of self-play."),
    ("outs", "outs:outs", "Say what each row of a board can still become, and with which cards."),
    ("rebuild", "rebuild:rebuild", "Make everything anew that is made from the journal, and say what was wrong."),
    ("restore", "backup:restore", "Play every table of a backup again, check it, and make it the room's database."),
    ("rules", "rules:app", "List the presets, read their rules, check your own."),
    ("score", "score:score", "Score deals: one JSON object a line in, one a line out."),
    ("solve", "solve:app", "Exact answers: fantasyland, closed deals, the last streets."),
    ("verify", "verify:verify", "Check the proofs of a deal's cards: that its deck was fixed before it was dealt."),
    ("train", "train:train", "Learn to play a ruleset by self-play and write the weights."),
)
for name, place, words in COMMANDS:
    app.command(f"triptych.cli.{place}", name=name, help=words)
app.register_install_completion_command(add_to_startup=False)

_CLOSED_PIPE: Final = 141


def main() -> None:
    """Run the command line with the arguments of this process."""
    unknown = next(iter(sys.argv[1:2]), "-")
    names = [name for name, _, _ in COMMANDS] + ["serve"]
    if not unknown.startswith("-") and unknown not in names:
        near = difflib.get_close_matches(unknown, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(names))}"
        sys.exit(report_message(f"there is no command {unknown!r}; {hint}", 2))
    try:
        app()
    except BrokenPipeError:
        # The interpreter flushes once more as it ends; there nobody listens either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_CLOSED_PIPE)
