"""HTTP and socket handlers, one file a page, and the jobs that their processes do."""
