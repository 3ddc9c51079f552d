"""How the ranks of a group make sure that they do the same, and how one of them waits.

Note [The ranks agree before anything moves]
--------------------------------------------
MPI does not look at what the ranks ask for.  If one adds four numbers and another five, or one adds while another
broadcasts, it waits for ever, or writes what it should not.  So each call has two stages.  First the ranks exchange a
line of text, which says what each is about to do; only when all lines are equal do the arrays move::

    rank 0   "all_reduce of float32 [3, 4], SUM"  --+-- equal: MPI_Iallreduce
    rank 1   "all_reduce of float32 [3, 4], SUM"  --+

    rank 0   "all_reduce of float32 [3, 4], SUM"  --+-- not equal: the same error on both, with both lines, and where
    rank 1   "broadcast of float32 [3, 4] from 0" --+   in its program each rank is

Several calls may be under way.  Their first stages begin in the order of the calls, and their second stages too, on a
communicator of its own; so all ranks begin what MPI sees in one order, as it demands.

A rank whose program has ended says so in such a line too, and a rank that raises ends all of them (world.py).  There
remain ranks that wait for different things: Note [Waiting for ever] in roll_call.py.
"""

import os
import sys
import time
from collections import deque

from minigrad._core.errors import PACKAGE, error

from .work import Work

__all__ = ["Calls", "line_of"]

_SAID, _WHERE = 128, 64             # bytes of a line: what the rank does, and where in its program


class Calls:
    """What a rank of a group has begun, in order."""

    def __init__(self, mpi, lines, ranks, seconds, roll_call):
        self._mpi, self._lines, self._ranks, self._roll_call = mpi, lines, ranks, roll_call
        self.seconds = seconds              # how long to wait
        self._in_order = deque()            # the calls of all ranks that are in their first stage,
        self._by_themselves = []            # the messages that are,
        self._under_way = []                # and both together, until they are over
        self._number = 0
        self._broken = None                 # the error after which the ranks are out of step

    def name_of(self, rank):
        """What errors call a rank of the group: its number among all processes."""
        return f"rank {self._ranks[rank]}"

    def post(self, what, start, finish=None, after=None):
        """Begin what all ranks do together, and return its Work.

        ``what`` is the line that must be the same on all ranks; ``start`` begins to move arrays, and returns the
        requests of MPI, ``after`` another Work that must be over before; ``finish`` makes the value of what has come.
        """
        if self._broken is not None:
            raise self._broken
        self._number += 1
        if len(self._ranks) == 1:
            return self.begin(Work(self, what, after and after._advance, start, finish))
        number, mine = self._number, _line(what)
        theirs = bytearray(len(mine) * len(self._ranks))
        agreed = self._lines.Iallgather([mine, self._mpi.BYTE], [theirs, self._mpi.BYTE])
        return self.begin(Work(self, what, lambda: agreed.Test() and (after is None or after._advance()),
                               lambda: self._compared(number, mine, theirs) or start(), finish), in_order=True)

    def begin(self, work, in_order=False):
        """Look after this one until it is over; does its second stage begin in the order of the calls?"""
        if self._broken is not None:
            raise self._broken
        self._under_way.append(work)
        (self._in_order if in_order else self._by_themselves).append(work)
        self.advance()
        return work

    def advance(self):
        """Do what can be done without waiting."""
        if self._broken is not None:
            raise self._broken
        while self._in_order and self._in_order[0]._move():
            self._in_order.popleft()
        self._by_themselves = [work for work in self._by_themselves if not work._move()]
        self._under_way = [work for work in self._under_way if not work._advance()]

    def wait_for(self, work, seconds):
        """Wait, at first by asking MPI over and over; then now and then, so that other processes get the processor.

        While arrays move it goes on asking, since each time moves another piece of them.
        """
        begin, tries, told = time.perf_counter(), 0, None
        while not work.is_completed():
            tries += 1
            if tries < 200:
                continue
            waited = time.perf_counter() - begin
            patience = 1 if self._is_moving() else 1e-3
            time.sleep(0 if waited < patience else 5e-5 if waited < 0.1 else 1e-3)
            if waited > 0.5:
                told = self._roll_call.tell(None if self._is_moving() else work._what)
                late = self._roll_call.in_vain() or (waited > seconds and self._roll_call.after(waited))
                if late:
                    self.fail(error("MG803", late))
        if told:
            self._roll_call.tell(None)

    def is_in_step(self):
        """Have the ranks agreed on everything so far?"""
        return self._broken is None

    def _is_moving(self):
        return any([work._moving is not None for work in self._under_way])

    def fail(self, exception):
        """Raise it, now and in every later call: the ranks are out of step."""
        self._broken = exception
        for work in self._under_way:
            work._error = exception
        raise exception

    def _compared(self, number, mine, theirs):
        """Are all lines the same?  If not, the error says who said what, and where."""
        lines = [bytes(theirs[i:i + len(mine)]) for i in range(0, len(theirs), len(mine))]
        if all([line[:_SAID] == mine[:_SAID] for line in lines]):
            return
        said = {}
        for rank, line in enumerate(lines):
            said.setdefault(line[:_SAID], []).append((rank, line[_SAID:].decode(errors="replace").rstrip()))
        told = []
        for what, ranks in said.items():
            names = ", ".join([self.name_of(rank) for rank, _ in ranks[:8]]) + (", ..." if len(ranks) > 8 else "")
            where = f", at {ranks[0][1]}" if ranks[0][1] else ""
            told.append(f"  {names}: {what.decode().rstrip()}{where}")
        self.fail(error("MG802", f"the ranks disagree about what they do together, in call {number}:\n"
                          + "\n".join(told) + "\nAll ranks must make the same calls in the same order, with tensors of "
                          "the same shape and dtype. Look for an 'if' that only some ranks enter, for a loop that is "
                          "longer on one, or for a last batch that is smaller on one"))


def line_of(what, length):
    """So many bytes, which tell other ranks what one does."""
    said = what.encode()
    if len(said) > length:
        raise error("MG804", f"{what[:40]}...: with so many dims it cannot be described to the other ranks: flatten it")
    return said.ljust(length)


def _line(what):
    return line_of(what, _SAID) + _where().encode()[-_WHERE:].ljust(_WHERE)


def _where():
    """The line of the user's program that called us, such as "train.py:12"."""
    frame = sys._getframe(3)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return "" if frame is None else f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
