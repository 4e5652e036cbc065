"""What an afterstate is worth: learned tables, and the decisions that a search over them can answer."""
