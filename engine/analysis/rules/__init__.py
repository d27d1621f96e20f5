"""The offline analyst: people, places, organisations and terms by rules, with no model and no network."""
