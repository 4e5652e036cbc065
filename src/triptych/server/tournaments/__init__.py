"""The tournaments in memory: one task each, which orders its tables to play and takes their results."""
