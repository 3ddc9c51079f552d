"""A collective, or a message, that is under way."""

import datetime

__all__ = ["Work"]


class Work:
    """What an ``async_op=True`` returns: wait for it before you read the tensors that it fills, or write to any.

    Its two stages are Note [The ranks agree before anything moves] in agreement.py.  It keeps alive what it moves.
    """

    def __init__(self, calls, what, agreed, start, finish=None):
        self._calls, self._what, self._start, self._finish = calls, what, start, finish
        self._agreed = agreed               # called for whether the first stage is over; None if there is none
        self._moving = None                 # MPI's requests of the second stage, once it has begun
        self._done, self._value, self._error = False, None, None
        self._receiver = None

    def _move(self):
        """Begin the second stage if the first is over.  Has it begun?"""
        if self._moving is None and (self._agreed is None or self._agreed()):
            self._moving = self._start()
        return self._moving is not None

    def _advance(self):
        """Do what can be done without waiting.  Is it over?"""
        if not self._done and self._moving is not None and all([request.Test() for request in self._moving]):
            self._value = None if self._finish is None else self._finish()
            self._done = True
            self._start = self._finish = None
            if self._receiver is not None:
                self._receiver(self._value)
        return self._done

    def _give_to(self, receiver):
        """Call the function with the value as soon as it is there."""
        if self._done:
            receiver(self._value)
        else:
            self._receiver = receiver

    def is_completed(self):
        """Is it over?  To ask also helps it along: MPI moves arrays while somebody asks."""
        if not self._done:
            self._calls.advance()
        return self._done

    def is_success(self):
        """Is it over, and without an error?"""
        return self.is_completed() and self._error is None

    def exception(self):
        """The error with which it ended, or None."""
        return self._error

    def wait(self, timeout=None):
        """Return True when it is over.

        After ``timeout``, a ``datetime.timedelta``, by default that of the group, an error (MG803) says who is late.
        """
        seconds = timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else self._calls.seconds
        self._calls.wait_for(self, seconds)
        return True

    def synchronize(self):
        """The same, without a timeout of its own."""
        self.wait()

    def _result(self):
        self.wait()
        return self._value

    def __repr__(self):
        return f"<Work: {self._what}, {'done' if self._done else 'under way'}>"
