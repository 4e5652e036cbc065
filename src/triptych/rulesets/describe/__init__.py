"""Rules in plain words, as players read them."""
