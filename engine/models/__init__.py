"""Where models meet the library: settings, consent, usage and trials joined to what `providers` builds."""
