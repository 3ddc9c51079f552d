"""Statistics: where numbers fall, and how far points are apart.

- ``search_and_histograms``: searchsorted, unique, bincount, histc
- ``distances``: cdist and pdist, and their gradients
"""
