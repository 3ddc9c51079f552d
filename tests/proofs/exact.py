"""Adjoints as exact transposes: for linear rows, views, and rows that are linear in each input.

A row that is linear in an input is a matrix A there, for each choice of shapes, options and other inputs::

    f(x) = A x + f(0)           column j of A is f(e_j) - f(0)

The calls are those to which the samples of the tests lead, forward and in formulas (tests/ops/calling.py), with
integers in place of the elements; products and sums of integers have no rounding.  So these are compared with ``==``,
entry by entry:

    the row itself      f(2 u + 3 v) = 2 f(u) + 3 f(v), and the columns of A
    reverse             the gradient for the cotangent e_k is row k of A
    forward             the tangent for the tangent e_j is column j of A
    second order        the gradient is linear in its cotangent: its own gradient is A again

That is the identity <A x, y> = <x, A^T y> for all x and y, since it holds for all pairs of basis vectors.  A complex
number is two real ones here, its parts: then the conjugates of the convention for complex gradients are transposes too,
and rows from real to complex numbers are matrices like any other.  Where a row divides, or multiplies by other numbers
(the mean of three elements, a Fourier transform), both sides are rounded, and agree to 1e-12: that is written down as
``rounding``.
"""

import collections
import random
import warnings
import zlib

import numpy as np

import minigrad
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor, wrap
from minigrad.autograd import forward_ad, grad
from tests.ops.calling import calls_of_rows

from .symbolic import parameters
from .worlds import World

KINDS = ("linear", "view", "multilinear", "windows")
#: general rows that are linear in some inputs
LINEAR_IN = {
    **dict.fromkeys(["addmm", "addmm.by_columns"], ("self", "mat1", "mat2")),
    "addmv": ("self", "mat", "vec"), "addr": ("self", "vec1", "vec2"), "baddbmm": ("self", "batch1", "batch2"),
    **dict.fromkeys(["softmax_backward", "log_softmax_backward", "norm_backward", "multi_margin_curvature"], ("d",)),
    **dict.fromkeys(["distances_backward", "read_counts", "sample_back"], ("grad",)),
    **dict.fromkeys(["grid_sampler_2d", "grid_sampler_3d", "sample_order"], ("input",)),
    "sample_slope": ("grad", "input"), "polar": ("abs",), "nansum": ("self",), "unit_lower": ("self",),
    "shift_in": ("self",), "gaps": ("self",), "infinite": ("self",), "counted": ("weight",), "spectral_turn": ("step",),
    **dict.fromkeys(["solve_again", "solve_ex", "solve_kept", "solve_matrices", "solve_triangular"], ("B",)),
}
#: general rows that choose among the numbers they are given; equal ones share a gradient, by conventions of their own
SELECTIONS = {"amax", "amin", "max", "max.dim", "min", "min.dim", "sort", "topk", "kthvalue", "median", "median.dim",
              "nanmedian", "nanmedian.dim", "mode", "cummax", "cummin",
              *[f"{kind}max_pool{n}d{form}" for n in (1, 2, 3) for kind, form in (
                  ("", "_with_indices"), ("adaptive_", ""), ("fractional_", ""))]}
LARGEST, CALLS = 256, 30         # elements of an input, and calls of a row, that are compared at most
FAR = 1e-12

#: row -> {parameter: the value that the calls must have}; with others the gradient is on purpose not that of the matrix
CONVENTIONS = {"embedding_rows": {"padding_idx": -1, "scale_grad_by_freq": False},
               "embedding_backward": {"padding_idx": -1, "scale_grad_by_freq": False}}
#: rows that take the root of another argument
POSITIVE = {"channel_scale"}
#: rows that have no matrix, and why
WITHOUT = {
    "divided_by_use": "it divides the gradient alone: the option scale_grad_by_freq of embeddings",
    **dict.fromkeys(["to_device", "to_meta", "from_meta"], "a copy between devices: tests/cuda/test_pretended.py"),
}


