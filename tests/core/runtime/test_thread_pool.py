"""Large operations on several threads: bit for bit what one thread computes, in any company, and after a fork."""

import ctypes
import hashlib
import os
import subprocess
import sys
import threading
import time
from functools import cache

import numpy as np
import pytest

import minigrad as torch
from minigrad._core.dispatch.compute import on_arrays, on_arrays_general, on_arrays_in_c
from minigrad._core.errors import MinigradError
from minigrad.ops import exports

GIVEN = torch.ones(2000, 2000)
LARGE = 200_003                 # not a multiple of anything
# A polynomial takes as long as its degree is high, and the numbers here are high.
ELEMENTWISE = sorted(name for name, op in exports.ROWS.items() if getattr(op, "loops_in_c", False)
                     and "polynomial" not in name)


@pytest.fixture(autouse=True)
def threads():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def with_threads(n, call):
    torch.set_num_threads(n)
    with np.errstate(all="ignore"):
        return call()


def bits(array):
    """All bits of an array, in short: where two differ, pytest would look for every byte that does.

    The sign of a nan is not among them in WebAssembly, whose standard leaves it open: it changes from run to run.
    """
    if sys.platform == "emscripten" and array.dtype.kind in "fc":
        numbers = np.ascontiguousarray(array).view(array.real.dtype)
        array = np.where(np.isnan(numbers), numbers.dtype.type(np.nan), numbers)
    return hashlib.sha256(array.tobytes()).hexdigest()


def operand(dtype, size=LARGE):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(size) * np.exp(rng.uniform(-20, 20, size))
    x[::1009], x[::1013], x[::1019], x[::1021] = np.nan, np.inf, -np.inf, -0.0
    with np.errstate(all="ignore"):
        return x.astype(dtype) if dtype != "int64" else rng.integers(0, 5, size)


@pytest.mark.parametrize("name", ELEMENTWISE)
@pytest.mark.drawn
@pytest.mark.filterwarnings("ignore:Casting complex values")
def test_no_bit_depends_on_the_number_of_threads(name):
    op = exports.ROWS[name]
    n = sum([type_.startswith("Tensor") for type_ in op.types])
    rest = [2.0 if default is Ellipsis or not isinstance(default, int | float) else default
            for default in op.defaults[n:]]
    for dtype in ("float32", "float64", "int64", "complex64"):
        args = [operand(dtype)[::1 if i % 2 == 0 else -1] for i in range(n)] + rest
        try:
            one = with_threads(1, lambda: on_arrays(op, *args))
        except (RuntimeError, ValueError):
            continue                    # not for this dtype
        for count in (2, 5):
            several = with_threads(count, lambda: on_arrays(op, *args))
            assert several.dtype == one.dtype and bits(several) == bits(one), (dtype, count)


@pytest.mark.parametrize("layout", [
    lambda x: (x.t(), x.t()), lambda x: (x[::2], x[1::2]), lambda x: (x, x[0]), lambda x: (x, x[:, :1]),
    lambda x: (x.view(4, -1)[:3], x.view(4, -1)[1:]), lambda x: (x.flip(0), x[:, 0].view(-1, 1)),
    lambda x: (x.double(), x), lambda x: (x[0].expand(400, 1000), x),
])
def test_any_layout(layout):
    x = torch.from_numpy(operand("float32", 400_000)).view(400, 1000)
    a, b = layout(x)
    one, several = (with_threads(n, lambda: torch.atan2(a, b)) for n in (1, 3))
    assert several.stride() == one.stride() and bits(several.numpy()) == bits(one.numpy())


