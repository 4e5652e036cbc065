"""How a table answers each command."""
