"""The journal: events are appended in groups, projections follow."""
