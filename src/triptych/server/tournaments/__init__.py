"""The live tournaments: one task each, which runs it, tells its tables what to play, and hears how it went."""
