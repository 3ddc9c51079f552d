"""PyTorch's path of packed and padded sequences; the code is in ``minigrad/nn/functional/packed_sequences.py``."""

from minigrad.nn.functional.packed_sequences import (PackedSequence, invert_permutation, pack_padded_sequence,
                                                     pack_sequence, pad_packed_sequence, pad_sequence,
                                                     unpack_sequence, unpad_sequence)

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
           "pad_sequence", "unpack_sequence", "unpad_sequence"]
