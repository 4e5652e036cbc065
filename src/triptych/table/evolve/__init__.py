"""How each event changes a table."""
