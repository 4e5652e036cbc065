"""The protocol's documents, written by scripts/protocol_pages from the server's types."""
