"""Verifiable dealing: deck commitments, players' entropy, proofs of cards. Without side effects; docs: fairness."""
