"""`--database @FILE` and `--bus @FILE`: a password stands in no list of processes (issue 34, part 7)."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import app


def bound(*words: str) -> dict[str, object]:
    """Return what the command line makes of the words of a `serve`."""
    return dict(app.parse_args(["serve", *words], exit_on_error=False, print_error=False)[1].arguments)


def test_a_text_is_taken_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "url").write_text("postgresql://triptych:s@db/triptych\n")
    options = bound("--database", f"@{tmp_path / 'url'}", "--bus", "nats://bus:4222")
    assert options["database"] == "postgresql://triptych:s@db/triptych"
    assert options["bus"] == "nats://bus:4222"


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe"])
def test_a_file_without_a_text_is_refused_by_its_name(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "url"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit):
        app.parse_args(["backup", "copy.db", "--database", f"@{file}"], exit_on_error=True, print_error=True)
    assert "url" in "".join(capsys.readouterr())
