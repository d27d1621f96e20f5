"""Dialogs: each asks one thing and answers with a value."""
