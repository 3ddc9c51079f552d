"""Random numbers, the same as PyTorch's for the same seed.

- ``random_streams``: the Mersenne Twister, and what is drawn from it; there is no other way to these numbers
"""
