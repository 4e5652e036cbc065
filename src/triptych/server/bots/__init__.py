"""Bots at tables: the driver that plays them, the processes in which they choose, and the guide's advice."""
