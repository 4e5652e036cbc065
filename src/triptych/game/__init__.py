"""A deal and a match as objects, for programs: `Deal` in deal.py, `Match` in match.py."""
