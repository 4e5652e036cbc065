"""All one's evenings: what came of them, deal by deal, and as files to take away."""
