"""Parts of a screen: data comes in by reactives, messages go out."""
