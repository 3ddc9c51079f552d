"""Many rounds of each scenario, with the collector off: nothing more is alive afterwards than before."""

import gc
import sys
import tracemalloc
import warnings
from pathlib import Path

import minigrad as torch
from tests.robustness.out_of_memory import afterwards, passes
from tests.robustness.out_of_memory.passes import W, X, leaf

WARM = 150                      # rounds in which spare objects and caches are made
SPARE_TUPLES = 2000             # of each length up to 20, which Python keeps
STATUS = Path("/proc/self/statm")


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, d):
        raise KeyError("planned")


def refused(call, *kinds):
    try:
        call()
    except kinds:
        return
    raise AssertionError("it was not refused")


def shapes_refused():
    refused(lambda: X * torch.ones(2), RuntimeError)
    refused(lambda: (X * W).backward(), RuntimeError)
    refused(lambda: X.add_(1), RuntimeError)


def function_failed():
    refused(lambda: (Fails.apply(X * W) * X).sum().backward(), KeyError)


def hook_failed():
    def hook(g):
        raise KeyError("planned")

    y = X * W
    y.register_hook(hook)
    refused((y * y).sum().backward, KeyError)


def written_after_saved():
    y = X * 2
    z = (y * y).sum()
    y.add_(1)
    refused(z.backward, RuntimeError)


def second_pass():
    loss = passes.loss()
    loss.backward()
    refused(loss.backward, RuntimeError)


def unused_input():
    refused(lambda: torch.autograd.grad((X * 2).sum(), leaf(1.)), RuntimeError)


def level_left_by_error():
    def inside():
        with torch.autograd.forward_ad.dual_level():
            torch.autograd.forward_ad.make_dual(X * 1, W.detach()) * torch.ones(2)

    refused(inside, RuntimeError)


def transform_failed():
    refused(lambda: torch.func.grad(lambda a: (a * torch.ones(2)).sum())(X.detach()), RuntimeError)


FAILING = (shapes_refused, function_failed, hook_failed, written_after_saved, second_pass, unused_input,
           level_left_by_error, transform_failed)
SCENARIOS = (*passes.SCENARIOS, *FAILING)

# These make objects that know each other, as PyTorch does, so that the collector is called after their rounds.
CYCLES = {"profiler"}


def alive():
    """(bytes, blocks, objects of the collector)"""
    return tracemalloc.get_traced_memory()[0], sys.getallocatedblocks(), len(gc.get_objects())


def references():
    """How many there are to all objects together; a debug build of Python counts them (sanitizers/counts.py)."""
    return sys.gettotalrefcount() if hasattr(sys, "gettotalrefcount") else 0


def pages():
    return int(STATUS.read_text().split()[1]) if STATUS.exists() else 0


def lives(body):
    def run(rounds):
        warnings.simplefilter("ignore")
        sys.unraisablehook = lambda unraisable: None
        gc.disable()
        tracemalloc.start()
        repeat(body, WARM)
        settle(body)
        resident, before, referred = pages(), alive(), references()
        repeat(body, rounds)
        if body.__name__ in CYCLES:
            settle(body)
        grown = [after - was for after, was in zip(alive(), before)]
        kilobytes, more = 4 * (pages() - resident), references() - referred
        # whatever is left behind by each round is at least one block of 16 bytes
        for what, growth, least in zip(("bytes", "blocks", "objects"), grown, (16, 1, 1)):
            assert growth < least * rounds / 2, f"{body.__name__}: {growth:,} more {what} after {rounds:,} rounds"
        # fewer are as bad: an object that is given back twice dies while it is in use
        assert abs(more) < rounds / 2, f"{body.__name__}: {more:,} more references after {rounds:,} rounds"
        assert kilobytes < 4096 + rounds / 10, f"{body.__name__}: {kilobytes:,} more kilobytes after {rounds:,} rounds"
        return f"{rounds:,} rounds, {grown[0]:,} bytes and {kilobytes:,} kilobytes of pages more"

    return run


def settle(body):
    """The collector empties Python's lists of spare objects, too: they are filled again."""
    gc.collect()
    [(0,) * length + (item,) for length in range(20) for item in range(SPARE_TUPLES)]
    repeat(body, WARM)


def repeat(body, rounds):
    for _ in range(rounds):
        body()
        afterwards.forget()
