"""What is computed where the arrays of several ranks meet: the names, and MPI's operation for each dtype."""

from enum import Enum

import numpy as np

from minigrad._core.errors import error

__all__ = ["ReduceOp", "reducible"]


class ReduceOp(Enum):
    """What a reduction computes from the ranks' tensors, element by element.

    AVG is the sum divided by the number of ranks.  Of bools, SUM and MAX are "or", PRODUCT and MIN "and".

    >>> torch.distributed.ReduceOp.SUM
    <RedOpType.SUM: 0>
    """

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)

    def __repr__(self):
        return f"<RedOpType.{self.name}: {self.value}>"


#: what MPI calls it, and what of bools
_IN_MPI = {"SUM": "SUM", "AVG": "SUM", "PRODUCT": "PROD", "MIN": "MIN", "MAX": "MAX",
           "BAND": "BAND", "BOR": "BOR", "BXOR": "BXOR"}
_OF_BOOLS = {"SUM": "LOR", "PRODUCT": "LAND", "MIN": "LAND", "MAX": "LOR", "BAND": "LAND", "BOR": "LOR", "BXOR": "LXOR"}


def reducible(mpi, function, array, op, in_place=False):
    """A dense copy of the array that MPI can reduce, and its operation; an error if the dtype has no such operation.

    With ``in_place`` it is the array itself, where that is possible.

    MPI has no numbers of 16 bits.  Their sums are computed in single precision, and rounded once.
    """
    if not isinstance(op, ReduceOp):
        raise error("MG205", f"{function}(): op is a ReduceOp such as torch.distributed.ReduceOp.SUM, "
                             f"not {type(op).__name__}")
    kind, name = array.dtype.kind, op.name
    if kind == "c" and name not in ("SUM", "AVG", "PRODUCT"):
        raise error("MG207", f"{function} does not support RedOpType.{name} on complex tensors")
    if kind not in "iub" and name in ("BAND", "BOR", "BXOR"):
        raise error("MG202", f"{function}(): ReduceOp.{name} works on bits, and so on integers, not on {array.dtype}")
    if kind in "iub" and name == "AVG":
        raise error("MG202", f"{function}(): the mean of integers is not an integer: reduce their SUM and divide it, "
                             f"or make floats of the {array.dtype} first")
    single = array.dtype.itemsize == 2 and kind not in "iu"
    numbers = np.array(array, dtype=np.float32 if single else None, order="C", copy=None if in_place else True)
    return numbers, getattr(mpi, _OF_BOOLS[name] if kind == "b" else _IN_MPI[name])
