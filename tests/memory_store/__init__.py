"""A store in dictionaries, for tests: the conformance suite holds it to what the others do."""
