"""What networks are helped with: sequences of several lengths (rnn.py)."""

from minigrad.nn.utils import rnn

__all__ = ["rnn"]
