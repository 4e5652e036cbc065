"""What every placement of a street is worth; review of a played deal."""
