"""Read models made from events."""
