"""General rows in ball arithmetic: each formula encloses, to 30 digits, what the derivative of its meaning encloses.

A row whose results depend on many elements has a Jacobian matrix J that changes from point to point.  At a point x,
along a direction t, with a cotangent d,

    <d, J t>  from the meaning of the row (array_meanings.py, network_meanings.py, decompositions.py), on
              dual numbers at x along t
    <g, t>    from the formula, whose steps run on balls (stepping.py) and give g from d

are two balls.  Both contain the true number if the formula is right; here they are so small that 30 digits of it are
known, and must overlap.  x, t and d are random: two maps that differ at all give different numbers for almost all of
them.  For complex numbers <a, b> is the real part of conj(a) b, summed.

The calls are those of the samples, each element a little smaller, which keeps it where the row is defined.
"""

import contextlib
import itertools
import warnings

import flint
import numpy as np

import minigrad
from minigrad._core.dispatch.levels import taken_apart, wrap_level
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor, wrap
from minigrad._core.runtime.thread_state import Level
from minigrad.autograd import grad

from . import decompositions
from .array_meanings import average, axes, distances
from .balls import Undecided
from .decompositions import hermitian
from .duals import BITS, I, Number, along, conj, constant, mapped, number, numbers
from .exact import KINDS, sampled
from .network_meanings import Lines, normalised
from .stepping import MEANINGS, Enclosing, Unproved, meaning_of
from .symbolic import formula_of

DIGITS, POINTS, LARGEST = 30, 12, 100


class Refuted(AssertionError):
    """The formula is not the derivative of the meaning."""


class Refused(Exception):
    """The formula says that there is no derivative."""


# ------------------------------------------------------------------------------ where the points are

SYMMETRIC = {"linalg_cholesky", "cholesky_ex", "eigh_lower", "eigh_upper", "eigvalsh_lower", "eigvalsh_upper"}


def hermitian_only(row, call):
    """Does the row take one triangle for both?  Then a direction is Hermitian too: that is its convention."""
    return row.name in SYMMETRIC or call.get("hermitian") is True


def moved(rng, x):
    """The numbers of a sample, each a little smaller, and turned a little if it is complex."""
    if isinstance(x, list):
        return [moved(rng, each) for each in x]
    if not isinstance(x, np.ndarray) or x.dtype.kind not in "fc":
        return x
    factors = 1 - rng.integers(0, 65, x.shape) / 512
    return np.asarray(x * (factors * (1 + rng.integers(-64, 65, x.shape) / 512j) if x.dtype.kind == "c" else factors),
                      x.dtype)


def consistent(row, call, enclosed):
    """{parameter: its balls} for arguments that are functions of others, as the mean of a line is."""
    if "rstd" in call and call["mean"] is not None:
        lines = Lines(enclosed["input"], call["rstd"].size, call["over"])
        return {"mean": average(lines.of(enclosed["input"]), 1, True).reshape(call["rstd"].shape)}
    if row.name == "spectral_kept":
        U, _, Vh = MEANINGS["svd_thin"](enclosed["A"])
        return {"U": U, "Vh": Vh}
    if row.name == "solve_again":
        return {"LU": MEANINGS["lu_rows"](enclosed["A"])[0]}
    if row.name == "product_of_others":
        x = enclosed["self"]
        return {"result": np.multiply.reduce(x, axis=axes(x, call["dim"]), keepdims=call["keepdim"])}
    if row.name == "distances_backward" and call["p"] == np.inf:
        return {"lengths": distances(enclosed["x1"], enclosed["x2"], np.inf)}
    if row.name == "state_rows":
        return {"turned": enclosed["weight"].T}
    if row.name in ("_ctc_loss", "ctc_slopes"):
        return {"log_probs": normalised(enclosed["log_probs"])}
    return {}


#: calls with matrices of rank 1 and 2, for rows that take such; their directions keep the rank
SINGULAR = {
    "pinv_numbers": [(np.array([[1., 2], [2, 4], [-1, -2]]), 0.0, 1e-9, False),
                     (np.array([[1., 2, 3, 1], [2, 4, 6, 2], [1, 0, 1j, 3]]), 0.0, 1e-9, False),
                     (np.array([[1., 2, 3], [2, 4, 6], [1, 0, 1]]), 0.0, 1e-9, False)],
    "lstsq_rows": [(np.array([[1., 2, 3], [2, 4, 6], [1, 0, 1], [0, 1, 1]]), np.array([[1.], [2], [0], [3]]), 1e-9,
                    "gelsd"),
                   (np.array([[1., 2j], [2, 4j]]), np.array([[1. + 1j, 2], [0, 1]]), 1e-9, "gelsy")],
}


def is_singular(call, of):
    x = call[of]
    return x.ndim == 2 and np.linalg.matrix_rank(x) < min(x.shape)


def keeping_rank(rng, A):
    """A X + Y A: the directions along which the rank of A stays what it is."""
    X, Y = [direction(rng, np.zeros((n, n), A.dtype), False) for n in reversed(A.shape)]
    return A @ X + Y @ A


