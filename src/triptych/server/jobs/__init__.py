"""Work on input of strangers, in processes of its own."""
