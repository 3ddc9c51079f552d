"""vmap is a loop: for every sample row of every operation (tests/ops/samples_*.py), and for the batch in every place.

Each case of a row is drawn several times, with other numbers; ``vmap`` of the stacked arguments must give what a loop
over the examples gives.  The batch is the first axis of all tensors, the last one of all, and an axis of one of
several while the others are the same for all examples.
"""

import warnings
import zlib

import numpy as np
import pytest

import minigrad
from minigrad._core.errors import MinigradError
from minigrad._core.graph import Tensor, wrap
from minigrad.func import vmap
from minigrad.func.rules import running
from tests.ops.samples import ROWS
from tests.ops.sampling import arrays_of, replace
from tests.ops.test_ops import call, dtypes, flat

SIZE = 3

#: what cannot be mapped in some cases, because the result's shape depends on the numbers, or there is no result to map:
#: (name, words of the error)
REFUSED = {
    "nonzero": "dynamic shape", "argwhere": "dynamic shape", "where": "dynamic shape", "unique": "dynamic shape",
    "unique_consecutive": "dynamic shape",
    "bincount": "dynamic shape", "repeat_interleave": "dynamic shape", "index_put": "boolean mask",
    "masked_select": "differently shaped",
    "one_hot": "num_classes", "as_strided": "memory", "equal": "control flow", "allclose": "control flow",
    "dropout": "randomness error mode",
}
#: these look at how an example lies in memory, which the batch as the last axis spreads out
IN_MEMORY = {"view_as_complex"}
#: rows with a rule that some cases are not covered by: cat that passes over something empty, tensors without dims,
#: weights for each example
PARTLY = {"cat", "cat_backward", "cat_given", "index_select", "index_select_backward", "embedding_again", "gather",
          "gather_into", "gather_backward", "scatter.src", "scatter.value"}
WEIGHTED = {"nll_loss", "nll_loss2d", "nll_loss_backward"}


@pytest.fixture(autouse=True)
def rules_are_used(monkeypatch):
    """A rule that fails is made good by computing example by example; here that is an error."""
    original = running.example_by_example

    def watched(op, mapped, payloads, size):
        out = original(op, mapped, payloads, size)
        assert running.RULES[op] is None or op.name in PARTLY or op.name in WEIGHTED and mapped[2], (
            f"the batch rule of {op.name} did not do its work")
        return out

    monkeypatch.setattr(running, "example_by_example", watched)


class Drawn:
    """A sample row whose numbers depend on the example, too."""

    def __init__(self, row, example):
        self.row, self.example = row, example

    def rng(self, case):
        return np.random.default_rng(
            zlib.crc32(f"{self.row.name} {self.row.cases.index(case)} {self.example}".encode()))


def examples_of(row, case, dtype):
    """For each example the list of its arrays; and a function of such a list, of Tensors, that makes the call."""
    drawn = [arrays_of(Drawn(row, i), case, dtype) for i in range(SIZE)]
    lists = []
    for args, kwargs, _ in drawn:
        found = []
        replace([args, list(kwargs.values())], lambda array: found.append(array))
        lists.append(found)
    args, kwargs, _ = drawn[0]
    number = {id(array): i for i, array in enumerate(lists[0])}

    def function(*tensors):
        def swap(x):
            return replace(x, lambda array: tensors[number[id(array)]])
        return call(minigrad, row, [swap(a) for a in args], {k: swap(v) for k, v in kwargs.items()})

    return lists, function


def placements(n):
    """in_dims for ``n`` tensors: all first, all last, and each in turn alone or alone not mapped."""
    places = [(0,) * n, (-1,) * n]
    if n > 1:
        places += [tuple([0 if i == k else None for i in range(n)]) for k in range(n)]
        places += [tuple([None if i == k else -1 for i in range(n)]) for k in range(n)] if n > 2 else []
    return places


def batch(lists, place):
    return [wrap(arrays[0].copy() if dim is None else np.stack(arrays, dim % (arrays[0].ndim + 1)))
            for arrays, dim in zip(zip(*lists), place)]


def tensors_in(result):
    return [x for x in flat(result) if isinstance(x, Tensor)]


