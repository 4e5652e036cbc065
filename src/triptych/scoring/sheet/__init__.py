"""The score sheet: every point of a deal, with its reason."""
