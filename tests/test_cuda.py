"""The question that every training script begins with."""

import minigrad


def test_there_is_no_gpu():
    assert minigrad.cuda.is_available() is False and minigrad.cuda.device_count() == 0
    device = minigrad.device("cuda" if minigrad.cuda.is_available() else "cpu")
    assert minigrad.ones(2, device=device).device.type == "cpu"
