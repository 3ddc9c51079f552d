"""Fourier transforms: of complex and real tensors, over one dim or several, and of windows of a signal.

- ``pairs``: the three transforms that all others are made of, each with its transpose
- ``transforms``: fft, rfft, hfft and their inverses, over one dim
- ``many_dims``: the same over several dims, one after the other
- ``spectrograms``: the transforms of the windows of a signal, and the inverse: stft, istft
"""
