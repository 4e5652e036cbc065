"""Texts and data for pages, without any request."""
