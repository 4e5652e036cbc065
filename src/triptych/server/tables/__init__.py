"""The live tables: one task each, its audience and its bots."""
