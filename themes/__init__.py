"""The themes that come with UnderStory, one TOML file each."""
