"""The arrays of a group of processes, and how they move: each method is one function of MPI."""

import numpy as np

from minigrad._core.errors import error

from .agreement import Calls, line_of
from .reductions import ReduceOp, reducible
from .work import Work

__all__ = ["ProcessGroup"]

_LETTER = 128                       # bytes of the line that comes before a message
_TAGS = 1 << 15                     # MPI promises as many tags


class ProcessGroup:
    """Processes that compute together: :func:`torch.distributed.new_group` makes one.

    What begins with ``post`` begins to move NumPy arrays, and returns a Work; the other methods wait, and return the
    array.  These are what the rows of minigrad/ops/collectives.py call.
    """

    def __init__(self, mpi, communicator, ranks, seconds, roll_call):
        self._mpi, self._arrays, self.ranks, self._roll_call = mpi, communicator, ranks, roll_call
        self._rank, self._size = communicator.Get_rank(), communicator.Get_size()
        self.calls = Calls(mpi, communicator.Dup(), ranks, seconds, roll_call)
        self._letters, self._enclosed = communicator.Dup(), communicator.Dup()
        self._sent = 0
        self._on_machine = communicator.Split_type(mpi.COMM_TYPE_SHARED, self._rank).Get_rank()

    def rank(self):
        """The place of this process in the group."""
        return self._rank

    def size(self):
        """How many processes the group has."""
        return self._size

    def part_of(self, ranks, seconds):
        """The group of some of these ranks, or None for a process that is not in it; all call this."""
        communicator = self._arrays.Split(0 if self._rank in ranks else self._mpi.UNDEFINED, self._rank)
        if communicator == self._mpi.COMM_NULL:
            return None
        return ProcessGroup(self._mpi, communicator, ranks, seconds, self._roll_call)

    def rank_on_machine(self):
        """The place of this process among those on its machine."""
        return self._on_machine

    def __repr__(self):
        return f"<ProcessGroup of {self._size}: ranks {self.ranks}, this one is {self.ranks[self._rank]}>"

    def _bytes(self, array):
        return [array.reshape(-1).view(np.uint8), self._mpi.BYTE]

    def _post(self, what, array, start, finish):
        """An array without elements has nothing to move; the ranks still agree."""
        return self.calls.post(what, start if array.size else list, finish)

    # ------------------------------------------------------------------------------ the ranks' arrays meet

    def post_all_reduce(self, array, op=ReduceOp.SUM, in_place=False):
        """Every rank gets the reduction of all; ``in_place`` allows to overwrite the array with it."""
        numbers, operation = reducible(self._mpi, "all_reduce", array, op, in_place)
        return self._post(f"all_reduce of {described(array)}, {op.name}", array,
                          lambda: [self._arrays.Iallreduce(self._mpi.IN_PLACE, numbers, operation)],
                          lambda: self._reduced(numbers, array.dtype, op))

    def post_reduce(self, array, dst, op=ReduceOp.SUM):
        """The rank ``dst`` gets the reduction of all, the others None."""
        numbers, operation = reducible(self._mpi, "reduce", array, op)
        out = np.empty_like(numbers) if self._rank == dst else None
        return self._post(f"reduce of {described(array)}, {op.name}, to {dst}", array,
                          lambda: [self._arrays.Ireduce(numbers, out, operation, dst)],
                          lambda: None if out is None else self._reduced(out, array.dtype, op))

    def post_reduce_scatter(self, array, op=ReduceOp.SUM):
        """Every rank gets its piece of the reduction: the pieces lie along the first dim."""
        numbers, operation = reducible(self._mpi, "reduce_scatter", array, op)
        out = np.empty(numbers.shape[1:], numbers.dtype)
        return self._post(f"reduce_scatter of {described(array)}, {op.name}", array,
                          lambda: [self._arrays.Ireduce_scatter_block(numbers, out, operation)],
                          lambda: self._reduced(out, array.dtype, op))

    def _reduced(self, out, dtype, op):
        if op is ReduceOp.AVG:
            out /= self._size
        return out.astype(dtype, copy=False)

    # ------------------------------------------------------------------------------ arrays go from rank to rank

    def post_broadcast(self, array, src):
        """Every rank gets the array of ``src``; those of the others say only what shape it has."""
        out = np.array(array, order="C") if self._rank == src else np.empty(array.shape, array.dtype)
        return self._post(f"broadcast of {described(array)} from {src}", array,
                          lambda: [self._arrays.Ibcast(self._bytes(out), src)], lambda: out)

    def post_all_gather(self, array):
        """Every rank gets the arrays of all, along a new first dim."""
        mine, out = dense(array), np.empty((self._size, *array.shape), array.dtype)
        return self._post(f"all_gather of {described(array)}", array,
                          lambda: [self._arrays.Iallgather(self._bytes(mine), self._bytes(out))], lambda: out)

    def post_gather(self, array, dst):
        """The rank ``dst`` gets the arrays of all, along a new first dim, the others None."""
        mine = dense(array)
        out = np.empty((self._size, *array.shape), array.dtype) if self._rank == dst else None
        return self._post(f"gather of {described(array)} to {dst}", array,
                          lambda: [self._arrays.Igather(self._bytes(mine), out if out is None else self._bytes(out),
                                                        dst)], lambda: out)

    def post_scatter(self, pieces, like, src):
        """Every rank gets its piece of what ``src`` has, along the first dim; ``like`` says what shape a piece has."""
        sent = self._bytes(dense(pieces)) if self._rank == src else None
        out = np.empty(like.shape, like.dtype)
        return self._post(f"scatter of {described(like)} from {src}", out,
                          lambda: [self._arrays.Iscatter(sent, self._bytes(out), src)], lambda: out)

    def post_all_to_all(self, array):
        """Every rank gets the pieces, along the first dim, that the ranks have for it, in their order."""
        mine, out = dense(array), np.empty(array.shape, array.dtype)
        return self._post(f"all_to_all of {described(array)}", array,
                          lambda: [self._arrays.Ialltoall(self._bytes(mine), self._bytes(out))], lambda: out)

    def post_exchange(self, sent, received):
        """The same with a list of arrays for the ranks, of any sizes, and a list of those that come.

        What one rank sends another must expect; so each first tells the others what it has for them.
        """
        mine, out = [dense(each) for each in sent], [np.empty(each.shape, each.dtype) for each in received]
        letters = np.frombuffer(b"".join([line_of(described(each), _LETTER) for each in sent]), np.uint8)
        announced = self.post_all_to_all(letters.reshape(self._size, _LETTER))
        others = [rank for rank in range(self._size) if rank != self._rank]

        def start():
            for rank, (line, like) in enumerate(zip(announced._result(), out)):
                self._must_be(described(like), line.tobytes().decode().rstrip(), rank)
            out[self._rank][...] = mine[self._rank]
            return [*[self._arrays.Irecv(self._bytes(out[rank]), rank) for rank in others],
                    *[self._arrays.Isend(self._bytes(mine[rank]), rank) for rank in others]]

        return self.calls.post("all_to_all of pieces", start, lambda: out, after=announced)

    def _must_be(self, expected, sent, rank):
        """Is what a rank sends what this one has room for?"""
        if sent != expected:
            self.calls.fail(error("MG802", f"{self.calls.name_of(rank)} sent {sent}, and "
                                           f"{self.calls.name_of(self._rank)} receives it as {expected}: receive it "
                                           "into a tensor of its shape and dtype"))

    def post_barrier(self, what="barrier"):
        """To agree is enough: that ends when all ranks have begun it."""
        return self.calls.post(what, list)

    # ------------------------------------------------------------------------------ messages

    def post_send(self, array, dst, tag):
        """Send an array to a rank: first a line that describes it, then the numbers, under a tag of their own."""
        self._sent = (self._sent + 1) % _TAGS
        mine, line = dense(array), f"{self._sent:05} ".encode() + line_of(described(array), _LETTER - 6)
        letter = self._letters.Isend([line, self._mpi.BYTE], dst, tag)
        enclosed = self._enclosed.Isend(self._bytes(mine), dst, self._sent)
        return self.calls.begin(Work(self.calls, f"send of {described(array)} to {self.calls.name_of(dst)}",
                                     lambda: letter.Test() and enclosed.Test(), list, lambda: (mine, line)))

    def post_recv(self, like, src, tag):
        """Receive an array from a rank, or with None from any; the value is the array, and the rank."""
        out, line, status = np.empty(like.shape, like.dtype), bytearray(_LETTER), self._mpi.Status()
        expected, source = described(like), self._mpi.ANY_SOURCE if src is None else src
        line_of(expected, _LETTER - 6)              # nobody could send it
        letter = self._letters.Irecv([line, self._mpi.BYTE], source, tag)

        def start():
            number, _, sent = line.decode().rstrip().partition(" ")
            self._must_be(expected, sent, status.Get_source())
            return [self._enclosed.Irecv(self._bytes(out), status.Get_source(), int(number))]

        return self.calls.begin(Work(self.calls, f"recv of {expected} from "
                                     + ("any rank" if src is None else self.calls.name_of(src)),
                                     lambda: letter.Test(status), start, lambda: (out, status.Get_source())))

    # ------------------------------------------------------------------------------ what the rows call

    def all_reduce(self, array):
        return self.post_all_reduce(array)._result()

    def broadcast(self, array, src):
        return self.post_broadcast(array, src)._result()

    def reduce(self, array, dst):
        out = self.post_reduce(array, dst)._result()
        return np.zeros_like(array) if out is None else out

    def all_gather(self, array, dim):
        return np.moveaxis(self.post_all_gather(array)._result(), 0, dim)

    def reduce_scatter(self, array, dim):
        return self.post_reduce_scatter(np.moveaxis(array, dim, 0))._result()

    def gather(self, array, dim, dst):
        out = self.post_gather(array, dst)._result()
        return np.moveaxis(np.zeros((self._size, *array.shape), array.dtype) if out is None else out, 0, dim)

    def scatter(self, array, dim, src):
        pieces = np.moveaxis(array, dim, 0)
        return self.post_scatter(pieces, pieces[0], src)._result()

    def all_to_all(self, array, dim):
        return np.moveaxis(self.post_all_to_all(np.moveaxis(array, dim, 0))._result(), 0, dim)


def dense(array):
    """The array with its elements in one piece and in order."""
    return np.ascontiguousarray(array).reshape(array.shape)


def described(array):
    return f"{array.dtype} {[*array.shape]}"
