"""Tables as streams of events, kept durably."""