def ones(*shape):
    return np.ones(shape)


THREE = World(3)

#: calls of rows that no sample leads to
MORE = {
    "all_reduce": [[ones(3, 2), THREE], [ones(3, 2, 2), THREE]],
    "broadcast": [[ones(3, 2), src, THREE] for src in range(3)],
    "reduce": [[ones(3, 2), dst, THREE] for dst in range(3)],
    "all_gather": [[ones(3, 2, 2), dim, THREE] for dim in range(3)],
    "reduce_scatter": [[ones(3, 3, 2), 0, THREE], [ones(3, 2, 3), 1, THREE]],
    "gather_ranks": [[ones(3, 2, 2), dim, dst, THREE] for dim, dst in ((0, 1), (1, 0), (2, 2))],
    "scatter_ranks": [[ones(3, 3, 2), 0, 1, THREE], [ones(3, 2, 3), 1, 0, THREE]],
    "all_to_all": [[ones(3, 3, 2), 0, THREE], [ones(3, 2, 3), 1, THREE]],
    "as_strided_keep": [[ones(3, 4), (2, 2), (4, 1), 1, (4, 1), 0], [ones(6), (3, 2), (1, 1), 0, (1,), 0]],
    "as_strided_scatter_at": [[ones(3, 4), ones(2, 2), (2, 2), (4, 1), 1, (4, 1), 0]],
    "block_diag_given": [[[ones(2, 2), None, ones(1, 3)], [(2, 2), (2, 1), (1, 3)]]],
    "embedding_again": [[ones(5, 2), np.array([3, 0, 3]), -1, False]],
    "folded": [[ones(3, 3)], [ones(2, 4, 4)]],
    "mirrored": [[ones(3, 3)], [ones(2, 4, 4)]],
    "to_doubles": [[ones(3), False], [ones(3) + 1j, True]],
    "pinv_tensors": [[np.array([[2., 1], [0.5, 3], [1, -1]]), np.zeros(()), np.full((), 0.01), False],
                     [np.array([[3., 1], [1, -2]]), np.zeros(()), np.full((), 0.01), True]],
    "turned": [[ones(3, 3), False], [ones(2, 3, 3) + 1j, True]],
}


class Refuted(AssertionError):
    """The gradient, or the tangent, is not that of the matrix."""


class Function:
    """A call of a row as a function of one of its inputs, which is a tensor, or one of a list."""

    def __init__(self, row, call, name, of_list=None):
        self.row, self.call, self.name, self.of_list = row, call, name, of_list
        given = call[name] if of_list is None else call[name][of_list]
        self.shape, self.dtype = given.shape, given.dtype
        self.size = given.size * (2 if given.dtype.kind == "c" else 1)

    def __call__(self, x):
        """The outputs that have derivatives, for a tensor in place of this input."""
        call = {name: tensors(each) for name, each in self.call.items()}
        if self.of_list is None:
            call[self.name] = x
        else:
            call[self.name][self.of_list] = x
        found = self.row(**call)
        return [each for each in (found if isinstance(found, (tuple, list)) else [found])
                if isinstance(each, Tensor) and each.dtype.is_floating_point | each.dtype.is_complex]

    def leaf(self, numbers, requires_grad=False):
        """A leaf of the shape of the input, from real numbers: of complex dtypes both parts of each."""
        return tensor_of(numbers, self).requires_grad_(requires_grad)


def tensors(x):
    if isinstance(x, np.ndarray):
        return wrap(x)
    return [tensors(each) for each in x] if isinstance(x, (list, tuple)) and has_arrays(x) else x


def has_arrays(x):
    return any([isinstance(each, np.ndarray) for each in x])


def tensor_of(numbers, like):
    """Real numbers in the shape and dtype of another tensor."""
    kind = np.dtype(np.complex128 if is_complex(like) else np.float64)
    return minigrad.from_numpy(np.array(numbers, np.float64).view(kind).reshape(tuple(like.shape)))


