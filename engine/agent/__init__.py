"""The companion: looks into the book before it speaks, and says nothing it cannot show."""
