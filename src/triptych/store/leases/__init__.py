"""The right to write a stream."""