LINES = {
    "softmax": lambda x: x.softmax(-1), "log_softmax": lambda x: x.log_softmax(-1), "sort": lambda x: x.sort(-1),
    "logsumexp": lambda x: x.logsumexp(-1), "sum": lambda x: x.sum(-1), "mean, middle": lambda x: x.mean(-2),
    "max, middle": lambda x: x.max(-2), "argmin": lambda x: x.argmin(-1), "all": lambda x: x.all(-1),
    "count": lambda x: x.count_nonzero(-1), "var": lambda x: x.var(-1), "std, first": lambda x: x.std(0),
    "cumsum": lambda x: x.cumsum(-1), "cummax, middle": lambda x: x.cummax(-2), "topk": lambda x: x.topk(3, -1),
    "kthvalue": lambda x: x.kthvalue(2, -1), "median": lambda x: x.median(-1), "norm": lambda x: x.norm(dim=-1),
    "prod": lambda x: x.prod(-1), "aminmax": lambda x: x.aminmax(dim=-1), "total": lambda x: x.sum(),
    "complex": lambda x: torch.complex(x, x).sum(-1), "integers": lambda x: x.long().sum(-1),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_computed_by_one_thread(name):
    """And so no sum depends on how many there are; forward and back."""
    for shape in ((40, 100, 150), (3, 1000, 200), (100_001, 5)):
        x = torch.from_numpy(np.random.default_rng(1).integers(-9, 9, shape) / np.float32(8)).requires_grad_()

        def both():
            result = LINES[name](x)
            results = [result] if isinstance(result, torch.Tensor) else list(result)
            for r in [r for r in results if r.requires_grad]:
                weights = torch.linspace(-1, 1, r.numel()).view_as(r)
                results += torch.autograd.grad(r, x, weights if not r.is_complex() else weights * 1j)
            return [bits(r.detach().numpy()) for r in results]

        assert with_threads(1, both) == with_threads(4, both)


def outcome(way, op, *args):
    try:
        return way(op, *args)
    except MinigradError as error:
        return str(error)


INF = float("inf")
REFUSED = {                     # by the loop: then the general way raises, or has a result
    "clamp": (-INF, INF), "clamp.Tensor": (np.array(-INF), np.array(INF)), "hardtanh": (1.0, -1.0), "celu": (0.0,),
    "polygamma": (-1,), "sinc_derivative": (13,), "round.decimals": (30,), "pow.Tensor_Scalar": (-1,),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.drawn
def test_a_loop_that_refuses_refuses_large_arrays_too(name, dtype):
    op, x = exports.ROWS[name], operand(dtype)
    expected = outcome(on_arrays_general, op, x, *REFUSED[name])
    np.testing.assert_array_equal(with_threads(3, lambda: outcome(on_arrays, op, x, *REFUSED[name])), expected)
    for _ in range(20):             # of these, one of floats takes the power
        found = with_threads(3, lambda: on_arrays_in_c(op, x, *REFUSED[name]))
        assert found is None or name == "pow.Tensor_Scalar" and np.array_equal(found, expected, equal_nan=True)


def test_a_refusal_in_one_part_is_noticed_whoever_computes_it():
    x = np.ones((2000, 100), np.float32)
    for row in range(0, 2000, 10):
        low, high = np.full((2000, 1), -2, np.float32), np.full((2000, 1), 2, np.float32)
        low[row], high[row] = -INF, INF
        assert with_threads(3, lambda: on_arrays_in_c(exports.ROWS["clamp.Tensor"], x, low, high)) is None
    assert on_arrays_in_c(exports.ROWS["clamp.Tensor"], x, low - 1, high + 1) is None
    assert on_arrays_in_c(exports.ROWS["clamp.Tensor"], x, x - 2, x + 2) is not None
    base, exponent = np.full(LARGE, 2), np.full(LARGE, 2)
    for place in range(0, LARGE, 10_000):
        exponent[:], exponent[place] = 2, -1        # NumPy's loop raises
        expected = np.where(exponent > 0, 4, 0)
        found = with_threads(3, lambda: on_arrays(exports.ROWS["pow.Tensor_Tensor"], base, exponent))
        assert np.array_equal(found, expected)


@pytest.mark.skipif(sys.platform == "emscripten", reason="no flags of a processor there, so NumPy raises no error")
def test_the_error_state_of_numpy_is_as_before():
    with np.errstate(all="raise"):
        assert torch.isinf(with_threads(3, lambda: torch.zeros(LARGE).reciprocal())).all()
        with pytest.raises(FloatingPointError):
            np.ones(1) / np.zeros(1)


def test_many_threads_of_python_at_the_same_time():
    torch.set_num_threads(3)
    x = torch.randn(LARGE)
    expected = (x.exp() * x).numpy().tobytes()
    wrong = []

    def work():
        for _ in range(20):
            if (x.exp() * x).numpy().tobytes() != expected:
                wrong.append(threading.current_thread())

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


# ------------------------------------------------------------------------------ the pool, seen from outside

def output_of(program, **environment):
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True,
                           check=True, timeout=120, env={**os.environ, **environment})
    return found.stdout.split()


def test_helpers_start_when_they_are_needed():
    program = """
import os
import minigrad as torch
count = lambda: len(os.listdir("/proc/self/task"))
torch.set_num_threads(4)
before = count()
torch.ones(1000).exp()
print(count() - before)
torch.ones(1000000).exp()
print(count() - before)
torch.ones(1000000).exp()
print(count() - before)
"""
    assert output_of(program) == ["0", "3", "3"]


def test_a_child_starts_helpers_of_its_own():
    program = """
import os, threading, time
import minigrad as torch
torch.set_num_threads(3)
x = torch.randn(1000000)
expected = x.exp().sum().item()
done = False

def work():
    while not done:
        x.exp()

thread = threading.Thread(target=work)
thread.start()
for _ in range(10):
    time.sleep(0.003)
    child = os.fork()
    if not child:
        import signal
        signal.alarm(20)
        right = all([x.exp().sum().item() == expected for _ in range(3)])
        os._exit(0 if right and len(os.listdir("/proc/self/task")) == 3 else 1)
    print(os.waitpid(child, 0)[1])
done = True
thread.join()
"""
    assert output_of(program) == ["0"] * 10


def test_a_program_can_end_while_helpers_are_at_work():
    program = """
import threading
import weakref
import minigrad as torch
torch.set_num_threads(3)
x = torch.randn(3000000)

def work():
    while True:
        x.exp()

threading.Thread(target=work, daemon=True).start()
x.exp()
print("end")
"""
    for _ in range(5):
        assert output_of(program) == ["end"]


def test_signals_reach_the_main_thread():
    program = """
import os, signal, threading
import minigrad as torch
torch.set_num_threads(3)
torch.ones(1000000).exp()
signal.signal(signal.SIGUSR1, lambda *_: print(threading.current_thread() is threading.main_thread()))
os.kill(os.getpid(), signal.SIGUSR1)
"""
    assert output_of(program) == ["True"]


# ------------------------------------------------------------------------------ BLAS

def threads_of_blas():
    """The function of OpenBLAS that says how many it has."""
    library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    for name in ("scipy_openblas_get_num_threads64_", "scipy_openblas_get_num_threads", "openblas_get_num_threads64_",
                 "openblas_get_num_threads"):
        if hasattr(library, name):
            return getattr(library, name)
    pytest.skip("NumPy has another BLAS")


ON_BLAS = """
import threading
import numpy as np
import minigrad as torch
from tests.core.runtime.test_thread_pool import threads_of_blas
count = threads_of_blas()
"""


def seen_during(call, count, awaited=None):
    """How many threads BLAS has, seen by another thread during twenty calls, or until it has seen what is awaited."""
    seen, done, end = set(), threading.Event(), time.monotonic() + 60

    def look():
        while not done.is_set():
            seen.add(count())

    looking = threading.Thread(target=look)
    looking.start()
    calls = 0
    while time.monotonic() < end and (calls < 20 if awaited is None else awaited not in seen):
        call()
        calls += 1
    done.set()
    looking.join()
    return seen


@cache
def threads_at_most():
    return int(output_of(ON_BLAS + "print(count())", OPENBLAS_NUM_THREADS="2")[0])


def two_threads_of_blas():
    threads_of_blas()
    if threads_at_most() < 2:
        pytest.skip("BLAS has one processor")


def test_blas_has_one_thread_while_a_product_of_ours_runs_and_then_as_many_as_before():
    two_threads_of_blas()
    program = ON_BLAS + """
from tests.core.runtime.test_thread_pool import seen_during
torch.set_num_threads(2)
x, y, count_before = torch.ones(900, 1000), torch.ones(1000, 800), count()
print(count_before, 1 in seen_during(lambda: x @ y, count, 1), count())
a, b = x.numpy(), y.numpy()
print(*seen_during(lambda: a @ b, count))
workers = [threading.Thread(target=lambda: [x @ y for _ in range(10)]) for _ in range(3)]
[worker.start() for worker in workers]
[worker.join() for worker in workers]
print(count())
"""
    assert output_of(program, OPENBLAS_NUM_THREADS="2") == ["2", "True", "2", "2", "2"]


def test_blas_has_one_thread_for_decompositions_of_hundreds_of_rows():
    two_threads_of_blas()
    program = ON_BLAS + """
from tests.core.runtime.test_thread_pool import seen_during
torch.set_num_threads(2)
x = torch.eye(150, dtype=torch.float64) * 2
for f in (torch.linalg.inv, torch.linalg.cholesky, torch.linalg.eigh, torch.linalg.svd, torch.linalg.qr,
          torch.linalg.eig, torch.linalg.slogdet):
    f(x)
    print(1 in seen_during(lambda: f(x), count, 1), count())
"""
    assert output_of(program, OPENBLAS_NUM_THREADS="2") == ["True", "2"] * 7


def test_blas_has_as_many_threads_as_are_set_but_not_more_than_at_first():
    two_threads_of_blas()
    program = ON_BLAS + "for n in 1, 2, 100: torch.set_num_threads(n); print(count())"
    assert output_of(program, OPENBLAS_NUM_THREADS="2") == ["1", "2", "2"]
    assert output_of(program, OPENBLAS_NUM_THREADS="1") == ["1", "1", "1"]


def test_a_child_that_was_forked_during_a_product_multiplies_and_leaves_blas_as_it_was():
    two_threads_of_blas()
    program = ON_BLAS + """
import os, signal, time
torch.set_num_threads(2)
x = torch.ones(700, 700)
done = False

def work():
    while not done:
        x @ x.clone()

thread = threading.Thread(target=work)
thread.start()
for _ in range(5):
    time.sleep(0.003)
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(0 if bool((x @ x.clone() == 700).all()) and count() == 2 else 1)
    print(os.waitpid(child, 0)[1])
done = True
thread.join()
"""
    assert output_of(program, OPENBLAS_NUM_THREADS="2") == ["0"] * 5


# ------------------------------------------------------------------------------ how many

def test_the_number_of_threads_is_what_was_set():
    torch.set_num_threads(3)
    assert torch.get_num_threads() == 3
    for wrong, what in ((0, "positive"), (-1, "positive"), (True, "an int, but got bool"), (1.5, "but got float")):
        with pytest.raises(RuntimeError, match=what):
            torch.set_num_threads(wrong)
    assert torch.get_num_threads() == 3
    torch.set_num_threads(10 ** 6)
    assert torch.get_num_threads() == 4096, "more would have nothing to do on any machine"


@pytest.mark.parametrize(("environment", "expected"), [
    ({"MINIGRAD_NUM_THREADS": "3", "OMP_NUM_THREADS": "2"}, "3"),
    ({"MINIGRAD_NUM_THREADS": "", "OMP_NUM_THREADS": "7"}, "7"),
    ({"MINIGRAD_NUM_THREADS": "1000000"}, "4096"),
    ({"MINIGRAD_NUM_THREADS": "many", "OMP_NUM_THREADS": "0"},
     str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())),
])
def test_the_environment_says_how_many_there_are_at_first(environment, expected):
    assert output_of("import minigrad; print(minigrad.get_num_threads())", **environment) == [expected]


