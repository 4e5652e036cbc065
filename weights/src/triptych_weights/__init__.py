"""The learned weights of Triptych, a file a game, and how freely players choose (`temperature.json`)."""
