// Whether this page was opened under an address that only this computer reaches, and what opens the server to others.

export const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
export const NETWORK_COMMAND = 'triptych --host 0.0.0.0';
