"""Who one is: known again by a passkey or by a name and a password, on another device, no more."""
