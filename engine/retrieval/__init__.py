"""Finding things in a work."""
