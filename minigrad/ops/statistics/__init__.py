"""Statistics and what is near them: quantiles, covariances, histograms, integrals, distances."""
