"""Along dims: sums and means, extremes, running totals, order."""
