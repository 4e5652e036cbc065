"""The history of a deal: its model, its text, and how it is replayed."""
