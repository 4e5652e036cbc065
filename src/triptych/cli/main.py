"""The command line `triptych`: one file per command, imported when the command is used.

Exit statuses: 0 success; 1 an error, or an error in one of the results; 2 the command line is invalid or a file
cannot be read; 130 Ctrl-C; 141 the output's pipe was closed.
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

# The help texts are here so that `--help` imports no command either.
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
for name, target, help_text in COMMANDS:
    app.command(f"triptych.cli.{target}", name=name, help=help_text)
app.register_install_completion_command(add_to_startup=False)

_CLOSED_PIPE: Final = 141


def main() -> None:
    """Run the command line with the arguments of this process."""
    command = next(iter(sys.argv[1:2]), "-")
    names = [name for name, _, _ in COMMANDS] + ["serve"]
    if not command.startswith("-") and command not in names:
        matches = difflib.get_close_matches(command, names, 1)
        hint = f"did you mean {matches[0]}?" if matches else f"there are {', '.join(sorted(names))}"
        sys.exit(report_message(f"there is no command {command!r}; {hint}", 2))
    try:
        app()
    except BrokenPipeError:
        # The interpreter flushes standard output again when it exits, which would fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_CLOSED_PIPE)
