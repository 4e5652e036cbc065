"""News between the servers of one house."""
