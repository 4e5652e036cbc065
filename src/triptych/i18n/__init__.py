"""What the server says, in the languages that it is read in. English is what all other rooms say; it is read here."""
