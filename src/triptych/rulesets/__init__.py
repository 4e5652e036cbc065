"""The options of the game as frozen data, the presets, and what they mean in words."""
