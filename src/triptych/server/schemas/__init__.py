"""HTTP bodies, one file for each page."""
