"""Derivatives under vmap: the formulas of every row run on batches, and so do the formulas of those rows.

For every differentiable sample row: vmap of the vjp, and of the vjp of the vjp, against loops over the examples in
plain reverse mode.  At the end it is asked whether every row of the table has met a batch.
"""

from unittest import mock

import numpy as np
import pytest

import minigrad
from minigrad.autograd import grad
from minigrad.func import interpreters, vjp, vmap
from minigrad._core.graph import wrap
from minigrad.func.rules import apply
from minigrad.ops.algebra import solving
from minigrad.ops.exports import ROWS
from tests.func import batches
from tests.func.batches import SIZE, Drawn, placements, refused_as_said, tensors_in
from tests.func.test_batching import IN_MEMORY
from tests.ops.calling import SOLVED
from tests.ops.samples import ROWS as SAMPLES
from tests.ops.sampling import arrays_of, replace
from tests.ops.test_ops import call

pytestmark = pytest.mark.usefixtures("rules_are_used")

DIFFERENTIABLE = [row for row in SAMPLES if row.grad and row.name not in IN_MEMORY]

#: the rows that some batch has met in this module, and which of its tests have run in this process
met, ran = set(), set()


@pytest.fixture(autouse=True, scope="module")
def noting():
    """Note every operation that a Batch is asked for."""
    original = apply.batched

    def noted(op, mapped, payloads, size):
        met.add(op.name)
        return original(op, mapped, payloads, size)

    interpreters.batched = noted
    yield
    interpreters.batched = original


def differentiable_call(row, case, dtype):
    """The call as a function of the arrays that want a gradient; and for each example those arrays and the others."""
    drawn = [arrays_of(Drawn(row, i), case, dtype) for i in range(SIZE)]
    lists, wanted = [], []
    for args, kwargs, ids in drawn:
        found = []
        replace([args, list(kwargs.values())], lambda array: found.append(array))
        lists.append(found)
        wanted = [k for k, array in enumerate(found) if id(array) in ids]
    args, kwargs, _ = drawn[0]
    number = {id(array): i for i, array in enumerate(lists[0])}

    def function(*tensors):
        def swap(x):
            return replace(x, lambda array: tensors[number[id(array)]])
        return tuple([y for y in tensors_in(call(minigrad, row, [swap(a) for a in args],
                                                 {k: swap(v) for k, v in kwargs.items()}))
                      if y.dtype.is_floating_point or y.dtype.is_complex])

    return lists, wanted, function


def cotangents_for(row, outputs):
    rng = np.random.default_rng(5)
    return [np.asarray(rng.normal(size=y.shape) + (1j * rng.normal(size=y.shape) if y.dtype.is_complex else 0)).astype(
        y.numpy(force=True).dtype)
            for y in outputs]


def gradients(outputs, inputs, cotangents, create_graph=False):
    """Reverse mode outside transforms, zeros where nothing arrives."""
    pairs = [(y, g) for y, g in zip(outputs, cotangents) if y.requires_grad]
    found = [None] * len(inputs)
    if pairs:
        found = grad([y for y, _ in pairs], inputs, [g for _, g in pairs], allow_unused=True, create_graph=create_graph)
    return [minigrad.zeros_like(x) if g is None else g for g, x in zip(found, inputs)]


def check(row, case, dtype, twice):
    lists, wanted, function = differentiable_call(row, case, dtype)
    if not wanted:
        return
    rows = [cotangents_for(row, function(*[wrap(a.copy()) for a in arrays])) for arrays in lists]
    if not rows[0]:
        return
    n, m = len(lists[0]), len(wanted)
    seconds = [[np.random.default_rng(k).normal(size=arrays[k].shape).astype(arrays[k].dtype) for k in wanted]
               for arrays in lists]

    def pulled(*tensors):
        """The gradients for cotangents, in reverse mode of minigrad.func."""
        given, cotangents = list(tensors[:n]), tuple(tensors[n:])

        def of_wanted(*chosen):
            for k, x in zip(wanted, chosen):
                given[k] = x
            return function(*given)
        return vjp(of_wanted, *[given[k] for k in wanted])[1](cotangents)

    def pulled_twice(*tensors):
        """The gradients of (the gradients times numbers) for the inputs and the cotangents."""
        inputs, numbers = list(tensors[:-m]), tuple(tensors[-m:])
        places = [*wanted, *range(n, len(inputs))]

        def of_places(*chosen):
            for k, x in zip(places, chosen):
                inputs[k] = x
            return pulled(*inputs)
        return vjp(of_places, *[inputs[k] for k in places])[1](numbers)

    def looped(arrays, cotangents, numbers):
        inputs = [wrap(a.copy(), k in wanted) for k, a in enumerate(arrays)]
        cotangents = [wrap(g.copy(), twice) for g in cotangents]
        first = gradients(function(*inputs), [inputs[k] for k in wanted], cotangents, twice)
        if not twice:
            return first
        return gradients(first, [inputs[k] for k in wanted] + cotangents, [wrap(v) for v in numbers])

    expected = [looped(*each) for each in zip(lists, rows, seconds)]
    columns = list(zip(*[arrays + cotangents + (numbers if twice else [])
                         for arrays, cotangents, numbers in zip(lists, rows, seconds)]))
    actual = vmap(pulled_twice if twice else pulled)(*[wrap(np.stack(column)) for column in columns])
    for k, g in enumerate(actual):
        np.testing.assert_allclose(g.numpy(), np.stack([each[k].numpy(force=True) for each in expected]), rtol=1e-6,
                                   atol=1e-8, err_msg=f"{row}({case}) of {dtype}, gradient {k}")