def check(row, case, dtype, place):
    lists, function = examples_of(row, case, dtype)
    mixed = [[arrays[k] if dim is not None else lists[0][k] for k, dim in enumerate(place)] for arrays in lists]
    loop = [tensors_in(function(*[wrap(array.copy()) for array in arrays])) for arrays in mixed]
    whole = tensors_in(vmap(lambda *x: tuple(tensors_in(function(*x))), in_dims=place)(*batch(lists, place)))
    assert len(whole) == len(loop[0])
    for i, y in enumerate(whole):
        expected = np.stack([outputs[i].numpy() for outputs in loop])
        where = f"{row}({case}) of {dtype}, in_dims {place}"
        assert y.numpy().dtype == expected.dtype, where
        assert tuple(y.shape) == expected.shape, where
        single = expected.dtype in (np.float32, np.complex64)
        np.testing.assert_allclose(y.numpy(), expected, rtol=2e-5 if single else max(row.rtol, 1e-9),
                                   atol=1e-5 if single else 1e-9, err_msg=where)


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_vmap_is_a_loop(row):
    for case in row.cases:
        for dtype in dtypes(row):
            n = len(examples_of(row, case, dtype)[0][0])
            for place in placements(n):
                if row.name in IN_MEMORY and -1 in place:
                    continue
                try:
                    check(row, case, dtype, place)
                except MinigradError as refused:
                    if refused.code != "MG117" or REFUSED.get(row.name, "no error") not in str(refused):
                        raise


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_one_shape_is_refused(name):
    refused = 0
    for row in [row for row in ROWS if row.name == name]:
        for case in row.cases:
            n = len(examples_of(row, case, "float64")[0][0])
            try:
                check(row, case, "float64", (0,) * n)
            except MinigradError as e:
                assert REFUSED[name] in str(e)
                refused += 1
    assert refused


@pytest.mark.parametrize("function", [lambda x: x.reshape(-1), lambda x: x.prod(), lambda x: x.max(),
                                      lambda x: x.argmax(), lambda x: x.roll(2), lambda x: x.take(INDEX),
                                      lambda x: x.reshape(3, -1), lambda x: x.flatten(), lambda x: x.sum(),
                                      lambda x: x.repeat(2, 1), lambda x: x.t().reshape(6)])
def test_payloads_that_do_not_lie_in_order(function):
    """The batch may lie anywhere, and the example be transposed: then a shape can only be had by a copy."""
    x = np.random.default_rng(0).normal(size=(4, 3, 2))
    for transposed in (x, x.transpose(0, 2, 1).copy().transpose(0, 2, 1),
                       x.transpose(1, 0, 2).copy().transpose(1, 0, 2), np.asfortranarray(x), x[:, ::-1], x[::2]):
        expected = np.stack([function(wrap(example.copy())).numpy() for example in transposed])
        np.testing.assert_allclose(vmap(function)(wrap(transposed)).numpy(), expected)


INDEX = wrap(np.array([0, -1, 2]))


@pytest.mark.parametrize("name", ["mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss", "binary_cross_entropy",
                                  "binary_cross_entropy_with_logits"])
@pytest.mark.parametrize("mapped", [(0, None), (None, 0)])
def test_a_loss_of_an_argument_that_is_the_same_for_all_is_recorded_outside(name, mapped):
    loss = getattr(minigrad.nn.functional, name)
    rng = np.random.default_rng(0)
    arguments = [minigrad.tensor(rng.uniform(0.1, 0.9, (2, 3) if m == 0 else (3,)), requires_grad=True) for m in mapped]

    def one_by_one(*arguments):
        return sum([loss(*[x[i] if m == 0 else x for x, m in zip(arguments, mapped)]) for i in range(2)])

    wanted = arguments if name != "binary_cross_entropy" else arguments[:1]
    found = minigrad.autograd.grad(minigrad.func.vmap(loss, in_dims=mapped)(*arguments).sum(), wanted)
    for g, expected in zip(found, minigrad.autograd.grad(one_by_one(*arguments), wanted)):
        np.testing.assert_allclose(g.numpy(), expected.numpy(), rtol=1e-9, atol=1e-12)


def test_kron_of_an_axis_that_is_not_the_first():
    a, b = minigrad.rand(2, 3, 2), minigrad.rand(3, 2, 2)
    out = minigrad.func.vmap(minigrad.kron, in_dims=(1, 0))(a, b)
    for i in range(3):
        np.testing.assert_allclose(out[i].numpy(), np.kron(a[:, i].numpy(), b[i].numpy()), rtol=1e-6)
