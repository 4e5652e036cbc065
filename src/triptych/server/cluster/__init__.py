"""Several servers on one database: ownership of tables, messages between servers, and forwarding of requests."""
