"""What can be learned from a text: by rules, and by the reading of a model."""
