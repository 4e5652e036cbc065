"""The desk of tournaments: announced, listed, joined."""
