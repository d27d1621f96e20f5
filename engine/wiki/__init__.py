"""Pages of a work's wiki: from the store alone, or from what was written about the work."""
