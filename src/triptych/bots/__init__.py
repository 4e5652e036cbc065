"""Bots: a table asks them through the same views and tasks as a person."""
