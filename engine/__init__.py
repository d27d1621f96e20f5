"""The engine: everything UnderStory knows, and nothing about terminals."""
