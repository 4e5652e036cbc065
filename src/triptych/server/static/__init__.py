"""The built client, its previews and their images."""
