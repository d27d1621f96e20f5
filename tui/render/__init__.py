"""Pure: from the domain to rows, from rows to strips."""
