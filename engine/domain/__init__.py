"""The nouns of UnderStory: frozen values without any input or output."""
