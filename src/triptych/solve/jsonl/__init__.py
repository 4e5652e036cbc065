"""Requests to the exact solvers as JSON lines, and their responses."""
