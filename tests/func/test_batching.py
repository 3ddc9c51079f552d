"""vmap is a loop: for every sample row of every operation (tests/ops/samples), and for the batch in every place.

Each case of a row is drawn several times, with other numbers; ``vmap`` of the stacked arguments must give what a loop
over the examples gives.  The batch is the first axis of all tensors, the last one of all, and an axis of one of
several while the others are the same for all examples.
"""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import wrap
from minigrad.func import vmap
from minigrad.func.rules import apply
from minigrad.ops import exports
from tests.func.batches import check, placements
from tests.ops.samples import ROWS
from tests.ops.test_ops import dtypes

pytestmark = pytest.mark.usefixtures("rules_are_used")

#: these look at how an example lies in memory, which the batch as the last axis spreads out
IN_MEMORY = {"view_as_complex"}


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_vmap_is_a_loop(row):
    def places(n):
        return [place for place in placements(n) if row.name not in IN_MEMORY or -1 not in place]

    for case in row.cases:
        for dtype in dtypes(row):
            check(row, case, dtype, places)


@pytest.mark.parametrize("row", [row for row in ROWS if row.unmapped], ids=str)
def test_what_a_sample_says_to_be_refused_is(row):
    refused = []
    for case in row.cases:
        check(row, case, "float64", note=refused.append)
    assert refused


def test_a_rule_that_fails_is_noticed(monkeypatch):
    monkeypatch.setitem(apply.RULES, exports.ROWS["sin"], lambda *arguments: None)
    with pytest.raises(AssertionError, match="the sample row says so: loops='sin'"):
        vmap(minigrad.sin)(minigrad.ones(2, 3))


def test_rows_that_a_sample_says_to_loop_have_a_rule():
    for row in ROWS:
        assert all([apply.RULES[exports.ROWS[name]] is not None for name in row.loops.split()]), row


@pytest.mark.parametrize("function", [lambda x: x.reshape(-1), lambda x: x.prod(), lambda x: x.max(),
                                      lambda x: x.argmax(), lambda x: x.roll(2), lambda x: x.roll(2, None),
                                      lambda x: x.take(INDEX),
                                      lambda x: x.reshape(3, -1), lambda x: x.flatten(), lambda x: x.sum(),
                                      lambda x: x.repeat(2, 1), lambda x: x.t().reshape(6)])
def test_payloads_that_do_not_lie_in_order(function):
    """The batch may lie anywhere, and the example be transposed: then a shape can only be had by a copy."""
    x = np.random.default_rng(0).normal(size=(4, 3, 2))
    for transposed in (x, x.transpose(0, 2, 1).copy().transpose(0, 2, 1),
                       x.transpose(1, 0, 2).copy().transpose(1, 0, 2), np.asfortranarray(x), x[:, ::-1], x[::2]):
        expected = np.stack([function(wrap(example.copy())).numpy() for example in transposed])
        np.testing.assert_allclose(vmap(function)(wrap(transposed)).numpy(), expected)


INDEX = wrap(np.array([0, -1, 2], np.int64))


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
