"""Fourier transforms along the dims of an array.

- ``fft_passes``: the loops of NumPy's transforms, a pass for each dim
"""
