"""HTTP and sockets: services, guests, pages, reading what strangers send."""
