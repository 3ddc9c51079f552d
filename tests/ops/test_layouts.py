"""Where the inputs lie in memory does not matter: values and first gradients are those of dense, aligned inputs."""

import numpy as np
import pytest

import minigrad
from minigrad._core.graph import Tensor, wrap
from tests.ops.samples import ROWS
from tests.ops.test_ops import array, bound, call, each, flat


def every_other(a):
    wide = np.repeat(a, 2, axis=-1) if a.ndim else a.copy()
    return wide[..., ::2] if a.ndim else wide


def backwards(a):
    turned = (slice(None, None, -1),) * a.ndim
    return a[turned].copy()[turned]


def at_an_odd_address(a):
    memory = np.zeros(a.nbytes + 1, np.uint8)[1:]
    moved = memory.view(a.dtype).reshape(a.shape) if a.size else a.copy()
    moved[...] = a
    return moved


def by_columns(a):
    return a.T.copy().T


LAYOUTS = [every_other, backwards, by_columns, at_an_odd_address]

#: What these do is said in strides, or is refused where a view cannot be made.
OF_STRIDES = {"as_strided", "as_strided_copy", "as_strided_scatter", "as_strided_view", "slice_inverse", "view",
              "view_as", "view_as_complex"}


def results(row, case, layout):
    """The values and the gradients of a sample call, its arrays laid out by ``layout``."""
    with minigrad.no_grad():
        inputs, args, kwargs, _ = bound(lambda a, needs: wrap(layout(a), needs), row, case, "float64")
    outputs = [y for y in flat(call(minigrad, row, args, kwargs)) if isinstance(y, Tensor)]
    roots = [y for y in outputs if y.requires_grad]
    rng = row.rng(None)
    seeds = [wrap(np.asarray(rng.normal(size=tuple(y.shape)), array(y).dtype)) for y in roots]
    found = minigrad.autograd.grad(roots, inputs, seeds, allow_unused=True) if roots and inputs else ()
    return [*outputs, *[x for x in found if x is not None]]


@pytest.mark.filterwarnings("ignore")
@each([row for row in ROWS if row.name not in OF_STRIDES])
@pytest.mark.drawn
def test_the_layout_of_the_inputs_does_not_matter(row):
    for case in row.cases:
        dense = results(row, case, np.copy)
        for layout in LAYOUTS:
            what = f"{row}({case}), {layout.__name__}"
            for x, y in zip(results(row, case, layout), dense, strict=True):
                np.testing.assert_allclose(array(x), array(y), rtol=1e-7, atol=1e-9, err_msg=what)


@pytest.mark.parametrize("shape, strides", [((1, 1, 2), (1, 2, 1)), ((1, 2), (3, 1)), ((3, 1, 2), (2, 5, 1))])
def test_pairs_in_a_dim_of_one_element_may_have_any_stride(torch, shape, strides):
    x = torch.arange(12.).as_strided(shape, strides).requires_grad_()
    z = torch.view_as_complex(x)
    assert torch.view_as_real(z).tolist() == x.tolist() and z.stride() == tuple([n // 2 for n in strides[:-1]])
    z.real.sum().backward()
    assert x.grad.tolist() == torch.tensor([1., 0.]).expand(shape).tolist()


def test_pairs_that_do_not_lie_side_by_side_are_refused(torch):
    for shape, strides in [((2, 2), (3, 1)), ((1, 2), (2, 2))]:
        with pytest.raises(RuntimeError, match="Tensor must have a"):
            torch.view_as_complex(torch.arange(12.).as_strided(shape, strides))
