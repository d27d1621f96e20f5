"""The library file: the only room that speaks SQL."""