def direction(rng, x, hermitian):
    t = rng.integers(-9, 10, x.shape) + (1j * rng.integers(-9, 10, x.shape) if x.dtype.kind == "c" else 0.0)
    return t + np.conj(np.swapaxes(t, -1, -2)) if hermitian else np.asarray(t)


PHASES = {"eig", "eigh_lower", "eigh_upper", "svd_thin", "svd_whole"}


def in_no_phase(row, outputs, ds):
    """Cotangents that do not ask for the phase of complex vectors, which nothing determines."""
    if row.name in ("eig", "eigh_lower", "eigh_upper"):
        return [ds[0], against_phases(ds[1], outputs[1], total_phases((ds[1], outputs[1])))]
    if row.name in ("svd_thin", "svd_whole"):
        d_U, d_S, d_Vh = ds
        k = d_S.shape[-1]
        d_U[..., k:], d_Vh[..., k:, :] = number(0), number(0)          # the vectors that only complete a basis
        U, of_U, of_V = outputs[0][..., :k], d_U[..., :k], d_Vh[..., :k, :]
        phases = total_phases((of_U, U), (hermitian(of_V), hermitian(outputs[2][..., :k, :])))
        d_U[..., :k] = against_phases(of_U, U, phases)
        return [d_U, d_S, d_Vh]
    return ds


def total_phases(*pairs):
    """The imaginary parts of v^H d, for the columns of each pair."""
    return sum([np.add.reduce(conj(V) * d, axis=-2, keepdims=True) for d, V in pairs])


def against_phases(d, V, phases):
    return d - V * mapped(lambda each: I * each.imag, phases)


# ------------------------------------------------------------------------------ one comparison


def inner(a, b):
    """The real part of conj(a) b, summed; and the sum of the sizes."""
    terms = [(x.conjugate() * y).value.real for x, y in zip(a.reshape(-1), b.reshape(-1))]
    return sum(terms, flint.arb(0)), sum([abs(float(each)) for each in terms])


def slopes(array):
    return mapped(lambda each: Number(flint.acb(0) if each.slope is None else each.slope), array)


def differentiable(row, call, of):
    """Which outputs have a derivative with respect to this input, and all of them.  Raises where it is refused."""
    given = {name: tensors(each, name == of) for name, each in call.items()}
    found = row(**given)
    several = found if isinstance(found, (list, tuple)) else [found]
    flags = [each.requires_grad for each in several]
    first = next((each for each in several if each.requires_grad), None)
    if first is not None:
        grad(first, given[of], minigrad.zeros_like(first), allow_unused=True)
    return flags, [each.detach()._array for each in several]


def tensors(x, requires_grad=False):
    if isinstance(x, np.ndarray):
        tensor = wrap(x.copy())
        return tensor.requires_grad_() if requires_grad else tensor
    return [tensors(each, requires_grad) for each in x] if isinstance(x, list) else x


def text_of(row, of):
    """The formula, as a function of tensors."""
    return formula_of(row, of).text


def approximate(balls, like):
    out = np.empty(like.shape, like.dtype)
    for i, x in np.ndenumerate(balls):
        out[i] = complex(x) if like.dtype.kind == "c" else float(x)
    return out


def without_slopes(x):
    return constant(x) if isinstance(x, np.ndarray) and x.dtype == object else x


