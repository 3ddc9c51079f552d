"""A new row needs no batch rule of its own: kind, types and what it says of its dims are enough."""

import numpy as np
import pytest

from minigrad import tensor
from minigrad.func import vmap
from minigrad.ops import kinds
from tests.checking import the_table_as_it_was

X = np.random.default_rng(0).normal(size=(4, 3, 2))


@pytest.fixture(autouse=True)
def as_before():
    """What a test adds to the table is taken away again."""
    with the_table_as_it_was():
        yield


def is_a_loop(function, x=X):
    found = vmap(function)(tensor(x)).numpy()
    np.testing.assert_allclose(found, np.stack([function(tensor(example)).numpy() for example in x]))


def spread_kernel(self, dim, keepdim):
    return np.ptp(self, axis=tuple(dim) if isinstance(dim, (list, tuple)) and len(dim) else None if dim == () else dim,
                  keepdims=keepdim)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dim", [None, 0, -1, (), (0, 1), [-1]], ids=str)
@pytest.mark.parametrize("keepdim", [False, True])
def test_a_reduction(dim, keepdim):
    spread = kinds.general("spread(Tensor self, Dims? dim=None, bool keepdim=False)", spread_kernel, public=False)
    is_a_loop(lambda x: spread(x, dim, keepdim))
    if dim in (None, 0, -1, ()):
        is_a_loop(lambda x: spread(x, dim, keepdim), X[:, 0, 0])


def every_other(self, dim):
    return self[(slice(None),) * (dim % self.ndim) + (slice(None, None, 2),)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dim", [0, 1, -1, -2])
def test_a_view(dim):
    row = kinds.view("every_other(Tensor self, Dim dim)", every_other, self=lambda d: d, public=False, least_dims=1)
    is_a_loop(lambda x: row(x, dim))


@pytest.mark.filterwarnings("error")
def test_sizes_and_lists():
    row = kinds.linear("filled_up(Tensor self, Sizes size, Dim dim)",
                       lambda self, size, dim: np.broadcast_to(np.expand_dims(self, dim), size), self=lambda d: d,
                       public=False)
    is_a_loop(lambda x: row(x, (3, 5, 2), 1))
    several = kinds.linear("in_a_line(Tensor[] tensors, Dim dim)", lambda tensors, dim: np.concatenate(tensors, dim),
                           tensors=lambda d: [d], public=False)
    is_a_loop(lambda x: several([x, x * 2], -1))


@pytest.mark.filterwarnings("error")
def test_the_last_dims():
    row = kinds.general("anti_trace(Tensor self)", lambda self: np.trace(self[..., ::-1], axis1=-2, axis2=-1),
                        public=False, last_dims=2)
    is_a_loop(row)
    is_a_loop(lambda x: row(x.reshape(1, 3, 2)))


def test_a_loop_says_so():
    row = kinds.general("in_the_middle(Tensor self)", lambda self: np.median(self), public=False, batch="loop")
    with pytest.warns(UserWarning, match="not yet implemented the batching rule for in_the_middle"):
        is_a_loop(row)


def test_there_is_one_word_for_it():
    with pytest.raises(ValueError, match="batch='slow': it is 'loop' or 'as it lies', or it is left out"):
        kinds.general("in_the_middle(Tensor self)", lambda self: np.median(self), public=False, batch="slow")
