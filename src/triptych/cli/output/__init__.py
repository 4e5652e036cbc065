"""Terminal output that several commands share."""
