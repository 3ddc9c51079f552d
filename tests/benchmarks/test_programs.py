"""The programs of the benchmark are right: each has the gradients of its hand-written version.

`make bench` checks this before it times anything; here it is checked with every test run, so that a benchmark that no
longer runs is noticed early.  No time is taken.
"""

import time
from types import SimpleNamespace

import numpy as np
import pytest

import minigrad

from . import (attention, chains, convnet, elementwise, every_op, hvp, mlp, models, ops, programs, report, rnn, timing,
               transforms, worker)
from .contestants import Disagreement, installed, require_agreement


@pytest.fixture(scope="module")
def contestants():
    return installed(["numpy", "minigrad"])


@pytest.mark.parametrize(
    "make",
    [
        mlp.moons,
        lambda contestants: mlp.mnist(contestants, 8),
        convnet.make_small,
        convnet.make_lenet,
        rnn.make,
        attention.make,
        elementwise.make,
        hvp.make,
        transforms.make,
    ],
    ids=["moons", "mnist", "small convnet", "lenet", "rnn", "attention", "elementwise", "hvp", "transforms"],
)
def test_a_program_has_the_gradients_of_its_hand_written_version(contestants, make):
    assert set(make(contestants)) == {"numpy", "minigrad"}


@pytest.mark.parametrize("name", ["makemore: RNN", "DDPM"])
def test_the_losses_of_a_model_are_compared_before_it_is_timed(contestants, name, monkeypatch):
    """Those of all models are in tests/parity/printed_programs/nn/whole_models.txt."""
    ours = contestants["minigrad"]
    assert set(models.make({"a": ours, "b": ours}, name)) == {"a", "b"}
    seeds = iter([3407, 3408])
    monkeypatch.setattr(minigrad, "manual_seed", lambda seed, draw=minigrad.manual_seed: draw(next(seeds)))
    with pytest.raises(Disagreement, match=f"{name}: the loss of step"):
        models.make({"a": ours, "b": ours}, name)


def test_each_program_has_its_products():
    assert programs.PRODUCTS.keys() == programs.PROGRAMS.keys()
    for name in programs.PROGRAMS:
        programs.products_alone(name)


@pytest.mark.parametrize("name", ["MLP", "VAE", "masked attention", "TransformerEncoder"])
def test_the_products_of_a_program_are_those_that_a_profiler_counts(contestants, name):
    """Of all but convolutions and recurrent layers, one event each; PyTorch's FlopCounterMode agrees there."""
    made = programs.make(contestants, name, programs.PROGRAMS)
    with minigrad.autograd.profiler.profile(with_flops=True) as events:
        made["minigrad"].step()
    counted = sum([event.flops for event in events.function_events if event.name in ("mm", "addmm", "bmm", "baddbmm")])
    assert counted == programs.flops(name)


@pytest.mark.parametrize("kind", chains.KINDS)
def test_chains_agree_and_run(contestants, kind):
    for build, backward in chains.chains(contestants, kind).values():
        times, _ = chains.turn(build, backward, 100, goal_ns=1)()
        assert len(times) == len(chains.PHASES)


@pytest.mark.parametrize("op", ["mul", "add"])
def test_backward_chains_agree(contestants, op):
    combine = getattr(ops.operator, op)
    start, factor = np.full(8, 0.5), np.full(8, 1.0001)
    gradients = {n: [ops.backward_loop(lib, combine, start, factor)[1]] for n, lib in contestants.items()}
    require_agreement(op, gradients)


def test_a_wrong_gradient_is_not_timed():
    right, wrong = [np.array([1.0, 2.0])], [np.array([1.0, 2.1])]
    with pytest.raises(Disagreement, match="gradient 0 of b is not that of a"):
        require_agreement("planted", {"a": right, "b": wrong})


def test_turns_rotate():
    order = []
    timing.interleave({name: lambda name=name: order.append(name) for name in "abc"}, rounds=3)
    assert "".join(order) == "abcbcacab"


def test_the_table_shows_ratios_beside_their_targets():
    record = {"case": "c", "unit": "ns", "targets": {"torch": 0.12}, "bound": None, "disturbed": {}}
    met = report.line(record | {"samples": {"minigrad": [118, 119, 120], "torch": [1600, 1650, 1700]}})
    assert "119 ns" in met and "1.65 us" in met and "0.072 " in met and "<=0.12" in met
    missed = report.line(record | {"samples": {"minigrad": [500], "torch": [1000]}})
    assert "0.500!" in missed
    doubtful = report.line(record | {"samples": {"minigrad": [500], "torch": [1000]}, "disturbed": {"torch": 1.0}})
    assert "0.500~" in doubtful


def test_a_loop_that_waits_is_not_clean():
    assert timing.watched(lambda: time.sleep(0.02)) == (None, False)


def test_every_operation_can_be_called():
    """Each library would make the same calls; here minigrad stands in for both."""
    calls = list(every_op.all_calls(minigrad))
    assert len({call.row.name for call in calls}) > 280 and len(calls) > 900
    found = every_op.measure(minigrad, minigrad, ("mul", "cat"), rounds=1)
    assert {name.split()[0] for name in found["forward + backward"]} == {"mul", "cat"}
    assert all(ours > 0 and theirs > 0 for _, ours, theirs in found["forward"].values())
    assert "forward: " in every_op.summary(found) and "mul as it stands" in every_op.summary(found)


@pytest.mark.parametrize("dtype", every_op.DTYPES)
def test_the_operations_are_called_in_a_dtype(dtype):
    (call,) = every_op.all_calls(minigrad, ("clone",), dtype, {"20x30": (20, 30)})
    result = call.prepared(minigrad)[0]()
    assert result.shape == (20, 30) and result.dtype is getattr(minigrad, dtype)
    assert len(set(result.flatten().tolist())) > 1


def test_large_calls_are_those_of_one_shape_that_do_not_take_long(monkeypatch):
    shapes = {"20x30": (20, 30)}
    assert [call.name for call in every_op.all_calls(minigrad, ("exp", "mm"), shapes=shapes)] == ["exp 20x30"]
    monkeypatch.setattr(every_op, "TOO_LONG_NS", 1)
    assert not list(every_op.all_calls(minigrad, ("exp",), shapes=shapes))


def test_the_distributions_are_a_group_of_the_benchmark(monkeypatch):
    session = worker.Session("every_op", {"minigrad": SimpleNamespace(), "torch": SimpleNamespace(torch=minigrad)},
                             timing.Plan(quick=True))
    records = []
    monkeypatch.setattr(every_op, "quiet", lambda torch: None)
    monkeypatch.setattr(session, "emit", lambda case, samples, **options: records.append((case, samples, options)))
    monkeypatch.setattr(every_op, "ROWS", [row for row in every_op.ROWS if row.name in ("exp", "sin")])
    monkeypatch.setattr(every_op, "LARGE", {"20x30": (20, 30)})
    every_op.run(session)
    assert [case for case, *_ in records] == [
        f"{size}, float32, {what}: {figure}" for size in ("small", "large")
        for what in ("forward", "forward + backward") for figure in ("median", "95 % below")]
    assert all(samples["torch"] == [1.0] and samples["minigrad"][0] > 0 for _, samples, _ in records)
    assert [options["targets"]["torch"] for *_, options in records] == [0.25, 0.6, 0.1, 0.25, 0.7, 1.2, 0.55, 1.2]
