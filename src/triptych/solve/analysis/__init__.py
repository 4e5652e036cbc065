"""Analysis of the placements of a street, and reviews of played deals."""
