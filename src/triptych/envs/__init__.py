"""Environments for learning programs: a batch in the kernel, and adapters to Gymnasium, PettingZoo, OpenSpiel."""
