"""Profiles of some steps of a program."""

import gzip
import json

import pytest

import minigrad as torch
from minigrad.profiler import ProfilerAction, ProfilerActivity, profile, schedule
from tests.checking import refuses


def names(prof):
    return [average.key for average in prof.key_averages()]


def test_a_block_is_recorded():
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
        with torch.profiler.record_function("mine"):
            torch.ones(2).exp()
    assert {"mine", "exp"} <= {*names(prof)} and "exp" in prof.key_averages().table(sort_by="cpu_time_total")
    assert len(prof.events()) == len(prof.key_averages())


def test_a_schedule_is_pytorchs():
    """As torch.profiler.schedule of PyTorch 2.13 answered."""
    def letters(**numbers):
        return "".join(schedule(**numbers)(step).name[0] + ("S" if schedule(**numbers)(step).value == 3 else "")
                       for step in range(12))
    assert letters(wait=1, warmup=1, active=2) == "NWRRSNWRRSNWRRS"
    assert letters(wait=1, warmup=1, active=2, repeat=1, skip_first=2) == "NNNWRRSNNNNNN"
    assert letters(wait=2, warmup=0, active=1, skip_first=1, skip_first_wait=1) == "NRSNNRSNNRSNNRSN"
    assert letters(wait=0, warmup=0, active=3) == "RRRSRRRSRRRSRRRS"
    for numbers in ({"active": 0}, {"wait": -1}):
        with refuses(ValueError, "Invalid profiler schedule arguments", "MG502"):
            schedule(**{"wait": 0, "warmup": 0, "active": 1} | numbers)


@pytest.mark.parametrize("numbers, recorded", [
    ({"wait": 1, "warmup": 1, "active": 2}, [[2, 3], [6, 7]]),
    ({"wait": 0, "warmup": 0, "active": 1}, [[step] for step in range(9)]),
    ({"wait": 0, "warmup": 2, "active": 3, "repeat": 1}, [[2, 3, 4]])])
def test_each_recording_has_its_steps(numbers, recorded):
    seen = []

    def ready(prof):
        seen.append(sorted(int(name.partition("#")[2]) for name in names(prof) if "#" in name))
        counted = [average.count for average in prof.key_averages() if average.key == "exp"]
        assert counted == [len(seen[-1])] or seen[-1] == [9], "the step that the end of the block cut short"

    with profile(schedule=schedule(**numbers), on_trace_ready=ready) as prof:
        for _ in range(9):
            torch.ones(1).exp()
            prof.step()
    full = [each for each in seen if each != [9]]
    assert full == recorded


def test_traces_are_files(tmp_path):
    handler = torch.profiler.tensorboard_trace_handler(str(tmp_path / "logs"), "me", use_gzip=True)
    with profile(on_trace_ready=handler) as prof:
        torch.ones(2).exp()
    path, = (tmp_path / "logs").iterdir()
    assert path.name.startswith("me.") and path.name.endswith(".pt.trace.json.gz")
    prof.export_chrome_trace(tmp_path / "trace.json")
    plain = json.loads((tmp_path / "trace.json").read_text())
    with gzip.open(path, "rt") as packed:
        assert json.load(packed) == plain


def test_mistakes_and_devices():
    prof = profile()
    with refuses(RuntimeError, "no recording has ended yet", "MG505"):
        prof.key_averages()
    with pytest.warns(UserWarning, match="CUDA is not available"):
        profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
    assert torch.profiler.supported_activities() == {ProfilerActivity.CPU} and not torch.profiler.kineto_available()
    assert profile().current_action is ProfilerAction.RECORD
