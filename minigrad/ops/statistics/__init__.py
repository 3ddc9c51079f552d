"""Statistics and related functions: quantiles, covariances, histograms, integrals, distances."""
