"""What the server answers beside the tables: lobby, rules, scorer, replay."""
