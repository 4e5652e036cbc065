"""Boards, positions and deals as text that people and programs read and write."""
