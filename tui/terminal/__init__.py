"""The terminal itself: what comes in, what goes out, what it can do."""
