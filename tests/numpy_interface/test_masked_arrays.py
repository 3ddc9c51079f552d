"""Masked arrays of NumPy are refused wherever an array is allowed: a tensor has no mask, so masked elements would
count."""

import numpy as np
import pytest

import minigrad
from tests.checking import refuses

MASKED = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])
PLACES = np.ma.array([0, 1, 2], mask=[False, True, False])
CHOSEN = np.ma.array([True, False, True], mask=[False, True, False])

USES = {
    "tensor": lambda x: minigrad.tensor(MASKED),
    "tensor with a dtype": lambda x: minigrad.tensor(MASKED, dtype=minigrad.float64),
    "as_tensor": lambda x: minigrad.as_tensor(MASKED), "asarray": lambda x: minigrad.asarray(MASKED),
    "a copy": lambda x: minigrad.asarray(MASKED, copy=True), "from_numpy": lambda x: minigrad.from_numpy(MASKED),
    "Tensor": lambda x: minigrad.Tensor(MASKED), "new_tensor": lambda x: x.new_tensor(MASKED),
    "in a list": lambda x: minigrad.tensor([MASKED, MASKED]),
    "the masked element": lambda x: minigrad.tensor([1.0, np.ma.masked]),
    "the masked element with a dtype": lambda x: minigrad.tensor([1.0, np.ma.masked], dtype=minigrad.float32),
    "without anything masked": lambda x: minigrad.tensor(np.ma.array([1.0, 2.0])),
    "x + m": lambda x: x + MASKED, "x * m": lambda x: x * MASKED, "x / m": lambda x: x / MASKED,
    "x ** m": lambda x: x ** MASKED, "x // m": lambda x: x // MASKED, "x += m": lambda x: x.__iadd__(MASKED),
    "x > m": lambda x: x > MASKED, "x == m": lambda x: x == MASKED, "x & m": lambda x: (x > 0) & CHOSEN,
    "add": lambda x: minigrad.add(x, MASKED), "where": lambda x: minigrad.where(x > 0, x, MASKED),
    "add_": lambda x: x.add_(MASKED), "copy_": lambda x: x.copy_(MASKED), "fill_": lambda x: x.fill_(MASKED[1]),
    "x[places]": lambda x: x[PLACES], "x[mask]": lambda x: x[CHOSEN], "x[[places]]": lambda x: x[[PLACES]],
    "x[places] = 1": lambda x: x.__setitem__(PLACES, 1.0), "x[:] = m": lambda x: x.__setitem__(slice(None), MASKED),
    "x[0] = masked": lambda x: x.__setitem__(0, MASKED[1]),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.filterwarnings("ignore:Using a non-tuple sequence")
def test_they_are_refused(use):
    x = minigrad.ones(3)
    with refuses(TypeError, "a masked array has no counterpart among tensors", "MG402"):
        USES[use](x)
    assert x.tolist() == [1, 1, 1] and x._version == 0


@pytest.mark.parametrize("use", [lambda x: np.add(x, MASKED), lambda x: np.multiply(MASKED, x), lambda x: x @ MASKED])
def test_what_numpy_makes_of_a_tensor_and_one_is_not_a_tensor(use):
    """NumPy takes a TypeError for an old signature, and would go on; so this is a ValueError."""
    with refuses(ValueError, "a masked array has no counterpart among tensors", "MG403"):
        use(minigrad.ones(3))


@pytest.mark.parametrize("operate", [lambda x: MASKED + x, lambda x: MASKED * x, lambda x: MASKED - x,
                                     lambda x: MASKED > x, lambda x: np.ma.add(MASKED, x)])
def test_on_the_left(operate):
    with refuses(TypeError, "a masked array has no counterpart among tensors", "MG402"):
        operate(minigrad.ones(3))


def test_what_else_numpy_ma_makes_of_a_tensor():
    x = minigrad.tensor([1.0, float("nan")])
    assert np.ma.array(x, mask=[True, False]).sum() != 1 and np.ma.masked_invalid(x).count() == 1
    assert np.ma.asarray(x).shape == (2,)


def test_the_cures():
    assert minigrad.tensor(MASKED.filled(0.0)).tolist() == [1, 0, 3]
    assert minigrad.tensor(MASKED.compressed()).tolist() == [1, 3]
    assert (minigrad.ones(3) + MASKED.filled(5.0)).tolist() == [2, 6, 4]
