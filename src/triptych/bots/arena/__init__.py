"""The arena: bots against bots over duplicate deals, with intervals."""
