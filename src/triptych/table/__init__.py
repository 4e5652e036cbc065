"""Tables, matches, clocks and points as decide and evolve; time is an argument."""
