"""Compress rows of the journal from now on; earlier versions of Triptych would report them as corrupt."""

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Change nothing: existing rows are read as they are."""
