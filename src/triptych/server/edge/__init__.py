"""Everything between the network and a command: protocols, limits, guests, tokens, passwords."""
