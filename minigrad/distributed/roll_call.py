"""What each rank waits for, as those that wait long tell the others.

Note [Waiting for ever]
-----------------------
Rank 0 waits for a message of rank 1, which waits until all ranks have come to a barrier.  Neither waits for something
that the other will do, so both would wait for ever.  A rank that has waited for half a second therefore tells all
others for what, and tells them again when that is over::

    rank 0   ...... recv from rank 1 ....................X
    rank 1   ............ barrier .......................X   both are told that all wait, and nothing has changed

Only what has not begun to move counts as waiting: to agree takes microseconds once all are there, while an array may
take its time.  So if all ranks wait, and for some seconds nobody has told anything new, nobody ever will, and each
rank raises the same error.  A rank that computes does not wait, and the others have patience with it: up to the timeout
of the group.
"""

import time

__all__ = ["RollCall"]

_LINE = 192                         # bytes
_STILL = 3                          # for how many seconds nothing may change


class RollCall:
    """What each rank waits for, as far as it has told; None for one that has not, or no longer."""

    def __init__(self, mpi, communicator):
        self._mpi, self._communicator, self._rank = mpi, communicator, communicator.Get_rank()
        self._waits = [None] * communicator.Get_size()
        self._changed = time.perf_counter()
        self._sending = []

    def tell(self, what):
        """Tell the others what this rank waits for, if that is new; None: for nothing.  Returns ``what``."""
        if what != self._waits[self._rank]:
            self._note(self._rank, what)
            line = ("" if what is None else what).encode()[:_LINE].ljust(_LINE)
            self._sending = [each for each in self._sending if not each[0].Test()]
            self._sending += [(self._communicator.Isend([line, self._mpi.BYTE], other), line)
                              for other in range(len(self._waits)) if other != self._rank]
        return what

    def listen(self):
        """Take in what the others have told."""
        status, line = self._mpi.Status(), bytearray(_LINE)
        while self._communicator.Iprobe(self._mpi.ANY_SOURCE, self._mpi.ANY_TAG, status):
            source = status.Get_source()
            self._communicator.Recv([line, self._mpi.BYTE], source)
            self._note(source, line.decode(errors="replace").rstrip() or None)

    def _note(self, rank, what):
        self._waits[rank], self._changed = what, time.perf_counter()

    def in_vain(self):
        """What to say if all ranks wait, for things that will not come; else None."""
        self.listen()
        if None in self._waits or time.perf_counter() - self._changed < _STILL:
            return None
        return ("every rank waits, and each for something that no other will do:\n" + self._told()
                + "\nA recv needs a send on the other rank, of two ranks that send to each other one must receive "
                  "first, and all ranks of a group must come to its collectives in the same order")

    def after(self, seconds):
        """What to say of those that are late after so many seconds."""
        return (f"rank {self._rank} has waited {seconds:.1f} seconds:\n" + self._told()
                + "\nIf that rank only needs longer, give init_process_group() a longer timeout")

    def _told(self):
        return "\n".join([f"  rank {rank}: " + (f"waits in {what}" if what else "does not wait: it computes, or hangs")
                          for rank, what in enumerate(self._waits)])
