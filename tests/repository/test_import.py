"""What ``import minigrad`` loads, and what waits until it is used: the rows, which are filled by their files."""

import pickle
import shutil
import sys
import textwrap

import pytest

import minigrad
from minigrad._core.dispatch.op import Op
from minigrad._core.graph.type_objects import become
from minigrad.ops import exports, lazy
from minigrad.ops.kinds import elementwise
from tests import starting
from tests.benchmarks import imports
from tests.checking import the_table_as_it_was

pytestmark = pytest.mark.usefixtures("interpreters")

#: the files of rows that tensors need from the start: what is called in C, where nothing asks if it is there
FROM_THE_START = {"algebra.products", "copying", "positions.indexing", "shapes.broadcasting", "shapes.reshaping",
                  "shapes.slicing", "shapes.transposing"}


def in_a_new_interpreter(code, before=""):
    """What it prints, with minigrad as ``torch`` and the names of the files of rows that were run as ``files()``."""
    begin = """
        import sys
        import minigrad as torch
        from minigrad import ops
        def files():
            return {file for file in ops.FILES if f"minigrad.ops.{file}" in sys.modules}
        """
    whole = "".join(map(textwrap.dedent, (before, begin, code)))
    return starting.run(whole, check=True).stdout.strip()


def test_few_files_of_rows_are_run():
    assert in_a_new_interpreter("print(sorted(files()))") == str(sorted(FROM_THE_START))


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_it_was(enabled):
    """It rests during the import, of which nothing is garbage."""
    assert in_a_new_interpreter("print(gc.isenabled(), gc.get_freeze_count(), watched)", before=f"""
        import gc, sys
        gc.enable() if {enabled} else gc.disable()
        watched = []
        def watch(phase, info):
            if "minigrad._core" in sys.modules and not hasattr(sys.modules["minigrad"], "no_grad"):
                watched.append(phase)
        gc.callbacks.append(watch)
        """) == f"{enabled} 0 []"


def test_few_modules_are_loaded():
    assert int(in_a_new_interpreter("print(len([name for name in sys.modules if name.startswith('minigrad')]))")) <= 173


@pytest.mark.parametrize("use", [
    "torch.erfinv(torch.zeros(2))", "torch.zeros(2).erfinv()", "torch.zeros(2).erfinv_()", "torch.erfinv.__doc__",
    "help(torch.erfinv)", "repr(torch.erfinv)", "torch.special.erfinv.kind", "pickle.dumps(torch.erfinv)",
    "hasattr(torch.erfinv, 'kernel')", "inspect.signature(torch.erfinv)", "exports.ROWS['erfinv']",
    "copy.copy(torch.erfinv)",
])
def test_a_row_is_filled_when_it_is_used(use):
    printed = in_a_new_interpreter(f"""
        import contextlib, copy, inspect, io, pickle
        from minigrad._core.dispatch.op import Op
        from minigrad.ops import exports
        row = torch.erfinv
        before, waits = files(), type(row) is not Op and isinstance(row, Op)
        with contextlib.redirect_stdout(io.StringIO()):
            {use}
        new = files() - before
        print(waits, "elementwise.normal" in new, type(row) is Op,
              row is torch.erfinv is exports.REGISTRY["erfinv"])
        """)
    assert printed == "True True True True"


@pytest.mark.parametrize("function", ["sum", "Tensor.add_", "nn.functional.relu", "logdet", "Tensor.index_add_"])
def test_so_is_whatever_is_made_of_rows(function):
    """A function of several rows, methods that write, a function with ``inplace``, a composite."""
    printed = in_a_new_interpreter(f"""
        import operator
        function = operator.attrgetter("{function}")(torch)
        waits = type(function) is not function.__class__
        print(waits, function.__name__, bool(function.__doc__), type(function) is function.__class__)
        """)
    assert printed == f"True {function.rpartition('.')[2]} True True"


def test_threads_that_ask_at_once_get_the_same():
    assert in_a_new_interpreter("""
        import threading
        sys.setswitchinterval(1e-6)
        functions = [torch.erfinv, torch.logdet, torch.cumsum, torch.special.i0, torch.nn.functional.mse_loss]
        arguments = [(torch.zeros(1),), (torch.eye(2),), (torch.ones(2), 0), (torch.zeros(1),),
                     (torch.ones(1), torch.zeros(1))]
        results, start = [], threading.Barrier(8)
        def ask():
            start.wait()
            results.append([float(f(*a).sum()) for f, a in zip(functions, arguments)])
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(results), results[0], all(each == results[0] for each in results))
        """) == "8 [0.0, 0.0, 3.0, 1.0, 1.0] True"


def test_a_row_of_a_name_that_is_awaited_is_refused():
    """Only the file that the index names may write it."""
    assert in_a_new_interpreter("""
        from minigrad.ops.kinds import elementwise
        try:
            elementwise("erfinv(Tensor self)", abs)
        except ValueError as reason:
            print(reason)
        """) == "erfinv: there is a row 'erfinv' already"


def test_a_row_that_is_new_is_there_at_once():
    with the_table_as_it_was():
        row = elementwise("double_of(Tensor self)", lambda self: self * 2, self=lambda d: d * 2)
        assert not lazy.is_awaited(row) and exports.REGISTRY["double_of"] is row
        assert row(minigrad.ones(2)).tolist() == [2, 2]


def test_everything_pickles_by_its_name():
    for function in (minigrad.erfinv, minigrad.sum, minigrad.matmul, minigrad.nn.functional.relu):
        assert pickle.loads(pickle.dumps(function)) is function


def test_only_a_class_without_fields_can_be_left():
    class Larger(Op):
        pass                            # it has a __dict__

    with pytest.raises(TypeError, match="has fields of its own"):
        become(Larger.__new__(Larger))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind counts the instructions")
@pytest.mark.drawn
def test_the_instructions_are_few():
    """1.30 with Python 3.11; a later one interprets in other steps."""
    bound = 1.32 if sys.version_info < (3, 12) else 1.4
    assert imports.instructions("import minigrad") <= bound * imports.instructions("import numpy")
