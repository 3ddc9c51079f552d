"""The question that every training script begins with."""

import minigrad
from tests.checking import refuses


def test_there_is_no_gpu():
    assert minigrad.cuda.is_available() is False and minigrad.cuda.device_count() == 0
    device = minigrad.device("cuda" if minigrad.cuda.is_available() else "cpu")
    assert minigrad.ones(2, device=device).device.type == "cpu"


def test_a_tensor_does_not_go_there():
    for error in (AssertionError, RuntimeError):        # the one of PyTorch without CUDA, the one of PyTorch without a GPU
        with refuses(error, "cuda(): no device 'cuda' is available: minigrad computes on the CPU", "MG404"):
            minigrad.ones(2).cuda()
