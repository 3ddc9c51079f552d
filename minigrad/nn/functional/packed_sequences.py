"""Sequences of several lengths: as one padded tensor, or packed, so that nothing is computed for the padding.

    sequences     padded (T, N)       packed: step by step, the longest sequence first
    a b c         a d f               data            a d f | b e | c
    d e           b e 0               batch_sizes     3       2     1
    f             c 0 0

The recurrent modules take a PackedSequence, and return one.
"""

from collections import namedtuple
from collections.abc import Iterable

from minigrad._core.errors import error
from minigrad.creation import as_tensor, empty_like, full
from minigrad.creation.ranges import arange
from minigrad.dtypes import contiguous_format, float16, float32, float64, int8, int16, int32, int64, uint8
from minigrad.ops.shapes.joining import cat, stack

__all__ = ["PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
           "pad_sequence", "unpack_sequence", "unpad_sequence"]

_Fields = namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])


class PackedSequence(_Fields):
    """A batch of sequences, packed; made by :func:`pack_sequence` and :func:`pack_padded_sequence`.

    ``data`` has the elements step by step, ``batch_sizes`` says how many belong to each step.  ``sorted_indices`` is
    the order in which the sequences were put, ``unsorted_indices`` the way back; both are None if they were sorted.
    """

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    @property
    def is_cuda(self):
        """False: there is no GPU."""
        return self.data.is_cuda

    def is_pinned(self):
        """False: memory is never pinned."""
        return self.data.is_pinned()

    def pin_memory(self):
        """The sequence with its data pinned."""
        return self._with(self.data.pin_memory())

    def to(self, *args, **kwargs):
        """The sequence with ``data.to(...)``."""
        return self._with(self.data.to(*args, **kwargs))

    def cpu(self, *args, **kwargs):
        """The sequence itself: it is on the CPU."""
        return self._with(self.data.cpu(*args, **kwargs))

    def cuda(self, *args, **kwargs):
        """An error: there is no GPU."""
        return self._with(self.data.cuda(*args, **kwargs))

    def _with(self, data):
        return self if data is self.data else type(self)(data, *self[1:])


def conversion(name, dtype):
    def convert(self):
        return self.to(dtype=dtype)

    convert.__name__, convert.__qualname__ = name, f"PackedSequence.{name}"
    convert.__doc__ = f"The sequence with data of dtype {dtype!r}."
    return convert


for _name, _dtype in (("double", float64), ("float", float32), ("half", float16), ("long", int64), ("int", int32),
                      ("short", int16), ("char", int8), ("byte", uint8)):
    setattr(PackedSequence, _name, conversion(_name, _dtype))


def invert_permutation(permutation):
    """The permutation that undoes another.

    >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    return empty_like(permutation).scatter_(0, permutation, arange(permutation.numel(), dtype=permutation.dtype))


# ------------------------------------------------------------------------------ padded and packed

def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Pack a padded tensor of shape (T, N, ...), or with ``batch_first`` (N, T, ...).

    The sequences are sorted by length, longest first; with ``enforce_sorted`` they must be.

    >>> padded = torch.tensor([[1, 2, 3], [4, 5, 0]])
    >>> packed = torch.nn.utils.rnn.pack_padded_sequence(padded, [3, 2], batch_first=True)
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
    """
    lengths, order = as_tensor(lengths, dtype=int64), None
    input = input.transpose(0, 1) if batch_first else input
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(1, order)
    check_lengths(input, lengths)
    running = arange(int(lengths[0])).unsqueeze(1) < lengths            # (T, N): which sequences have a step t
    if len(running) > len(input):
        raise too_long(len(running), len(input))
    at = running.flatten().nonzero().squeeze(1)
    return PackedSequence(input.flatten(0, 1).index_select(0, at), running.sum(1), order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The padded tensor, and the lengths, of a packed sequence; ``total_length`` pads further.

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2],
            [3, 0]]), tensor([2, 1]))
    """
    data, sizes, _, back = sequence
    steps = len(sizes) if total_length is None else total_length
    if steps < len(sizes):
        raise too_short(total_length, len(sizes))
    running = arange(int(sizes[0])) < sizes.unsqueeze(1)
    at = running.flatten().nonzero().squeeze(1)
    padded = full((steps * int(sizes[0]), *data.shape[1:]), padding_value, dtype=data.dtype)
    padded = padded.index_copy(0, at, data).unflatten(0, (steps, -1))
    lengths = running.sum(0)
    padded = padded.transpose(0, 1) if batch_first else padded
    if back is not None:
        padded, lengths = padded.index_select(int(not batch_first), back), lengths[back]
    return padded, lengths


# ------------------------------------------------------------------------------ lists of sequences

def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences of shape (length, ...), padded to the longest and stacked: (T, N, ...) or (N, T, ...).

    >>> torch.nn.utils.rnn.pad_sequence([torch.tensor([1, 2]), torch.tensor([3])], batch_first=True)
    tensor([[1, 2],
            [3, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise error("MG204", "pad_sequence: Expected iterable for input sequences, but got arg of type: "
                             f"{type(sequences)}")
    sequences = tuple(sequences)
    if not sequences:
        raise error("MG204", "pad_sequence: received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise error("MG204", f"Expected padding_side to be one of left or right, but got {padding_side}.")
    steps = max(len(x) for x in sequences)
    padded = []
    for x in sequences:
        padding = full((steps - len(x), *x.shape[1:]), padding_value, dtype=x.dtype)
        padded.append(cat([padding, x] if padding_side == "left" else [x, padding]) if len(padding) else x)
    return stack(padded, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """The list of the sequences that were padded.

    >>> torch.nn.utils.rnn.unpad_sequence(torch.tensor([[1, 3], [2, 0]]), torch.tensor([2, 1]))
    [tensor([1, 2]), tensor([3])]
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [x[:length].clone(memory_format=contiguous_format) for x, length in zip(rows, lengths.tolist())]


def pack_sequence(sequences, enforce_sorted=True):
    """Pack a list of sequences of shape (length, ...).

    >>> torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5]), torch.tensor([6])])
    PackedSequence(data=tensor([1, 4, 6, 2, 5, 3]), batch_sizes=tensor([3, 2, 1]), sorted_indices=None, \
unsorted_indices=None)
    """
    lengths = as_tensor([len(x) for x in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The list of sequences that were packed.

    >>> packed = torch.nn.utils.rnn.pack_sequence([torch.tensor([1, 2]), torch.tensor([3])])
    >>> torch.nn.utils.rnn.unpack_sequence(packed)
    [tensor([1, 2]), tensor([3])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)


# ------------------------------------------------------------------------------ what the errors say

def check_lengths(input, lengths):
    if not input.numel():
        raise error("MG204", "Cannot pack empty tensors.")
    if len(lengths) != input.shape[1]:
        raise error("MG204", f"Expected `len(lengths)` to be equal to batch_size, but got {len(lengths)} "
                             f"(batch_size={input.shape[1]})")
    if int(lengths.min()) <= 0:
        raise error("MG204", "Length of all samples has to be greater than 0, but found an element in 'lengths' that "
                             "is <= 0")
    if bool((lengths[1:] > lengths[:-1]).any()):
        raise error("MG204", "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
                             "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence")


def too_long(length, steps):
    return error("MG204", f"Expected lengths of at most {steps}, the number of steps of the input, but got {length}")


def too_short(total_length, steps):
    return error("MG207", "Expected total_length to be at least the length of the longest sequence in input, but got "
                          f"total_length={total_length} and max sequence length being {steps}")
