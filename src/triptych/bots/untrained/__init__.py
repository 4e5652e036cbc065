"""Bots without training: random, look-ahead, and hindsight Monte Carlo."""
