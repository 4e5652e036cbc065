"""Records of ended tables."""
