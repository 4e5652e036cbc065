"""Other servers of the same house: who owns what, what they tell each other, and the ways to them."""
