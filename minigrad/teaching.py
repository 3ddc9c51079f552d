"""What tutorials and lessons need: to show an error without stopping at it, and to compute by what a row shows.

    with expect_error(RuntimeError):
        result.backward()               # prints what the error says, and goes on

A block that raises nothing, or something else, is a fault of the page, and fails.

    with without_kernels():
        result.sum()                    # runs the function of NumPy in the row of the table, and no kernel in C

    with without_autograd():
        answer = by_formula(x)          # fails if it runs a backward pass
"""

import contextlib
import textwrap
import threading
import warnings
from typing import Any

from minigrad._core.dispatch.op import use_kernels
from minigrad._core.kernels.table import USED_AT_FIRST
from minigrad.autograd.engines import use_engine
from minigrad.ops.exports import ROWS

__all__ = ["expect_error", "expect_warning", "without_autograd", "without_kernels"]


def show(message, width):
    for paragraph in str(message).splitlines():
        print(textwrap.fill(paragraph, width, break_on_hyphens=False, break_long_words=False))


class Caught:
    """What a block of :func:`expect_error` has raised: ``error``, which is None inside the block."""

    error: Any = None


@contextlib.contextmanager
def expect_error(kind: type[BaseException] | tuple[type[BaseException], ...] = RuntimeError, *, width=76, starts=()):
    """Run a block that must raise ``kind``, and print the message, wrapped to ``width`` columns.

    ``with expect_error() as caught:`` gives the error to what follows the block, as ``caught.error``.

    Parameters
    ----------
    kind : type or tuple of types, optional
        What the block must raise.
    width : int, optional
        The longest line that is printed.
    starts : tuple of str, optional
        Of a long report, print only the lines that begin with one of these, after any spaces.

    Raises
    ------
    AssertionError
        If the block raises nothing. An error of another kind passes through.

    Examples
    --------
    >>> from minigrad.teaching import expect_error
    >>> with expect_error(ZeroDivisionError):
    ...     1 / 0
    ZeroDivisionError: division by zero
    """
    caught = Caught()
    try:
        yield caught
    except kind as problem:
        caught.error = problem
        said = f"{type(problem).__name__}: {problem}"
        if starts:
            said = "\n".join(line for line in said.splitlines() if line.lstrip().startswith(starts))
        show(said, width)
    else:
        raise AssertionError("this block was to raise an error, and raised none")


@contextlib.contextmanager
def expect_warning(kind=UserWarning, *, width=76):
    """Run a block that must warn, and print what the warnings of ``kind`` say, wrapped to ``width`` columns.

    Parameters
    ----------
    kind : type or tuple of types, optional
        Which warnings are printed; the others stay silent.
    width : int, optional
        The longest line that is printed.

    Raises
    ------
    AssertionError
        If the block gives no warning of that kind.

    Examples
    --------
    >>> from minigrad.teaching import expect_warning
    >>> with expect_warning():
    ...     shares = torch.nn.functional.softmax(torch.ones(2))
    UserWarning: Implicit dimension choice for softmax has been deprecated.
    Change the call to include dim=X as an argument.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    told = [warning.message for warning in caught if issubclass(warning.category, kind)]
    if not told:
        raise AssertionError("this block was to give a warning, and gave none")
    for message in told:
        show(f"{type(message).__name__}: {message}", width)


def without_autograd():
    """A block in which no backward pass runs: the check of an exercise whose answer is a formula.

    Raises
    ------
    AssertionError
        If anything in the block starts a backward pass, be it by ``backward``, ``grad`` or a transform.

    Examples
    --------
    >>> from minigrad.teaching import without_autograd
    >>> with without_autograd():
    ...     torch.func.grad(torch.sin)(torch.tensor(0.))
    Traceback (most recent call last):
    AssertionError: answer without autograd: here a backward pass was started
    """
    return use_engine(refuse_to_walk)


def refuse_to_walk(roots, gradients, inputs, keep_graph):
    raise AssertionError("answer without autograd: here a backward pass was started")


_lock = threading.Lock()
_open = [0]                                     # blocks without kernels, in all threads


@contextlib.contextmanager
def without_kernels():
    """Let every operation run the general way of its row, which is written with NumPy, and no kernel in C.

    Most rows of the table have two ways to the same result. The kernel in C is taken first, and the function of NumPy
    that the row shows has what it leaves. In the block only that function runs, in the forward and in the backward
    pass, so it can be read, stepped through in a debugger, and changed. Steps of optimizers, too, are the formulas of
    their files.

    It is a switch of the whole process: in other threads kernels are off as well, until no block is open any more.
    ``MINIGRAD_KERNELS=0`` in the environment turns them off from the start.

    The results are the same but for rounding, and small operations take several times as long. What NumPy has no
    function for remains in C: special functions such as ``erf``, sums in pairs, random numbers, triangular factors.

    Examples
    --------
    >>> from minigrad.teaching import without_kernels
    >>> x = torch.tensor([1., 2., 3.], requires_grad=True)
    >>> with without_kernels():
    ...     x.softmax(0)
    tensor([0.0900, 0.2447, 0.6652], grad_fn=<SoftmaxBackward0>)

    What has run is the kernel of the row:

    >>> from minigrad.ops.exports import ROWS
    >>> ROWS["softmax"].kernel.__module__
    'minigrad.ops.networks.softmax'
    """
    with _lock:
        _open[0] += 1
        use_kernels(False, [*ROWS.values()])
    try:
        yield
    finally:
        with _lock:
            _open[0] -= 1
            if not _open[0]:
                use_kernels(USED_AT_FIRST, [*ROWS.values()])