class Comparison:
    """A row at a point, with a direction of one input and cotangents of the outputs, all of them random."""

    def __init__(self, row, of, call, rng):
        enclosed = {name: numbers(x) if isinstance(x, np.ndarray) and x.dtype.kind in "fc" else x
                    for name, x in call.items()}
        for name, balls in consistent(row, call, enclosed).items():
            enclosed[name] = np.asarray(balls, object)
            call = {**call, name: approximate(enclosed[name], call[name])}
        self.row, self.of, self.call = row, of, call
        self.flags, self.floats = differentiable(row, call, of)
        if row.name not in MEANINGS and row.kind not in KINDS:
            raise Undecided("its meaning is not written down yet")
        self.t = (keeping_rank(rng, call[of]) if row.name in SINGULAR and is_singular(call, of)
                  else direction(rng, call[of], hermitian_only(row, call)))
        dual = {**enclosed, of: along(enclosed[of], self.t)}
        found = meaning_of(row, list(call.values()), list(dual.values()))
        meant = [None if each is None else np.asarray(each, object)
                 for each in (found if isinstance(found, (list, tuple)) else (found,))]
        if not all([each is None or near(each, array) for each, array in zip(meant, self.floats)]):
            raise Refuted(f"{row.name}: the meaning is not what the kernel computes, for {shapes(call)}")
        self.enclosed = enclosed
        self.outputs = [without_slopes(each) for each in meant]
        self.ds = [None if not flag or each is None else numbers(direction(rng, array, False))
                   for flag, each, array in zip(self.flags, meant, self.floats)]
        if not any([d is not None for d in self.ds]):
            raise Undecided("no output has a derivative")
        if row.name in PHASES:
            self.ds = in_no_phase(row, self.outputs, self.ds)
        parts, sizes = zip(*[inner(d, slopes(y)) for d, y in zip(self.ds, meant) if d is not None])
        self.derivative, self.size = sum(parts, flint.arb(0)), sum(sizes)

    def gradient(self, interpreter):
        """What the formula makes of the cotangents, on balls; where one output has a derivative, of that one alone."""
        with Level(interpreter) as level:
            def lifted(array, balls):
                if not isinstance(array, np.ndarray):
                    return array
                payload = wrap(array)
                if balls is not None and array.dtype.kind in "fc":
                    payload.balls = balls
                return wrap_level(payload, level)

            known = {name: lifted(array, balls) for name, array, balls
                     in zip(self.row.outputs or ("result",), self.floats, self.outputs)}
            known |= {name: lifted(x, self.enclosed[name]) for name, x in self.call.items()}
            known |= {f"{name}_shape": tuple(np.shape(x)) for name, x in self.call.items()}
            ds = [None if d is None else lifted(approximate(d, array), d) for d, array in zip(self.ds, self.floats)]
            d = next(each for each in ds if each is not None) if sum(self.flags) == 1 else tuple(ds)
            found = text_of(self.row, self.of)(d, *[known[name] for name in formula_of(self.row, self.of).names])
            return taken_apart([found], level)[1][0].balls if isinstance(found, Tensor) else found

    def check(self, interpreter=None):
        """Raises Refuted where the two enclosures do not meet; Undecided where they cannot be compared."""
        g, left = self.gradient(interpreter or Enclosing()), self.derivative
        if g is not None and g.shape != self.t.shape:
            raise Refuted(f"{self.row.name}, {self.of}: the gradient has another shape, for {shapes(self.call)}")
        right, size = (flint.arb(0), 0) if g is None else inner(g, numbers(self.t))
        if not (left.is_finite() and right.is_finite()):
            raise Undecided("no finite derivative")
        if max(float(left.rad()), float(right.rad())) > 10.0 ** -DIGITS * max(size, self.size, 1e-9):
            raise Undecided("fewer digits are known")
        if not left.overlaps(right):
            raise Refuted(f"{self.row.name}, {self.of}: the formula has {right.str(20)}, and the derivative is "
                          f"{left.str(20)}, for {shapes(self.call)}")


def near(balls, array):
    return all([abs(complex(x) - y) <= 1e-6 * max(1, abs(y)) or not np.isfinite(y)
                for x, y in zip(balls.reshape(-1), array.reshape(-1))])


def shapes(call):
    return {name: each.shape if isinstance(each, np.ndarray) else each for name, each in call.items()}


# ------------------------------------------------------------------------------ a row


def calls(row, of):
    """Some small calls of the samples, with real and with complex numbers."""
    found = [call for call in sampled(row) if isinstance(call[of], np.ndarray) and call[of].dtype.kind in "fc"
             and all([0 < x.size <= LARGEST and x.dtype.itemsize == 8 * (1 + (x.dtype.kind == "c"))
                      for x in floating(call)])]
    reals = [call for call in found if call[of].dtype.kind == "f"]
    complexes = [call for call in found if call[of].dtype.kind == "c"]
    if row.name in decompositions.MATRICES and row.name not in REAL and not complexes:
        complexes = [{**call, of: call[of] + 0j} for call in reals if len(floating(call)) == 1]
    pairs = itertools.zip_longest(reals, complexes)
    singular = [dict(zip(found[0], call)) for call in SINGULAR.get(row.name, ())]
    return [*singular, *[call for pair in pairs for call in pair if call is not None]]


#: rows of linear algebra that are for real matrices
REAL = {"slogdet_real"}


def floating(call):
    return [x for x in call.values() if isinstance(x, np.ndarray) and x.dtype.kind in "fc"]


@contextlib.contextmanager
def precisely():
    """In as many bits as are needed, and without NumPy's warnings of what balls notice too."""
    with flint.ctx.workprec(BITS), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def points(row, of):
    """Yield all calls at random points, some of them at several."""
    rng, several = np.random.default_rng(len(row.name)), calls(row, of)
    for call in itertools.islice(itertools.cycle(several), max(POINTS, len(several))):
        yield at_a_point(row, of, call, rng), rng


def prove(row, of):
    """At how many points the two enclosures meet.  Raises Refuted, Refused or Unproved."""
    compared, refusal, why = 0, None, "no sample calls it with so few elements"
    with precisely():
        for call, rng in points(row, of):
            try:
                Comparison(row, of, call, rng).check()
            except (Undecided, ZeroDivisionError) as skipped:
                why = str(skipped)
            except MinigradError as refused:
                refusal = str(refused).partition(". ")[0].partition(" [MG")[0]
            else:
                compared += 1
    if not compared:
        raise Refused(refusal) if refusal else Unproved(why)
    return compared


def at_a_point(row, of, call, rng):
    """The call with other numbers, but for matrices that are singular."""
    if row.name in SINGULAR and is_singular(call, next(iter(call))):
        return call
    given = {name: moved(rng, each) for name, each in call.items()}
    if hermitian_only(row, call):
        given[of] = (given[of] + np.conj(np.swapaxes(given[of], -1, -2))) / 2
    return given
