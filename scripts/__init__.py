"""Tools of the repository; run as `uv run python -m scripts.NAME`."""
