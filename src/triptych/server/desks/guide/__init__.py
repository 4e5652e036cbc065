"""The guide for who plays for the first time: what the rows are, what fouls, what brings points, what to do next."""
