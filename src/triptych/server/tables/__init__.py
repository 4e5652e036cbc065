"""The tables in memory: one task each, its subscribers, and the directory of all tables."""
