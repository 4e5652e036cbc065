"""Entry point of `triptych`: registers one file per command, which is imported when it is asked for."""

from importlib.metadata import version
from typing import Final

from cyclopts import App

from triptych.cli.analyse import analyse
from triptych.cli.history import app as history
from triptych.cli.rules import app as rules
from triptych.cli.score import score
from triptych.cli.serve import serve

app = App(
    name="triptych",
    help="Chinese poker, closed and open-face: play it, study it, train at it.",
    version=version("triptych"),
)
app.default(serve)

# The words stand here so that `--help` imports no command either.
COMMANDS: Final = (
    ("arena", "arena:arena", "Play bots against each other: who is stronger, with intervals."),
    ("history", "history:app", "Read, check and export the histories of deals."),
    ("rules", "rules:app", "List the presets, read their rules, check your own."),
    ("score", "score:score", "Score deals: one JSON object a line in, one a line out."),
    ("solve", "solve:app", "Exact answers: fantasyland, closed deals, the last streets."),
    ("train", "train:train", "Learn to play a ruleset by self-play and write the weights."),
)
for name, place, words in COMMANDS:
    app.command(f"triptych.cli.{place}", name=name, help=words)
app.command(analyse)
app.command(history)
app.command(rules)
app.command(score)
app.command(solve)
app.command(train)


def main() -> None:
    """Run the command line with the arguments of this process."""
    app()