def is_complex(x):
    return x.dtype.is_complex if isinstance(x, Tensor) else x.dtype.kind == "c"


def numbers_of(outputs):
    """All their numbers, one after the other, as real ones."""
    arrays = [np.ascontiguousarray(each.detach().resolve_conj().resolve_neg().numpy()) for each in outputs]
    return np.concatenate([each.reshape(-1).view(np.float64) for each in arrays])


def basis(n):
    return np.eye(n)


def integers(rng, shape):
    """Small integers, none of which is 0."""
    return rng.integers(1, 5, shape) * rng.choice([-1, 1], shape)


def with_integers(rng, x, positive):
    """Arguments with integers for their elements; what chooses elements stays as it is."""
    if isinstance(x, np.ndarray):
        if x.dtype.kind not in "fc":
            return x
        numbers = integers(rng, x.shape) + (1j * integers(rng, x.shape) if x.dtype.kind == "c" else 0.0)
        return np.asarray(abs(numbers) if positive else numbers)
    if isinstance(x, (list, tuple)) and has_arrays(x):
        return [with_integers(rng, each, positive) for each in x]
    return x


# ------------------------------------------------------------------------------ the matrices


def comparable(outputs):
    """Are there numbers in double precision to compare?  A call may ask for another dtype, or choose no elements."""
    if not sum([y.numel() for y in outputs]) or any([y.dtype.itemsize != 8 * (1 + is_complex(y)) for y in outputs]):
        return False
    return np.isfinite(numbers_of(outputs)).all()           # the mean of nothing is nan


def columns(f):
    """A, column by column."""
    zero = numbers_of(f(f.leaf(np.zeros(f.size))))
    return np.stack([numbers_of(f(f.leaf(e))) - zero for e in basis(f.size)], 1)


def linearity(f, rng):
    """Both sides of f(2 u + 3 v) = 2 f(u) + 3 f(v), less what f is at 0."""
    u, v = integers(rng, f.size), integers(rng, f.size)
    zero, both, first, second = [numbers_of(f(f.leaf(x))) for x in (np.zeros(f.size), 2 * u + 3 * v, u, v)]
    return both - zero, 2 * (first - zero) + 3 * (second - zero)


def reverse(f, at):
    """The gradients for the basis of cotangents, row by row, at a point."""
    x = f.leaf(at, True)
    rows = []
    for y in f(x):
        for e in basis(y.numel() * (2 if is_complex(y) else 1)):
            g, = grad(y, x, tensor_of(e, y), retain_graph=True, materialize_grads=True)
            rows.append(numbers_of([g]))
    return np.stack(rows)


def tangents(f, at):
    found = []
    for e in basis(f.size):
        with forward_ad.dual_level():
            parts = [forward_ad.unpack_dual(y) for y in f(forward_ad.make_dual(f.leaf(at), f.leaf(e)))]
            found.append(numbers_of([minigrad.zeros_like(part.primal) if part.tangent is None else part.tangent
                                     for part in parts]))
    return np.stack(found, 1)


def again(f, at):
    """The gradient is a function of its cotangent, A^T.  This is the matrix of *its* gradients, A."""
    x = f.leaf(at, True)
    outputs = f(x)
    cotangents = [minigrad.ones_like(y).requires_grad_() for y in outputs]
    g, = grad(outputs, x, cotangents, create_graph=True, materialize_grads=True)
    return np.stack([numbers_of(grad(g, cotangents, f.leaf(e), retain_graph=True, materialize_grads=True))
                     for e in basis(f.size)], 1)


def distance(a, b):
    """0 if they are equal, and else how far they are apart, for their size."""
    if a.shape != b.shape:
        return np.inf
    if np.array_equal(a, b):
        return 0
    return float(np.abs(a - b).max() / max(np.abs(a).max(), np.abs(b).max(), 1))


