"""The question that every training script begins with."""

import subprocess
import sys

import pytest

import minigrad
from tests.checking import refuses


def test_there_is_no_gpu():
    assert minigrad.cuda.is_available() is False and minigrad.cuda.device_count() == 0
    device = minigrad.device("cuda" if minigrad.cuda.is_available() else "cpu")
    assert minigrad.ones(2, device=device).device.type == "cpu"


def test_a_tensor_does_not_go_there():
    # the one of PyTorch without CUDA, the one of PyTorch without a GPU
    for error in (AssertionError, RuntimeError):
        with refuses(error, "cuda(): no device 'cuda' is available: minigrad computes on the CPU", "MG404"):
            minigrad.ones(2).cuda()


@pytest.mark.parametrize("name", ["get_device_properties", "get_device_capability"])
def test_there_are_no_properties(name):
    with refuses(RuntimeError, f"torch.cuda.{name}(): no device 'cuda' is available", "MG404"):
        getattr(minigrad.cuda, name)()
    assert minigrad.cuda.reset_peak_memory_stats() is None


def test_cudas_profiler_says_that_there_is_none(recwarn):
    assert minigrad.cuda.profiler.__name__ == "minigrad.cuda.profiler"
    with minigrad.cuda.profiler.profile():
        y = minigrad.ones(2) * 2
    minigrad.cuda.profiler.start()
    minigrad.cuda.profiler.stop()
    assert y.tolist() == [2, 2]
    assert [("no CUDA here" in str(each.message), each.filename) for each in recwarn] == [(True, __file__)] * 2
    with pytest.raises(AttributeError, match="nothing"):
        minigrad.cuda.nothing


def test_cudas_profiler_is_loaded_late():
    code = ("import sys, minigrad; assert 'minigrad.cuda.profiler' not in sys.modules; minigrad.as_torch();"
            "import torch.cuda.profiler; assert torch.cuda.profiler is minigrad.cuda.profiler")
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_states_of_all_generators_are_none():
    assert minigrad.cuda.get_rng_state_all() == []
    minigrad.cuda.set_rng_state_all([])
    with refuses(RuntimeError, "cuda", "MG404"):
        minigrad.cuda.set_rng_state_all([minigrad.get_rng_state()])