def check_all_cases(row, twice):
    ran.add((id(row), twice))
    for smallest in (solving.SMALL, 0) if row.name in SOLVED else (solving.SMALL,):
        for case in row.cases:
            for dtype in ["float64"] + ["complex128"] * row.complex:
                with refused_as_said(row), mock.patch.object(solving, "SMALL", smallest):
                    check(row, case, dtype, twice)


@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_vmap_of_vjp_is_a_loop(row):
    check_all_cases(row, False)


@pytest.mark.parametrize("row", [row for row in DIFFERENTIABLE if row.gradgrad], ids=str)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.drawn
def test_vmap_of_vjp_of_vjp_is_a_loop(row):
    check_all_cases(row, True)


def check_from_outside(row, case, dtype, place):
    lists, wanted, function = differentiable_call(row, case, dtype)
    dims = [None if dim is None else 0 for dim in place]
    if not wanted or not any([dim == 0 for dim in dims]):
        return

    def leaves():
        return [wrap(lists[0][k].copy() if dim is None else np.stack([arrays[k] for arrays in lists]), k in wanted)
                for k, dim in enumerate(dims)]

    inputs = leaves()
    whole = vmap(function, in_dims=tuple(dims))(*inputs)
    cotangents = cotangents_for(row, whole)
    found = gradients(whole, [inputs[k] for k in wanted], [wrap(g) for g in cotangents])
    inputs = leaves()
    loop = [function(*[x if dim is None else x[i].clone() for x, dim in zip(inputs, dims)]) for i in range(SIZE)]
    expected = gradients([y for each in loop for y in each], [inputs[k] for k in wanted],
                         [wrap(g[i]) for i in range(SIZE) for g in cotangents])
    for k, g, e in zip(wanted, found, expected):
        np.testing.assert_allclose(g.numpy(), e.numpy(), rtol=1e-6, atol=1e-8,
                                   err_msg=f"{row}({case}) of {dtype}, in_dims {tuple(dims)}, gradient {k}")


@pytest.mark.parametrize("row", DIFFERENTIABLE, ids=str)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.drawn
def test_the_gradient_of_a_vmap_is_that_of_a_loop(row):
    """Also in what is the same for all examples, which is then recorded as a part of the whole batch."""
    for case in row.cases:
        n = len(differentiable_call(row, case, "float64")[0][0])
        for place in placements(n):
            with refused_as_said(row):
                check_from_outside(row, case, "float64", place)


RNG = np.random.default_rng(11)
MEMORY = ((2, 2), (1, 2), 1, (3, 1), 0)
#: rows that no derivative of a sample uses: their names, and what draws the arguments of one example
class Both:
    """A group of two ranks of which the other has the same arrays as this one, for the rows of ops/collectives.py."""

    def all_reduce(self, array):
        return 2 * array

    def broadcast(self, array, src):
        return array.copy()

    def reduce(self, array, dst):
        return 2 * array

    def all_gather(self, array, dim):
        return np.stack([array, array], dim)

    def reduce_scatter(self, array, dim):
        return 2 * array.take(0, dim)

    def gather(self, array, dim, dst):
        return self.all_gather(array, dim)

    def scatter(self, array, dim, src):
        return array.take(0, dim)

    def all_to_all(self, array, dim):
        return np.stack([array.take(0, dim)] * 2, dim)


BOTH = Both()

