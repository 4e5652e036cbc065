"""Messages between the servers of a cluster."""
