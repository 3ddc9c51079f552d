"""A profile with a schedule: which steps are recorded, and what is done with each recording."""

import gzip
import os
import socket
import time
from enum import Enum

from minigrad._core.errors import error, warn
from minigrad.autograd import profiler as _of_autograd

__all__ = ["ProfilerAction", "ProfilerActivity", "profile", "schedule", "supported_activities",
           "tensorboard_trace_handler"]


class ProfilerAction(Enum):
    """What is done in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class ProfilerActivity(Enum):
    """What is recorded: the CPU; the others are not here."""

    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


def supported_activities():
    """What can be recorded.

    >>> torch.profiler.supported_activities()
    {<ProfilerActivity.CPU: 0>}
    """
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """A function from the number of a step to what is done in it: after ``skip_first`` steps, again and again ``wait``
    steps without recording, ``warmup`` steps whose recording is dropped, and ``active`` ones, the last of which ends a
    recording; ``repeat`` times, or for ever with 0.  With ``skip_first_wait`` the first ``wait`` is left out.

    Raises: ValueError (MG502) for numbers below 0, or no active step.

    >>> what = torch.profiler.schedule(wait=1, warmup=1, active=2)
    >>> [what(step).name for step in range(5)]
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise error("MG502", "Invalid profiler schedule arguments: wait, warmup, repeat and skip_first are not "
                             f"negative, and active is positive, not {wait}, {warmup}, {repeat}, {skip_first} and "
                             f"{active}")

    def action(step):
        if step < 0:
            raise error("MG502", f"schedule: the number of a step is not negative, as {step} is")
        step -= skip_first
        if step < 0:
            return ProfilerAction.NONE
        if skip_first_wait:
            step += wait
        cycle, place = divmod(step, wait + warmup + active)
        if repeat and cycle >= repeat or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < wait + warmup + active - 1 else ProfilerAction.RECORD_AND_SAVE

    return action


def _default_schedule_fn(_):
    """Every step is recorded, in one recording."""
    return ProfilerAction.RECORD


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False):
    """An ``on_trace_ready`` that writes each profile to a file of the folder, as TensorBoard reads it; it is always
    written by Python (``use_python_export``)."""
    def handler(prof):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker}.{time.time_ns()}.pt.trace.json"
                                                        f"{'.gz' if use_gzip else ''}"))
    return handler


class profile:
    """Record the operations of a block, or of some of its steps.

    Arguments
        - ``activities``: a set of :class:`ProfilerActivity`; the CPU is recorded, others cause a warning.
        - ``schedule``: a function from the number of a step to a :class:`ProfilerAction`, such as :func:`schedule`.
        - ``on_trace_ready``: called with this profile, where a recording ends.
        - ``record_shapes``, ``profile_memory``, ``with_stack``, ``with_flops``: as in ``torch.autograd.profiler``.
        - the others concern devices and TorchScript, and have no effect.

    Results are those of the last recording that has ended.

    >>> steps = []
    >>> with torch.profiler.profile(schedule=torch.profiler.schedule(wait=1, warmup=0, active=1),
    ...                             on_trace_ready=lambda prof: steps.append(prof.step_num)) as prof:
    ...     for _ in range(4):
    ...         y = torch.ones(2) * 2
    ...         prof.step()
    >>> steps, [average.key for average in prof.key_averages()]
    ([1, 3], ['ProfilerStep#3', 'ones', 'mul'])
    """

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False,
                 profile_memory=False, with_stack=False, with_flops=False, with_modules=False,
                 experimental_config=None, execution_trace_observer=None, acc_events=False, use_cuda=None,
                 custom_trace_id_callback=None, post_processing_timeout_s=None):
        others = {each for each in activities or () if each is not ProfilerActivity.CPU}
        if others:
            warn(f"profile(): {', '.join(sorted(each.name for each in others))} is not available, and is not profiled: "
                 "minigrad computes on the CPU")
        self.activities = set(activities or supported_activities())
        self.schedule = schedule or _default_schedule_fn
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.options = {"record_shapes": record_shapes, "profile_memory": profile_memory, "with_stack": with_stack,
                        "with_flops": with_flops}
        self.step_num, self.current_action = 0, self.schedule(0)
        self.profiler = self._recording = self._step = None
        self._metadata = {}

    # -------------------------------------------------------------------------- the block

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, value, traceback):
        self.stop()

    def start(self):
        """Begin, as at the beginning of the block."""
        self._begin()

    def stop(self):
        """End, as at the end of the block: a recording that runs is ready."""
        recorded = self.current_action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        self._end(ready=recorded)

    def step(self):
        """The next step begins."""
        before, self.step_num = self.current_action, self.step_num + 1
        after = self.schedule(self.step_num)
        if before is ProfilerAction.RECORD_AND_SAVE or before is not after and before is not ProfilerAction.RECORD:
            number, self.step_num = self.step_num, self.step_num - 1
            self._end(ready=before is ProfilerAction.RECORD_AND_SAVE)
            self.step_num, self.current_action = number, after
            self._begin()
        else:
            self._leave_step()
            self.current_action = after
            self._enter_step()

    def _begin(self):
        if self.current_action is not ProfilerAction.NONE and self._recording is None:
            self._recording = _of_autograd.profile(**self.options)
            self._recording.__enter__()
        self._enter_step()

    def _end(self, ready):
        self._leave_step()
        if self._recording is None:
            return
        recording, self._recording = self._recording, None
        recording.__exit__(None, None, None)
        if ready:
            self.profiler = recording
            if self.on_trace_ready is not None:
                self.on_trace_ready(self)

    def _enter_step(self):
        if self.record_steps and self._recording is not None:
            self._step = _of_autograd.record_function(f"ProfilerStep#{self.step_num}")
            self._step.__enter__()

    def _leave_step(self):
        if self._step is not None:
            self._step.__exit__(None, None, None)
            self._step = None

    # -------------------------------------------------------------------------- results

    def _ended(self):
        if self.profiler is None:
            raise error("MG505", "profile: no recording has ended yet. Ask for results after the block, or in "
                                 "on_trace_ready")
        return self.profiler

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, group_by_overload_name=False):
        """The averages of events of one name: see ``torch.autograd.profiler``."""
        return self._ended().key_averages(group_by_input_shape, group_by_stack_n, group_by_overload_name)

    def events(self):
        """All events of the recording."""
        return self._ended().function_events

    def export_chrome_trace(self, path):
        """Write the recording as a file that chrome://tracing and Perfetto show; compressed, if it ends in .gz."""
        if not str(path).endswith(".gz"):
            return self._ended().export_chrome_trace(path)
        plain = str(path)[:-len(".gz")]
        self._ended().export_chrome_trace(plain)
        with open(plain, "rb") as written, gzip.open(path, "wb") as packed:
            packed.write(written.read())
        os.remove(plain)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        """Write the lines of the program, for pictures of flames; needs ``with_stack=True``."""
        return self._ended().export_stacks(path, metric)

    def add_metadata(self, key, value):
        """Keep a text with the profile."""
        self._metadata[key] = value

    add_metadata_json = add_metadata

    def __repr__(self):
        return repr(self.profiler) if self.profiler is not None else "<unfinished torch.profiler.profile>"
