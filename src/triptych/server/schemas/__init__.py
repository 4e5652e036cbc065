"""HTTP bodies, one file a page."""
