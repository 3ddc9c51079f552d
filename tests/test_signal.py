"""Window functions of ``torch.signal.windows``.  Each test states what both libraries do."""

import numpy as np
import pytest

from tests.checking import refuses

#: The windows of seven weights, written anew: k goes from -3 to 3.
K = np.arange(7) - 3.0
EXPECTED = {
    "bartlett": ({}, 1 - abs(K) / 3),
    "blackman": ({}, 0.42 + 0.5 * np.cos(np.pi * K / 3) + 0.08 * np.cos(2 * np.pi * K / 3)),
    "cosine": ({}, np.cos(np.pi * K / 7)),
    "exponential": ({"tau": 2.5}, np.exp(-abs(K) / 2.5)),
    "gaussian": ({"std": 0.4}, np.exp(-(K / 0.4) ** 2 / 2)),
    "general_cosine": ({"a": [0.3, 0.2, 0.1]}, 0.3 + 0.2 * np.cos(np.pi * K / 3) + 0.1 * np.cos(2 * np.pi * K / 3)),
    "general_hamming": ({"alpha": 0.3}, 0.3 + 0.7 * np.cos(np.pi * K / 3)),
    "hamming": ({}, 0.54 + 0.46 * np.cos(np.pi * K / 3)),
    "hann": ({}, np.cos(np.pi * K / 6) ** 2),
    "kaiser": ({"beta": 2.0}, np.i0(2 * np.sqrt(1 - (K / 3) ** 2)) / np.i0(2.0)),
    "nuttall": ({}, 0.3635819 + 0.4891775 * np.cos(np.pi * K / 3) + 0.1365995 * np.cos(2 * np.pi * K / 3)
                + 0.0106411 * np.cos(np.pi * K)),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_weights(torch, name):
    options, expected = EXPECTED[name]
    make = getattr(torch.signal.windows, name)
    np.testing.assert_allclose(make(7, dtype=torch.float64, **options).numpy(), expected, atol=1e-14)
    single = make(7, **options)
    assert single.dtype is torch.float32
    np.testing.assert_allclose(single.numpy(), expected, atol=2e-6)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_periodic_window_lacks_its_last_weight(torch, name):
    options, expected = EXPECTED[name]
    make = getattr(torch.signal.windows, name)
    np.testing.assert_allclose(make(6, sym=False, dtype=torch.float64, **options).numpy(), expected[:-1], atol=1e-14)
    assert make(0, **options).shape == (0,) and make(1, **options).tolist() == [1] == make(1, sym=False,
                                                                                           **options).tolist()


def test_an_exponential_window_has_its_center_anywhere(torch):
    make = torch.signal.windows.exponential
    np.testing.assert_allclose(make(3, center=0.0, sym=False).numpy(), np.exp([0, -1, -2]), rtol=1e-6)
    np.testing.assert_allclose(make(1, center=1.0, sym=False).numpy(), np.exp([-1]), rtol=1e-6)


@pytest.mark.parametrize(("call", "phrase"), [
    ("hann(-1)", "requires non-negative window length, got M=-1"),
    ("hann(3, dtype=torch.float16)", "expects float32 or float64 dtypes, got: torch.float16"),
    ("exponential(3, tau=0)", "Tau must be positive, got: 0 instead."),
    ("exponential(3, center=1)", "Center must be None for symmetric windows"),
    ("general_cosine(3, a=[])", "Coefficients cannot be empty"),
    ("gaussian(3, std=0)", "Standard deviation must be positive, got: 0 instead."),
    ("kaiser(3, beta=-1)", "beta must be non-negative, got: -1 instead.")])
def test_wrong_arguments_are_refused(torch, call, phrase):
    with refuses(ValueError, phrase, "MG207"):
        eval("torch.signal.windows." + call)
