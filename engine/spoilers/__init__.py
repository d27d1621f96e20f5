"""What may be shown to a reader who has read so far."""
