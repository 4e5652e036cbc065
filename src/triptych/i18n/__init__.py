"""Translates the server's English sentences into other languages."""
