"""What a finished board is worth, and why."""
