"""Deals reviewed and positions analysed: what a browser reviews with, and the same worked out here for programs."""
