"""Learned values of afterstates: weights files, the learner, and samples of its play."""
