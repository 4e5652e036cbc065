"""Background work on stored tables: archiving and checks."""
