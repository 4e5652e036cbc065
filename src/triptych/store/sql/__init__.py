"""What SQLite and PostgreSQL share."""
