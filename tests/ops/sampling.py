"""How to describe the calls that test an operation.

One row per operation drives every check in test_ops.py::

    ROWS = [
        row("mul", case(T(3, 4), T(4)), case(T(3), 2.0), numpy=np.multiply, complex=True),
        row("softmax", case(T(2, 3), 1), case(T(3), dim=0, dtype="float64"), numpy=softmax_by_hand),
    ]

A ``case`` holds the arguments of one call.  ``T(3, 4)`` in it stands for a random tensor; everything
else is passed as it is; lists and tuples may hold ``T`` too, and ``dtype="float64"`` means the dtype
of that name.  The numbers are the same in every
run: they depend on the name of the row and on the place of the argument alone.
"""

import zlib

import numpy as np


class T:
    """A random tensor argument.

    Parameters
    ----------
    *shape : the sizes of its dims
    low, high : the range of its numbers
    kind : "float" (evenly spread), "positive" (0.3 to 2), "unit" (0.1 to 0.9), "nonzero" (at least 0.2 away from
        0), "distinct" (no two closer than the range divided by the number of elements), "complex" (even where others
        are real), "int" (int64, from low to below high), "bool"
    values : use these instead of random ones
    imaginary : how far the imaginary parts of such values reach, where the dtype is complex
    grad : with False, no gradient is asked for
    """

    RANGES = {"positive": (0.3, 2.0), "unit": (0.1, 0.9), "int": (0, 5), "bool": (0, 2)}

    def __init__(self, *shape, low=None, high=None, kind="float", values=None, imaginary=0, grad=True):
        self.values, self.imaginary = values, imaginary
        self.shape = shape if values is None else np.shape(values)
        self.kind = kind
        default = self.RANGES.get(kind, (-2.0, 2.0))
        self.low = default[0] if low is None else low
        self.high = default[1] if high is None else high
        self.grad = grad and kind not in ("int", "bool")

    def __repr__(self):
        what = f"values={self.values!r}" if self.values is not None else ", ".join(map(str, self.shape))
        return f"T({what})" if self.kind == "float" else f"T({what}, kind={self.kind!r})"

    def draw(self, rng, dtype):
        """The array; ``dtype`` is that of the kinds that are floating."""
        if self.kind in ("int", "bool"):
            dtype = np.int64 if self.kind == "int" else np.bool_
            drawn = rng.integers(self.low, self.high, self.shape) if self.values is None else self.values
            return np.array(drawn, dtype)
        dtype = np.dtype(dtype)
        if self.kind == "complex":
            dtype = np.result_type(dtype, np.complex64)
        if self.values is not None:
            if dtype.kind == "c" and self.imaginary:
                return np.array(self.values + self.imaginary * 1j * rng.uniform(-1, 1, self.shape), dtype)
            whole = dtype.kind in "iu"      # which have no nan
            return np.array(np.nan_to_num(self.values, posinf=9, neginf=-9) if whole else self.values, dtype)
        if dtype.kind in "iu":
            return np.asarray(rng.integers(max(1, int(self.low)), max(4, int(self.high)), self.shape), dtype)
        drawn = np.asarray(self.real(rng))
        if dtype.kind == "c":
            drawn = drawn + 1j * rng.uniform(-1, 1, self.shape)
        return np.asarray(drawn, dtype)

    def real(self, rng):
        if self.kind == "distinct":
            n = int(np.prod(self.shape))
            return rng.permutation(np.linspace(self.low, self.high, n)).reshape(self.shape)
        drawn = rng.uniform(self.low, self.high, self.shape)
        if self.kind == "nonzero":
            drawn = drawn + np.where(drawn < 0, -0.2, 0.2)
        return drawn


class Case:
    """The arguments of one call."""

    def __init__(self, args, kwargs):
        self.args = args
        self.kwargs = kwargs

    def __repr__(self):
        return ", ".join([repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.kwargs.items()])


class Row:
    """An operation, its cases and its checks; see :func:`row`."""

    def __init__(self, name, cases, **options):
        self.name = name
        self.cases = cases
        self.__dict__.update(options)

    def __repr__(self):
        return self.name

    def rng(self, case):
        return np.random.default_rng(
            zlib.crc32(f"{self.name} {self.cases.index(case) if case in self.cases else -1}".encode()))


def case(*args, **kwargs):
    """One call of the operation of a row."""
    return Case(args, kwargs)


def row(name, *cases, numpy=None, where=None, complex=False, ints=False, grad=True, gradgrad=True, kink=False,
        inplace=True, bad=None, torch=True, node=True, extra_saved=(), loops="", unmapped="", rtol=1e-9, atol=1e-11):
    """Describe the operation ``name``.

    Parameters
    ----------
    name : its name under ``minigrad``, ``minigrad.nn.functional`` or as a method, whichever exists first;
        dots are allowed ("linalg.norm"); with ``where="row"`` the name of a row that is not public
    *cases : the calls, made with :func:`case`
    numpy : the same on arrays, as independent of the kernel as can be
    where : "torch", "nn.functional", "method" or "row", where the order above is not the wanted one
    complex, ints : check complex128, or int64, too
    grad, gradgrad : whether there are first, and second, derivatives to be checked
    kink : the cases lie where there is no derivative but a convention: gradients are compared with PyTorch alone
    inplace : whether to check the in-place form, if there is one
    bad : a call that must raise an error of the class that PyTorch raises
    torch : whether to compare with PyTorch; a string where the function has another name there
    node : whether grad_fn has PyTorch's name
    extra_saved : what a node saves (names without "_saved_") though PyTorch's does not
    loops : the rows in it that vmap computes one example after the other in some of these cases, though they have a
        batch rule
    unmapped : what the error says where vmap refuses some of these cases
    rtol, atol : how closely float64 results must agree with ``numpy`` and PyTorch
    """
    return Row(name, cases, numpy=numpy, where=where, complex=complex, ints=ints, grad=grad, gradgrad=gradgrad,
               kink=kink, inplace=inplace, bad=bad, torch=torch, node=node, extra_saved=extra_saved, loops=loops,
               unmapped=unmapped, rtol=rtol, atol=atol)


def arrays_of(row, case, dtype):
    """The arguments of a case with arrays in place of ``T``: args, kwargs, and which arrays want a gradient."""
    rng = row.rng(case)
    wanted = []

    def fill(x):
        if isinstance(x, T):
            array = x.draw(rng, dtype)
            if x.grad and array.dtype.kind in "fc":
                wanted.append(id(array))
            return array
        if isinstance(x, (list, tuple)):
            return type(x)(fill(y) for y in x)
        return x

    args = [fill(x) for x in case.args]
    kwargs = {k: fill(v) for k, v in case.kwargs.items()}
    return args, kwargs, wanted


def replace(x, change):
    """``x`` with ``change`` applied to the arrays in it, also inside lists and tuples."""
    if isinstance(x, np.ndarray):
        return change(x)
    if isinstance(x, (list, tuple)):
        return type(x)(replace(y, change) for y in x)
    return x
