"""Fair dealing that can be checked: commitments to decks, players' entropy, proofs of cards. Pure; docs: fairness."""