def test_operations_run_one_after_the_other_whatever_the_number():
    program = """
import minigrad as torch
torch.set_num_interop_threads(2)
print(torch.get_num_interop_threads())
try:
    torch.set_num_interop_threads(3)
except RuntimeError as e:
    print("after parallel work has started" in str(e))
"""
    assert output_of(program) == ["2", "True"]


@pytest.mark.parametrize("call, shape", [(lambda x: torch.where(GIVEN > 0, x, GIVEN), (2000, 2000)),
                                         (lambda x: torch.addmm(x, GIVEN, GIVEN), (2000,)),
                                         (lambda x: torch.nn.functional.linear(GIVEN, GIVEN, x), (2000,)),
                                         (lambda x: torch.zeros(2000, 2000).t().index_add_(0, torch.arange(2000), x),
                                          (2000, 2000))],
                         ids=["where", "addmm", "linear", "index_add_"])
def test_the_data_of_an_argument_is_held_while_a_kernel_runs(call, shape):
    """A kernel without the GIL reads the data that it began with, whatever another thread gives to the tensor."""
    x, seen = torch.ones(shape), threading.Event()
    data = x._array
    usual = sys.getrefcount(data)

    def calls():
        while not seen.is_set():
            call(x)

    worker = threading.Thread(target=calls)
    worker.start()
    end = time.monotonic() + 60
    try:
        while sys.getrefcount(data) <= usual:
            assert time.monotonic() < end, "nobody was seen to hold the data"
    finally:
        seen.set()
        worker.join()
