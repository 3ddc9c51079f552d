"""Window functions, and the frequencies of a transform: PyTorch's numbers, dtypes and refusals."""

import pytest

import minigrad
from tests.checking import refuses
from minigrad.creation import windows

inf = float("inf")
NAMES = windows.__all__


@pytest.mark.parametrize(("window", "expected"), [
    (minigrad.hann_window(5), [0, 0.34549150, 0.90450850, 0.90450850, 0.34549150]),
    (minigrad.hann_window(5, False), [0, 0.5, 1, 0.5, 0]),
    (minigrad.hamming_window(5), [0.08, 0.39785218, 0.91214782, 0.91214782, 0.39785218]),
    (minigrad.hamming_window(4, True, 0.6, 0.3), [0.3, 0.6, 0.9, 0.6]),
    (minigrad.blackman_window(5), [0, 0.20077014, 0.84922986, 0.84922986, 0.20077014]),
    (minigrad.bartlett_window(5), [0, 0.4, 0.8, 0.8, 0.4]),
    (minigrad.kaiser_window(5), [5.2773441e-05, 0.10171969, 0.79293983, 0.79293983, 0.10171969]),
    (minigrad.kaiser_window(4, False, 3.), [0.20488475, 0.87124187, 0.87124187, 0.20488475]),
], ids=lambda x: "")
def test_weights(window, expected):
    assert window.tolist() == pytest.approx(expected, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_no_weight_and_one(name):
    window = getattr(minigrad, name)
    assert window(0).shape == (0,) and window(1).tolist() == window(1, False).tolist() == [1]
    assert window(3, dtype=minigrad.float64, requires_grad=True).requires_grad


@pytest.mark.parametrize("name", NAMES)
def test_refusals(name):
    window = getattr(minigrad, name)
    with refuses(RuntimeError, f"{name} requires non-negative window_length, got window_length=-1", "MG204"):
        window(-1)
    with refuses(RuntimeError, f"{name} expects floating point dtypes", "MG202"):
        window(3, dtype=minigrad.int32)
    with refuses(TypeError, "argument 'window_length' must be int", "MG205"):
        window(2.5)
    with refuses(TypeError, "argument 'periodic' must be bool", "MG205"):
        window(3, 1)


@pytest.mark.parity
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("periodic", [True, False])
def test_windows_are_pytorchs(name, periodic):
    torch = pytest.importorskip("torch")
    for n in (2, 3, 7, 64):
        for dtype, error in (("float32", 1e-6), ("float16", 2e-3)):
            mine = getattr(minigrad, name)(n, periodic, dtype=getattr(minigrad, dtype))
            theirs = getattr(torch, name)(n, periodic, dtype=getattr(torch, dtype))
            assert repr(mine.dtype) == repr(theirs.dtype)
            assert mine.tolist() == pytest.approx(theirs.tolist(), abs=error)


# ------------------------------------------------------------------------------ frequencies

def test_frequencies():
    assert minigrad.fft.fftfreq(4).tolist() == [0, 0.25, -0.5, -0.25]
    assert minigrad.fft.fftfreq(5, 0.5, dtype=minigrad.float64).tolist() == pytest.approx([0, 0.4, 0.8, -0.8, -0.4])
    assert minigrad.fft.rfftfreq(5, 2).tolist() == pytest.approx([0, 0.1, 0.2])
    assert minigrad.fft.fftfreq(0).shape == (0,) and minigrad.fft.fftfreq(2, 0.).tolist()[1] == -inf
    out = minigrad.empty(4)
    assert minigrad.fft.fftfreq(4, out=out) is out and out.tolist() == [0, 0.25, -0.5, -0.25]


def test_refused_frequencies():
    with refuses(RuntimeError, "Trying to create tensor with negative dimension -1", "MG204"):
        minigrad.fft.fftfreq(-1)
    with refuses(RuntimeError, "rfftfreq requires a floating point or complex dtype", "MG202"):
        minigrad.fft.rfftfreq(3, dtype=minigrad.int64)
    with refuses(TypeError, "argument 'n' must be int", "MG205"):
        minigrad.fft.fftfreq(1.5)
    with refuses(TypeError, "argument 'd' must be Number", "MG205"):
        minigrad.fft.fftfreq(2, "one")
