"""Floor 4: transforms of functions."""
