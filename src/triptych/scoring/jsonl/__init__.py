"""The scoring contract: one deal a line of JSON in, one answer a line out."""
