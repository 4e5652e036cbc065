"""The history of a deal: its model, its text format, and its replay."""
