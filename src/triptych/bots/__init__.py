"""Bots: they meet a table through the same protocol as a person."""
