"""Where a number lost its digits: a program, and its backward pass, watched in higher precision.

    with torch.autograd.digits() as report:
        loss = model(x)
        loss.backward()
    print(report.table())

It is for rounding errors what anomaly mode is for nan: it names the line, what happened there, and what to write
instead.  What the program computes does not change by a single bit.

- ``watching``: each call of a row, and each node of a pass, a second time and a third
- ``shadow_memory``: which dtype that has; where it lies is in the core, ``_core/profiling/shadow_memory.pyx``
- ``numbers_taken_out``: numbers that have left their tensors, and decide
- ``higher_precision``: rows and formulas with more digits
- ``measuring``: how many digits a number has
- ``causes``: where the digits of a result were lost, and what to write instead
- ``reports``: the table, and the graph with its digits as colours
"""

from minigrad._core.errors import error
from minigrad.autograd.digits.reports import Loss, Report
from minigrad.autograd.digits.shadow_memory import HAS_EXTENDED
from minigrad.autograd.digits.watching import Watching

__all__ = ["HAS_EXTENDED", "Loss", "Report", "digits"]


class digits:
    """Watch a block in higher precision, its backward passes included; ``as`` gives its :class:`Report`.

    Beside every operation runs the same one with more digits, in float64 beside 32 bits or fewer, in NumPy's
    ``longdouble`` beside float64.  The report says which results have lost half of their digits or more, on which line
    that happened, and what to write instead.

    The formula for the variance that subtracts two large numbers:

    >>> x = torch.tensor([10000., 10001., 10002.])
    >>> with torch.autograd.digits() as report:
    ...     variance = (x * x).mean() - x.mean() ** 2
    >>> variance                                            # it is 2/3
    tensor(0.)
    >>> print(report.worst)
    cancellation at <doctest ...>:..., `variance = (x * x).mean() - x.mean() ** 2`
        sub has 0.0 of 7.2 digits. Its result is small beside its terms, whose errors remain.
        Write centring before variance: torch.var(x), or ((x - x.mean()) ** 2).mean().

    A gradient may lose what its function keeps:

    >>> x = torch.tensor(1e-2, requires_grad=True)
    >>> with torch.autograd.digits() as report:
    ...     y = torch.expm1(x) / x
    ...     y.backward()
    >>> print(report.of(y), "and", report.of(x.grad))
    7.0 of 7.2 digits and 4.6 of 7.2 digits

    What the program computes does not change by a bit, and its decisions are followed: comparisons, indices and masks
    that more digits would decide otherwise are reported below the table.  So are decisions of Python's, by ``bool(x)``
    and ``int(x)``, and by numbers from ``item()`` and ``tolist()``, which remember inside the block what they would be;
    ``float(x)`` is a plain float, and what leaves by ``numpy()`` is not followed:

    >>> with torch.autograd.digits() as report:
    ...     x = (1 + torch.tensor(1e-4)) - 1
    ...     if x.item() > 1e-4:
    ...         print(x)
    tensor(0.0001)
    >>> print(report.table().splitlines()[-1])
    item() > at <doctest ...>:... would decide otherwise with more digits; the program's decision was followed.

    What was made before the block is exact, and so are random numbers; gradients of a graph from before it are
    unknown.  Unknown too are float64 operations without a way in ``longdouble``, and everything computed from them: of
    615 rows of the table 510 have one where it has 64 bits (x86-64), and none where it is a double, as on Windows and
    on Macs with Apple silicon.

    The worst entry is the worst of all; a tensor of more than 256 entries has a sample of them for what is typical, and
    an operation on more than 4096 runs again from its own inputs only if a quarter of its digits is missing.

    A shadow takes three times the memory of its tensor. With 100,000 elements a product of matrices takes 3 to 4 times
    as long, a training step 5 to 6, a sum or a product of elements 8, and a pass through a few such operations 9 to 10.
    With 10,000 elements these are 4 to 5, 12, 13 to 15 and 20 times, since then what is done for each operation counts,
    and one on few elements takes some 50 times as long (docs/notes/benchmarks).

    One block at a time in a thread, and not inside a profiler; other threads are not watched.  Raises RuntimeError
    (MG505) otherwise.

    Sources: N. J. Higham, "Accuracy and Stability of Numerical Algorithms" (2002); W. Kahan, "How futile are mindless
    assessments of roundoff in floating-point computation?" (2006); D. Goldberg, "What every computer scientist should
    know about floating-point arithmetic" (1991).
    """

    def __init__(self):
        self._watching = None

    def __enter__(self):
        if self._watching is not None:
            raise error("MG505", "this digits() block has been entered before: each has one report. Write "
                                 "digits() again.")
        self._watching = Watching()
        self._watching.start()
        self._report = Report(self._watching)
        return self._report

    def __exit__(self, kind, value, traceback):
        self._watching.stop()
        self._report._close()
