"""Entry point of `triptych`: registers one file per command, which is imported when it is asked for."""

from importlib.metadata import version
from typing import Final

from cyclopts import App

from triptych.cli.serve import serve

app = App(
    name="triptych",
    help="Chinese poker, closed and open-face: play it, study it, train at it.",
    version=version("triptych"),
)
app.default(serve)

# The words stand here so that `--help` imports no command either.
COMMANDS: Final = (
    ("analyse", "analyse:analyse", "Say what every placement of a street is worth."),
    ("arena", "arena:arena", "Play bots against each other: who is stronger, with intervals."),
    ("evening", "evening:app", "Score an evening of real cards: the ledger, and who pays whom."),
    ("history", "history:app", "Read, check and export the histories of deals."),
    ("review", "review:review", "Say what each placement of a played deal cost."),
    ("outs", "outs:outs", "Say what each row of a board can still become, and with which cards."),
    ("rules", "rules:app", "List the presets, read their rules, check your own."),
    ("score", "score:score", "Score deals: one JSON object a line in, one a line out."),
    ("solve", "solve:app", "Exact answers: fantasyland, closed deals, the last streets."),
    ("train", "train:train", "Learn to play a ruleset by self-play and write the weights."),
)
for name, place, words in COMMANDS:
    app.command(f"triptych.cli.{place}", name=name, help=words)


def main() -> None:
    """Run the command line with the arguments of this process."""
    app()
