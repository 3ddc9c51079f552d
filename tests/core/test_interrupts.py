"""Ctrl-C at any place where Python looks for signals leaves every mode as it was before.

Python looks when it enters a function of Python, when it jumps backwards, and after a call.  So each scenario runs once
for each such place in its own code and in minigrad's, and a KeyboardInterrupt is raised there.
"""

import ctypes
import dis
import os
import sys
import threading

import pytest

import minigrad as torch
from minigrad._core.backward import user_engines, watched_pass
from minigrad._core.dispatch import torch_function
from minigrad._core.forward import dual_tensors
from minigrad._core.graph import listener
from minigrad._core.runtime import thread_state
from minigrad.backends import cudnn
from minigrad.dtypes.sizes_and_devices import default_device
from minigrad.nn.utils import parametrize
from minigrad.utils import checkpoint

OURS = os.path.dirname(torch.__file__)
fwAD = torch.autograd.forward_ad


# ------------------------------------------------------------------------------ where signals come

class Interruptions:
    """Raises KeyboardInterrupt at the first place, in a scenario, where it has not been raised yet."""

    def __init__(self, body):
        self.codes, self.seen = {body.__code__}, set()

    def run(self, scenario):
        """False where no place was left."""
        self.raised, self.last = False, {}
        sys.settrace(self.on_call)
        try:
            scenario()
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        return self.raised

    def prepare(self, scenario):
        """CPython 3.13 tells of a function's operations from the second time on that it is asked to."""
        self.raised, self.last = True, {}
        sys.settrace(self.on_call)
        scenario()
        sys.settrace(None)

    def on_call(self, frame, event, arg):
        code = frame.f_code
        if not (code in self.codes or code.co_filename.startswith(OURS)):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        self.at(code, -1)
        return self.on_opcode

    def on_opcode(self, frame, event, arg):
        if event == "opcode":
            code, before, now = frame.f_code, self.last.get(frame), frame.f_lasti
            if before is not None and looks_for_signals(code, before) and handler(code, before) == handler(code, now):
                self.at(code, now)
            self.last[frame] = now
        elif event == "return":
            self.last.pop(frame, None)
        return self.on_opcode

    def at(self, code, place):
        if not self.raised and (code, place) not in self.seen:
            self.seen.add((code, place))
            self.raised = True
            sys.settrace(None)
            raise KeyboardInterrupt


operations, handlers = {}, {}


def looks_for_signals(code, offset):
    if code not in operations:
        operations[code] = {each.offset: each.opname for each in dis.get_instructions(code)}
    return operations[code].get(offset, "").startswith(("CALL", "JUMP_BACKWARD"))


def handler(code, offset):
    """Where an exception at this instruction goes; None out of the function."""
    if code not in handlers:
        handlers[code] = dis._parse_exception_table(code)
    return next((each.target for each in handlers[code] if each.start <= offset < each.end), None)


# ------------------------------------------------------------------------------ what must be as before

def snapshot():
    refused = thread_state.disable_saved_hooks(None)
    thread_state.disable_saved_hooks(refused)
    engine = user_engines.set_engine(None)
    user_engines.set_engine(engine)
    return {
        "grad": thread_state.is_grad_enabled(), "inference": thread_state.is_inference(),
        "levels": thread_state.levels(),
        "anomaly": (thread_state.is_anomaly(), thread_state.checks_nan()),
        "saved hooks": (thread_state.saved_hooks_depth(), refused),
        "mutation": getattr(torch.autograd.graph.saved_tensors._thread, "open", False),
        "dual": (dual_tensors.level_is_open(), dual_tensors.is_open()), "function modes": torch_function.mode_is_on(),
        "autocast": (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"),
                     torch.is_autocast_cache_enabled()),
        "device": default_device(), "engine": engine, "listener": listener.listening(),
        "threads": torch.autograd.is_multithreading_enabled(), "random": torch.get_rng_state().tolist(),
        "early stop": checkpoint._early_stop, "cached": (parametrize._blocks.value, len(parametrize._values)),
        "cudnn": [getattr(cudnn, name) for name in cudnn._SWITCHES],
        "story": story_of_thread(), "globals": torch.serialization.get_safe_globals(),
        "training": [module.training for module in MODEL.modules()] in ([True] * 5, [False] * 5),
        "weights": [id(x) for x in MODEL.parameters()],
        "requires grad": len({x.requires_grad for x in MODEL.parameters()}),
    }


def story_of_thread():
    story = watched_pass.set_story(None)
    watched_pass.set_story(story)
    return story


def works():
    x = torch.ones(2, requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2, 2] and torch.func.grad(lambda q: (q * q).sum())(torch.ones(1)).tolist() == [2]
    assert torch.func.vmap(lambda q: q * 2)(torch.ones(2)).tolist() == [2, 2]


# ------------------------------------------------------------------------------ the scenarios

MODEL = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Dropout(), torch.nn.Linear(2, 1)))
X = torch.ones(3, requires_grad=True)
WEIGHTS = {name: x.detach() for name, x in MODEL.named_parameters()}


