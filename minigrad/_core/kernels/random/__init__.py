"""Random numbers, the same as PyTorch's for the same seed.

The stream of bits and its seed are in ``mersenne_twister.h``, and what makes numbers of them is in
``distributions.h``.  There is no other way to these numbers.

- ``random_arrays``: arrays filled from a stream, and the class of streams that Python sees
"""
