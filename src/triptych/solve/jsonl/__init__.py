"""Questions to the exact solvers as JSON lines, and their answers."""