class Passing(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, d):
        return 2 * d * ctx.saved_tensors[0]


class Separate(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, d):
        return 2 * d * ctx.saved_tensors[0]

    @staticmethod
    def vmap(info, in_dims, x):
        return Separate.apply(x), 0


def block(manager):
    def body():
        with manager():
            X * X
    return body


@torch.no_grad()
def decorated():
    return X * X


@torch.no_grad()
def generator():
    yield X * X
    yield X * X


@torch.random.fork_rng()
def forked():
    return torch.rand(2)


def saved_hooks():
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.detach(), lambda x: x):
        with torch.autograd.graph.saved_tensors_hooks(lambda x: x.detach(), lambda x: x):
            y = X * X
    y.sum().backward()


def checkpoint_new():
    torch.utils.checkpoint.checkpoint(lambda q: q * q, X, use_reentrant=False)


SEVERAL_TIMES = torch.utils.checkpoint.checkpoint(lambda q: torch.nn.functional.dropout(q) * q, X, use_reentrant=False)


def second_run():
    SEVERAL_TIMES.sum().backward(retain_graph=True)


def checkpoint_old_backward():
    torch.utils.checkpoint.checkpoint(lambda q: q * q, X, use_reentrant=True).sum().backward()


def dual_level():
    with fwAD.dual_level():
        fwAD.unpack_dual(fwAD.make_dual(torch.ones(2), torch.ones(2)) * 2)


def nested_transforms():
    torch.func.vmap(torch.func.grad(lambda q: Separate.apply(q).sum()))(torch.ones(2, 3))


SCENARIOS = {
    "saved_tensors_hooks": saved_hooks,
    "save_on_cpu": block(torch.autograd.graph.save_on_cpu),
    "disable_saved_tensors_hooks": block(lambda: torch.autograd.graph.disable_saved_tensors_hooks("no")),
    "allow_mutation": block(torch.autograd.graph.allow_mutation_on_saved_tensors),
    "detect_anomaly": block(torch.autograd.detect_anomaly),
    "no_grad": decorated,
    "no_grad of a generator": lambda: list(generator()),
    "inference_mode": block(torch.inference_mode),
    "checkpoint": checkpoint_new,
    "second run": second_run,
    "older checkpoint": checkpoint_old_backward,
    "early stop": block(lambda: checkpoint.set_checkpoint_early_stop(False)),
    "functional_call": lambda: torch.func.functional_call(MODEL.eval(), WEIGHTS, torch.ones(1, 2)),
    "train and eval": lambda: MODEL.eval() and MODEL.train(),
    "requires_grad_": lambda: MODEL.requires_grad_(False).requires_grad_(True),
    "grad": lambda: torch.func.grad(lambda q: (q * q).sum())(torch.ones(2)),
    "vjp": lambda: torch.func.vjp(lambda q: q * q, torch.ones(2))[1](torch.ones(2)),
    "jvp": lambda: torch.func.jvp(lambda q: q * q, (torch.ones(2),), (torch.ones(2),)),
    "vmap": lambda: torch.func.vmap(lambda q: q * q)(torch.ones(2, 2)),
    "vmap of grad of a Function": nested_transforms,
    "dual_level": dual_level,
    "Function": lambda: Square.apply(X).sum().backward(),
    "fork_rng": forked,
    "TorchFunctionMode": block(Passing),
    "device": block(lambda: torch.device("meta")),
    "use_engine": block(lambda: torch.use_engine(print)),
    "profile": block(torch.autograd.profiler.profile),
    "cached": block(parametrize.cached),
    "cudnn": block(lambda: cudnn.flags(enabled=False)),
    "safe_globals": block(lambda: torch.serialization.safe_globals([complex])),
    "viz.record": block(torch.viz.record),
    "viz.play": lambda: torch.viz.play((X * X).sum()),
    "autocast": block(lambda: torch.autocast("cpu", torch.float16, cache_enabled=False)),
}


class Pending(Exception):
    pass


@pytest.fixture(scope="module")
def nothing_pending():
    """Python 3.11 traces the start of a function for ever if an exception was announced to a thread (as by the timer of
    the exercises) and taken back, since the announcement stays: one that arrives ends it."""
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(threading.get_ident()), ctypes.py_object(Pending))
        for _ in range(1000):
            pass
    except Pending:
        pass


@pytest.mark.usefixtures("nothing_pending")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.drawn) if name == "viz.play" else name
                                  for name in SCENARIOS])       # it has more places than all others together
def test_all_modes_are_as_before(name):
    scenario = SCENARIOS[name]
    state = torch.get_rng_state()
    scenario()                          # loads what is loaded on first use
    torch.set_rng_state(state)
    before, places = snapshot(), Interruptions(scenario)
    places.prepare(scenario)
    torch.set_rng_state(state)
    MODEL.train().requires_grad_(True)
    while places.run(scenario):
        after = snapshot()
        assert {key: after[key] for key in before if after[key] != before[key]} == {}
        works()
        torch.set_rng_state(state)
        MODEL.train().requires_grad_(True)
    assert len(places.seen) >= 2
