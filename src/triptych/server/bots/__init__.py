"""Bots at tables: who asks them, the process in which they choose, and the advice of the guide."""
