"""HTTP and socket handlers, one file for each page or topic."""
