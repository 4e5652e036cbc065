"""Rules at the server: presets and checks for the lobby, and the house rules editor."""
