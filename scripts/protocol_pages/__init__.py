"""The protocol's own documents, written from the server's types."""
