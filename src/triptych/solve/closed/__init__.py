"""The closed game: the best settings, and the field that they are measured against."""
