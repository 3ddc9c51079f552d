"""Fourier transforms: of complex and real tensors, over one dim or several, and of windows of a signal."""
