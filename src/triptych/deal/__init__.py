"""One deal as decide and evolve: no clock, no I/O, no randomness inside."""
