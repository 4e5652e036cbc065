"""The tournaments in memory: one task each, which sends its tables orders and collects their results."""
