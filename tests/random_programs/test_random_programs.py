"""Random programs of ops, views and in-place writes do what finite differences and PyTorch say, and meet what they are
about.

The few hundred of each run are drawn by Hypothesis, which makes a failing one short.  ``MINIGRAD_PROGRAMS=10000`` adds
that many others, which are the same every time.
"""

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minigrad
from tests import drawn

from .counting import Counts
from .examining import examine
from .long_runs import KINDS, installed_torch, long_run
from .writing import LENGTH, write

FEW = 300
MANY = int(os.environ.get("MINIGRAD_PROGRAMS", 0))


def examine_some(torch):
    """Let Hypothesis look for a program that is wrong; the counts of what occurred in those that it tried."""
    counts = Counts()

    @settings(max_examples=FEW, suppress_health_check=list(HealthCheck))
    @given(st.binary(min_size=LENGTH, max_size=LENGTH))
    def programs_are_right(data):
        examination = examine(write(data), minigrad, torch)
        counts.add(examination.features)
        assert not examination.wrong, f"\n\n{examination}"

    programs_are_right()
    return counts


@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_finite_differences_agree():
    counts = examine_some(None)
    print(counts)
    assert not counts.too_rare(), f"\n{counts}"


@pytest.mark.parity
def test_pytorch_agrees():
    counts = examine_some(pytest.importorskip("torch"))
    print(counts)
    assert not counts.too_rare(), f"\n{counts}"


@pytest.mark.parametrize("kind", ["tangents", "transforms"])
def test_forward_mode_and_transforms_agree_with_differences(kind):
    failed, counts = long_run(drawn.share(range(FEW)), 3, None, kind=kind)
    assert not failed
    assert counts.programs < FEW or not counts.too_rare(), f"\n{counts}"


@pytest.mark.parametrize("planted", [
    lambda tangent: tangent if tangent is None else tangent * 1.01,
    lambda tangent: None,
    lambda tangent: tangent if tangent is None else tangent.reshape(-1).flip(0).reshape(tangent.shape)])
def test_a_wrong_tangent_is_noticed(monkeypatch, planted):
    forward_ad = minigrad.autograd.forward_ad
    unpack_dual = forward_ad.unpack_dual
    monkeypatch.setattr(forward_ad, "unpack_dual", lambda t: forward_ad.UnpackedDualTensor(
        t, planted(unpack_dual(t).tangent)))
    found = [KINDS["tangents"].examine(KINDS["tangents"].drawn(0, number), minigrad).wrong for number in range(20)]
    assert "with differences it is" in " ".join(found)


def planted(monkeypatch, name, change):
    """What is found where a transform gives something else."""
    exact = getattr(minigrad.func, name)
    tree_map = minigrad.utils._pytree.tree_map

    def other(f, *args, **options):
        found = exact(f, *args, **options)
        if callable(found):                             # vmap
            return lambda *tensors: tree_map(change, found(*tensors))
        first, second = found
        return first, (lambda *g: tree_map(change, second(*g))) if callable(second) else tree_map(change, second)

    for module in (minigrad.func, *[minigrad] * hasattr(minigrad, name)):
        monkeypatch.setattr(module, name, other)
    kind = KINDS["transforms"]
    return " ".join([kind.examine(kind.drawn(0, number), minigrad).wrong for number in range(8)])


@pytest.mark.parametrize("name, words", [("jvp", "the tangent of"), ("vjp", "the gradients of"), ("vmap", "holds")])
def test_a_wrong_transform_is_noticed(monkeypatch, name, words):
    assert words in planted(monkeypatch, name, lambda t: t * 1.01)


@pytest.mark.slow
@pytest.mark.skipif(not MANY, reason="MINIGRAD_PROGRAMS says how many more")
def test_many_more_are_right():
    failed, counts = long_run(range(MANY), seed=0, torch=installed_torch())
    print(counts)
    assert not failed and not counts.too_rare(), f"{failed} failed, see above\n{counts}"
