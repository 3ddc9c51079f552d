"""``torch.futures``: results that are not there yet, on those of Python.

>>> future = torch.futures.Future()
>>> doubled = future.then(lambda done: done.value() * 2)
>>> future.set_result(torch.ones(2))
>>> doubled.wait()
tensor([2., 2.])
"""

from concurrent import futures as _futures

from minigrad._core.errors import error

__all__ = ["Future", "collect_all", "wait_all"]


class Future:
    """A value that a thread sets once, and others wait for.

    ``devices`` is for GPUs, and has no effect.
    """

    def __init__(self, *, devices=None):
        self._future = _futures.Future()

    def __class_getitem__(cls, item):
        return cls

    def done(self):
        """Whether there is a value, or an exception."""
        return self._future.done()

    def wait(self):
        """The value, as soon as it is there; an exception that was set is raised."""
        return self._future.result()

    def value(self):
        """The value, which must be there.

        >>> torch.futures.Future().value()
        Traceback (most recent call last):
        minigrad._core.errors.AutogradRuntimeError: Future.value(): there is no value yet; wait() waits for it [MG204]
        """
        if not self.done():
            raise error("MG204", "Future.value(): there is no value yet; wait() waits for it")
        return self._future.result()

    def then(self, callback):
        """A Future of ``callback(self)``, which is called when the value is there."""
        following = Future()

        def call(done):
            try:
                following.set_result(callback(self))
            except Exception as problem:
                following.set_exception(problem)

        self._future.add_done_callback(call)
        return following

    def add_done_callback(self, callback):
        """Call ``callback(self)`` when the value is there."""
        self._future.add_done_callback(lambda done: callback(self))

    def set_result(self, result):
        """Set the value, once.

        Raises: RuntimeError (MG204) if there is one.
        """
        if self.done():
            raise error("MG204", "Future.set_result(): a Future can be completed only once")
        self._future.set_result(result)

    def set_exception(self, result):
        """Let ``wait`` raise this exception."""
        if not isinstance(result, Exception):
            raise error("MG205", f"{result!r} is of type {type(result)}, not an Exception.")
        self._future.set_exception(result)


def collect_all(futures):
    """A Future of the list of these Futures, when all have a value.

    >>> one, two = torch.futures.Future(), torch.futures.Future()
    >>> both = torch.futures.collect_all([one, two])
    >>> one.set_result(1), two.set_result(2)
    (None, None)
    >>> [each.wait() for each in both.wait()]
    [1, 2]
    """
    futures, all_done = list(futures), Future()
    waited = [len(futures)]

    def count(done):
        waited[0] -= 1
        if not waited[0]:
            all_done.set_result(futures)

    for future in futures:
        future.add_done_callback(count)
    if not futures:
        all_done.set_result([])
    return all_done


def wait_all(futures):
    """The values of these Futures.

    >>> done = torch.futures.Future()
    >>> done.set_result(1)
    >>> torch.futures.wait_all([done, done])
    [1, 1]
    """
    return [future.wait() for future in collect_all(futures).wait()]
