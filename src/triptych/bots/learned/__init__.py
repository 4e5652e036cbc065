"""The learned player: an afterstate value from self-play, and a search by rollouts over it."""
