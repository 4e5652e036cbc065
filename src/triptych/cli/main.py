"""Entry point of `triptych`: registers one file per command."""

from importlib.metadata import version

from cyclopts import App

from triptych.cli.history import app as history
from triptych.cli.rules import app as rules
from triptych.cli.score import score
from triptych.cli.serve import serve
from triptych.cli.solve import app as solve
from triptych.cli.train import train

app = App(
    name="triptych",
    help="Chinese poker, closed and open-face: play it, study it, train at it.",
    version=version("triptych"),
)
app.default(serve)
app.command(history)
app.command(rules)
app.command(score)
app.command(solve)
app.command(train)


def main() -> None:
    """Run the command line with the arguments of this process."""
    app()