def compare(f, rng):
    """How many matrices agree, and whether to the last bit.  Raises Refuted."""
    a, at = columns(f), np.ones(f.size)
    return agreement(f, a, at, {"linearity": distance(*linearity(f, rng))})


def agreement(f, a, at, found):
    """How many matrices at this point are ``a``, and whether all of them to the last bit.  Raises Refuted."""
    found = {**found, "reverse": distance(reverse(f, at), a), "forward": distance(tangents(f, at), a),
             "second order": distance(again(f, at), a)}
    for name, apart in found.items():
        if not apart < FAR:
            raise Refuted(f"{f.row.name}, {f.name}: {name} is not the matrix, by {apart:.2g}, for {shapes(f.call)}")
    return len(found), not any(found.values())


def compare_selection(f, rng):
    """The same for a row each of whose results is one of the numbers it is given.

    Where those differ, its matrix near the point says which: that is found from the values alone.
    """
    at = rng.permutation(f.size) + 1.0
    a = (numbers_of(f(f.leaf(at)))[:, None] == at) * 1.0
    if (a.sum(1) != 1).any():
        raise Refuted(f"{f.row.name}: a result is none of the numbers that it was given, for {shapes(f.call)}")
    return agreement(f, a, at, {})


# ------------------------------------------------------------------------------ a row

Proof = collections.namedtuple("Proof", "means, matrices, why")


def shapes(call):
    return {name: each.shape if isinstance(each, np.ndarray) else each for name, each in call.items()}


def linear_in(row):
    """The inputs in which the row is a matrix: everywhere, or if it is a selection, between ties."""
    everywhere = row.kind in KINDS or row.name in SELECTIONS
    return [formula.of for formula in row.formulas if everywhere or formula.of in LINEAR_IN.get(row.name, ())]


def functions(row, call):
    """Yield the call as a function of each input that is floating point and has a formula."""
    for formula in row.formulas:
        if formula.of not in linear_in(row):
            continue
        given = call[formula.of]
        several = isinstance(given, (list, tuple))
        for i, each in enumerate(given if several else [given]):
            if isinstance(each, np.ndarray) and each.dtype.kind in "fc" and 0 < each.size <= LARGEST:
                yield Function(row, call, formula.of, i if several else None)


def of_nothing(call):
    """Is every target ignored?  The mean of no losses is nan, and so is its second derivative, as in PyTorch."""
    return "ignore_index" in call and (call["target"] == call["ignore_index"]).all()


def sampled(row):
    """{parameter: argument} of some calls of the row, in an order of its own."""
    names, plain = [name for name, *_ in parameters(row)], CONVENTIONS.get(row.name, {})
    calls = [dict(zip(names, call)) for call in MORE.get(row.name) or calls_of_rows().get(row.name, [])]
    calls = [call for call in calls if all([call[name] == value for name, value in plain.items()])
             and not of_nothing(call)]
    random.Random(row.name).shuffle(calls)
    return calls[:CALLS]


def prove(row):
    """{input: Proof} for each input in which the row is linear.  Raises Refuted."""
    found = {of: Proof(None, 0, "no sample calls it with so few elements") for of in linear_in(row)}
    rng = np.random.default_rng(zlib.crc32(row.name.encode()))
    for call in sampled(row):
        call = {name: with_integers(rng, each, row.name in POSITIVE) for name, each in call.items()}
        for f in functions(row, call):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    if not comparable(f(f.leaf(np.zeros(f.size)))):
                        continue
                    matrices, equal = (compare_selection if row.name in SELECTIONS else compare)(f, rng)
                except MinigradError as refusal:
                    if found[f.name].means is None:
                        found[f.name] = Proof(None, 0, f"refused: {str(refusal).partition('.')[0]}")
                    continue
            before = found[f.name]
            exactly = "selection" if row.name in SELECTIONS else "matrix"
            found[f.name] = Proof(exactly if equal and before.means != "rounding" else "rounding",
                                  before.matrices + matrices, "")
    return found
