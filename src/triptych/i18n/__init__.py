"""Messages of the program in all its languages."""
