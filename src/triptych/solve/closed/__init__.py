"""The closed game: the best settings, and the strategies that they are measured against."""
