"""Knowledge packs: what was learned about a work, without its text, from one library to another."""
