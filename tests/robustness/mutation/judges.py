"""The judges, which must notice a fault: random programs, or some files of tests (with ``--drawn``, a share of them).

``python -m tests.robustness.mutation.judges`` runs in the copy.  It loads the tests once, and then forks a process for
each fault, which turns the switch and runs until something fails.  So a fault costs what its tests take, and nothing
else.
"""

import ctypes
import os
import pathlib
import signal
import sys
import time

import pytest

try:
    import resource
except ImportError:                 # on Windows, where there are no forks either
    resource = None

__all__ = ["JUDGES"]

PROGRAMS = 1000


def files(folder, names):
    """The paths of ``graph/hooks_on_nodes`` and the like in a folder of tests."""
    split = [name.rpartition("/") for name in names.split()]
    return [f"tests/{folder}/{below}{slash}test_{name}.py" for below, slash, name in split]


#: Who is asked, and the files of tests in the order in which they run: those that take a moment come first.
JUDGES = {
    "programs": [],
    "two paths": files("core", "kernels/two_paths"),
    "copies": files("core", "kernels/copies kernels/halves"),
    "large arrays": ["tests/core/runtime/test_thread_pool.py::test_no_bit_depends_on_the_number_of_threads",
                     "tests/core/runtime/test_memory_pool.py",
                     "tests/core/runtime/test_thread_pool.py::test_a_line_is_computed_by_one_thread"],
    "passes": files("autograd", """
        accumulated_gradients given_values grad backward versions flags function/function function/function_gradients
        function/function_in_place function/function_saved_tensors functional/functional complex_gradients
        graph/hooks_on_tensors graph/hooks_on_nodes graph/hooks_on_several_tensors graph/hooks_that_raise
        graph/hooks_on_one_saved_tensor graph/hooks_after_accumulation gradient_buffers anomaly_mode layouts views
        forward_ad nested_passes graph/saved_tensor_hooks""")
              + ["tests/autograd/test_threads.py::test_a_child_forked_while_another_thread_accumulates"]
              + files("func", "transforms levels") + files("core", "graph/saved_slots frontends/subscripting")
              + files("ops", "messages") + ["tests/tensors/test_meta.py"],
    "writes": files("autograd", "versions") + files("core/inplace", "inplace_refused inplace_history inplace_values")
              + files("autograd", "views layouts given_values flags graph/mutation")
              + files("core", "dispatch/dispatch") + files("ops", "inplace_shapes inplace_only out")
              + ["tests/ops/test_kinds.py::test_a_view_that_copies_is_refused", "tests/tensors/test_meta.py"],
    "calls": files("autograd", "grad_mode flags grad signatures messages versions")
             + files("core", "dispatch/dispatch runtime/thread_state dispatch/arguments runtime/source_lines "
                             "dispatch/overloads dispatch/numpy_operators")
             + ["tests/dtypes/test_dtypes.py::TestPromotion"],
    "counts": files("core", "profiling/instruments"),
    "digits": files("core", "profiling/shadow_memory")
              + files("autograd", "digits/numbers_taken_out digits/digits digits/failures digits/sound"),
    "levels": files("func", "versions_inside transforms vmap inplace custom_functions levels stateless derived_rules "
                            "row_losses vmap_without_dims") + files("autograd", "forward_ad"),
}
#: Nobody looks at assertions here, and pytest would compare large arrays byte by byte to say it.
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:xdist", "--maxfail=1", "-q", "--assert=plain", "--tb=short"]


# ------------------------------------------------------------------------------ a process for each fault

class Trials:
    """Each number in a forked process; what is said of it, and how it ended, goes to files in ``folder``.

    A fault may take three times as long as what is tried takes without one, and ``spare`` seconds.
    """

    def __init__(self, numbers, folder, spare=5):
        self.numbers, self.folder, self.spare = numbers, pathlib.Path(folder), spare
        self.number = None          # in a child, that of its fault
        self.seconds = self.wall = 0

    def is_child(self):
        """Begin all of them, one after the other; true in each child, and in the end false."""
        for number in self.numbers:
            sys.stdout.flush()
            sys.stderr.flush()
            start, used, pid = time.monotonic(), self.used(), os.fork()
            if pid == 0:
                self.number = number
                self.limit()
                plant(number)
                return True
            status, late = ended(pid, start + 10 * self.wall + 60 if number else start + 600)
            wall, seconds = time.monotonic() - start, self.used() - used
            if number == 0:             # nothing is planted: all the tests have run
                self.seconds, self.wall = seconds, wall
            how = "no end" if late or -status in (signal.SIGXCPU, signal.SIGKILL) else str(status)
            with open(self.folder / f"{number}.ended", "w") as file:
                file.write(f"{how} {seconds:.2f}")
        return False

    def used(self):
        times = resource.getrusage(resource.RUSAGE_CHILDREN)
        return times.ru_utime + times.ru_stime

    def limit(self):
        """No fault may take all the memory of the machine, or run for ever."""
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        if self.number:
            most = int(3 * self.seconds) + self.spare
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))

    def say(self, text):
        if self.number is not None:
            with open(self.folder / f"{self.number}.said", "a") as file:
                file.write(f"{text}\n")

    # As a plugin of pytest:

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        return None if self.is_child() else True

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.say(f"{report.nodeid}\n{report.longreprtext}")


def ended(pid, latest):
    """(how the process ended, whether it had to be ended): its status, or minus the number of the signal."""
    late, pause = False, 0.002
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status), late
        if time.monotonic() > latest and not late:
            late = True
            os.kill(pid, signal.SIGKILL)
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def plant(number):
    """Turn the switch, in this process and in those that it starts."""
    from minigrad import _core
    library, = pathlib.Path(_core.__file__).parent.parent.glob("_core.*.so")
    ctypes.c_int.in_dll(ctypes.CDLL(str(library)), "mg_number").value = number
    os.environ["MINIGRAD_FAULT"] = str(number)


def main(*arguments):
    options = [each for each in arguments if each.startswith("-")]
    judge, seed, folder, *numbers = arguments[len(options):]
    trials = Trials([int(number) for number in numbers], folder)
    if judge == "programs":
        from tests.random_programs.long_runs import until_one_fails
        if trials.is_child():
            os._exit(until_one_fails(PROGRAMS, int(seed), None, say=trials.say))
        return
    code = pytest.main([*OPTIONS, *options, *JUDGES[judge]], plugins=[trials])
    if trials.number is not None:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
