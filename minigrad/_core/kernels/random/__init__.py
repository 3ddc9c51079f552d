"""Random numbers, the same as PyTorch's for the same seed.

- ``random_arrays``: arrays filled from the Mersenne Twister (``mersenne_twister.h``), by the laws in
  ``distributions.h``; there is no other way to these numbers
"""