DIRECT = [
    ("as_strided_backward", lambda: (RNG.normal(size=(2, 2)), (2, 3), *MEMORY)),
    ("as_strided_again", lambda: (RNG.normal(size=(2, 3)), *MEMORY)),
    ("as_strided_keep", lambda: (RNG.normal(size=(2, 3)), *MEMORY)),
    ("as_strided_scatter_at", lambda: (RNG.normal(size=(2, 3)), RNG.normal(size=(2, 2)), (2, 2), (1, 3), 1, (3, 1), 0)),
    ("masked_select_backward", lambda: (RNG.normal(size=2), np.array([True, False, True]), (3,))),
    ("replication_pad2d", lambda: (RNG.normal(size=(1, 2, 3)), (1, 1, 0, 1), "replicate")),
    ("reflection_pad3d", lambda: (RNG.normal(size=(1, 2, 3, 3)), (1, 1, 0, 1, 1, 0), "reflect")),
    ("circular_pad3d", lambda: (RNG.normal(size=(1, 2, 3, 3)), (1, 1, 0, 1, 1, 0), "circular")),
    ("mirrored", lambda: (RNG.normal(size=(3, 3)),)), ("folded", lambda: (RNG.normal(size=(3, 3)),)),
    ("linalg_cholesky", lambda: ((lambda a: a @ a.T + np.eye(3))(RNG.normal(size=(3, 3))),)),
    ("turned", lambda: (RNG.normal(size=(3, 3)), True)),
    ("laid_out", lambda: (RNG.normal(size=(2, 3)), wrap(np.ones((2, 3))))),
    ("alias", lambda: (RNG.normal(size=(2, 3)),)),
    ("copy", lambda: (RNG.normal(size=(2, 3)), RNG.normal(size=3))),
    ("fill.Tensor", lambda: (RNG.normal(size=(2, 3)), RNG.normal(size=()))),
    ("fill.Scalar", lambda: (RNG.normal(size=(2, 3)), 3)), ("zero", lambda: (RNG.normal(size=(2, 3)),)),
    ("view.dtype", lambda: (RNG.normal(size=(2, 3)), minigrad.int64)),
    ("view.dtype", lambda: (RNG.normal(size=(2, 3)), minigrad.float32)),
    ("view_copy.dtype", lambda: (RNG.normal(size=(2, 3)), minigrad.float32)),
    ("view_as_complex", lambda: (RNG.normal(size=(3, 2)),)),
    *[(name, lambda name=name, rest=rest: (RNG.normal(size=(2, 2, 3)), *rest, BOTH)) for name, *rest in (
        ("all_reduce",), ("broadcast", 0), ("reduce", 0), ("all_gather", 1), ("reduce_scatter", 1),
        ("gather_ranks", 1, 0), ("scatter_ranks", 1, 0), ("all_to_all", 1))],
    ("one_hot", lambda: (RNG.integers(0, 3, (2,)), 3)),
]


@pytest.mark.parametrize("name, draw", DIRECT, ids=[name for name, _ in DIRECT])
@pytest.mark.filterwarnings("ignore")
def test_rows_called_directly(name, draw):
    ran.add(draw)
    examples = [draw() for _ in range(SIZE)]
    arrays = [k for k, x in enumerate(examples[0]) if isinstance(x, np.ndarray)]
    # mapped alone, or all are
    for lonely in [None, *arrays] if len(arrays) > 1 and examples[0][arrays[1]].dtype != bool else [arrays[0]]:

        def function(*tensors):
            args = list(examples[0])
            for k, x in zip(arrays, tensors):
                args[k] = x
            return ROWS[name](*args)

        dims = tuple([0 if lonely in (None, k) else None for k in arrays])
        stacked = [wrap(np.stack([e[k] for e in examples]) if d == 0 else examples[0][k]) for k, d in zip(arrays, dims)]
        loop = [function(*[wrap(e[k] if d == 0 else examples[0][k]) for k, d in zip(arrays, dims)]).numpy()
                for e in examples]
        np.testing.assert_array_equal(vmap(function, in_dims=dims)(*stacked).numpy(), np.stack(loop))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.drawn
def test_every_row_has_met_a_batch(rules_are_used):
    """What is not differentiable is run here, and what another process has tested; random rows are in test_vmap.py."""
    for row in DIFFERENTIABLE:
        rules_are_used[:] = row.loops.split()
        for twice in (False, True) if row.gradgrad else (False,):
            if (id(row), twice) not in ran:
                check_all_cases(row, twice)
    rules_are_used.clear()
    for name, draw in DIRECT:
        if draw not in ran:
            test_rows_called_directly(name, draw)
    for row in [row for row in SAMPLES if row.grad is False or row.unmapped]:
        for case in row.cases:
            for dtype in ("float64", "int64") if row.ints else ("float64",):
                batches.check(row, case, dtype, lambda n: [(0,) * n])
    unmet = {"underived", "check_basis",        # raise, or check a cotangent that a formula asks for
             "pinv_tensors", "gt_zero",         # take tolerances, which no sample maps
             "standard_gamma_grad", "dirichlet_grad",       # are met in tests/distributions
             "to_meta", "from_meta",            # go where there are no numbers: tests/tensors/test_meta.py
             "one_or_nan",                      # says which factor is not finished: tests/linalg
             "to_device"}                       # to another device: tests/cuda/test_pretended.py
    assert set(ROWS) - met == {op.name for op in ROWS.values() if op.draws} | unmet
