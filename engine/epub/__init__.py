"""Reading EPUB files: from the zip to canonical text."""
