"""Descriptions of rules in plain words for players."""
