"""Bots that nothing was taught: random, looking ahead, playing hindsight."""
