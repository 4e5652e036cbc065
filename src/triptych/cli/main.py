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
    help="Play, analyse and practise Chinese poker (closed and open-face).",
    version=lambda: triptych.__version__,
)
app.default(serve)
app.command(serve, name="serve", help="Start the server and open the browser (default command).")

# The words stand here so that `--help` imports no command either.
COMMANDS: Final = (
    ("analyse", "analyse:analyse", "Evaluate every placement in a position."),
    ("arena", "arena:arena", "Play bots against each other and report points per deal with confidence intervals."),
    ("backup", "backup:backup", "Back up the database while the server is running."),
    ("session", "session.command:app", "Score a session of real cards: the ledger, and who pays whom."),
    ("history", "history:app", "Read, check and export the histories of deals."),
    ("rate", "rate:rate", "Calculate players’ error rates (points lost per decision)."),
    ("review", "review:review", "Review a played deal: points lost by each placement."),
    ("puzzles", "puzzles:puzzles", "Generate practice puzzles from self-play."),
    ("outs", "outs:outs", "List each row’s possible hands and the cards that improve it."),
    ("rebuild", "rebuild:rebuild", "Rebuild all derived data from the journal and report inconsistencies."),
    ("restore", "backup:restore", "Verify a backup by replaying it and restore it."),
    ("rules", "rules:app", "List the presets, read their rules, check your own."),
    ("score", "score:score", "Score deals from JSON Lines."),
    ("solve", "solve:app", "Solve fantasylands, closed hands and last streets exactly."),
    ("verify", "verify:verify", "Verify that a deal’s deck was fixed before it was dealt."),
    ("train", "train:train", "Train a bot for a ruleset by self-play."),
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
