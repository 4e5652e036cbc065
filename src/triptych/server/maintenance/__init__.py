"""What runs beside the tables: archiving and checks."""
