"""Statistics and related functions: quantiles, covariances, histograms, integrals, distances.

- ``quantiles``: quantiles, of all numbers or along a dim
- ``covariances``: covariances and correlations
- ``histograms``: how many points lie in each interval, or in each box
- ``integrals``: integrals and slopes of functions that are known at some points
- ``distances``: distances between points, and vectors made shorter: cdist, pdist, renorm
"""
