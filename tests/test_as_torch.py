"""PyTorch's name lent to minigrad: by a call, in a context, and by `python -m minigrad run`.

Each test runs an interpreter of its own: what `torch` means is a property of a whole process.
"""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import minigrad
from minigrad import __main__
from tests import starting

pytestmark = pytest.mark.usefixtures("interpreters")

ROOT = Path(__file__).resolve().parent.parent


def python(*arguments, cwd=None):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, timeout=60)


def run(code):
    """Run a program; it must succeed."""
    done = starting.run(textwrap.dedent(code))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_call_holds_from_there_on():
    run("""
        import minigrad
        minigrad.as_torch()
        import torch
        assert torch is minigrad
        from torch import autograd
        from torch.autograd import Function
        import torch.autograd.function as f
        import torch.nn.functional as F
        assert autograd is minigrad.autograd and Function is minigrad.autograd.Function and f.Function is Function
        assert F is minigrad.nn.functional
    """)


def test_modules_are_the_same_and_not_copies():
    run("""
        import sys
        import minigrad
        minigrad.as_torch()
        import torch.autograd.gradcheck, torch.autograd.grad_mode, torch.autograd.variable
        for name in [name for name in sys.modules if name.startswith("torch.")]:
            assert sys.modules[name] is sys.modules["minigrad" + name[5:]], name
            assert sys.modules[name].__name__ == "minigrad" + name[5:]
            assert sys.modules[name].__spec__.name == "minigrad" + name[5:]
    """)


def test_an_import_does_not_hide_a_function_of_the_same_name():
    run("""
        import minigrad
        minigrad.as_torch()
        import torch.autograd.gradcheck
        from torch.autograd.gradcheck import GradcheckError
        x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        assert torch.autograd.gradcheck(torch.sin, (x,)) and minigrad.autograd.gradcheck(torch.sin, (x,))
    """)


def test_a_context_gives_the_name_back():
    run("""
        import sys
        import minigrad
        before = list(sys.meta_path)
        with minigrad.as_torch() as lent:
            import torch
            import torch.autograd
            assert torch is minigrad is lent
        assert not [name for name in sys.modules if name.partition(".")[0] == "torch"]
        assert sys.meta_path == before
        assert torch is minigrad, "what was imported stays"
    """)


def test_a_context_gives_the_name_back_once():
    run("""
        import sys
        import minigrad
        before, lent = list(sys.meta_path), minigrad.as_torch()
        for _ in range(2):
            with lent:
                pass
            assert sys.meta_path == before and "torch" not in sys.modules
        with minigrad.as_torch():
            import torch
    """)


def test_the_name_is_given_back_after_an_error():
    run("""
        import sys
        import minigrad
        try:
            with minigrad.as_torch():
                import torch
                raise KeyError
        except KeyError:
            pass
        assert "torch" not in sys.modules
    """)


def test_a_context_inside_a_call_changes_nothing():
    run("""
        import sys
        import minigrad
        minigrad.as_torch()
        with minigrad.as_torch():
            with minigrad.as_torch():
                import torch
        assert sys.modules["torch"] is minigrad
        import torch.autograd.function
    """)


def test_it_refuses_where_another_torch_is_loaded():
    out = run("""
        import sys, types
        import minigrad
        sys.modules["torch"] = real = types.ModuleType("torch")
        for use in (minigrad.as_torch, lambda: minigrad.as_torch().__enter__()):
            try:
                use()
            except RuntimeError as refusal:
                print(refusal)
        assert sys.modules["torch"] is real
    """)
    assert out.count("MG601") == 2 and "the real PyTorch is loaded already" in out and "import minigrad as torch" in out


@pytest.mark.parity
def test_it_refuses_the_real_one():
    pytest.importorskip("torch")
    assert "MG601" in run("""
        import torch, minigrad
        try:
            minigrad.as_torch()
        except RuntimeError as refusal:
            print(refusal)
    """)


@pytest.mark.parametrize("name", ["torch.contrib", "torch.autograd.nothing", "torch._core", "torch.ops",
                                  "torch.tensor"])
def test_what_minigrad_lacks_is_absent(name):
    out = run(f"""
        import minigrad
        minigrad.as_torch()
        try:
            import {name}
        except ModuleNotFoundError as absent:
            print(absent, absent.name)
    """)
    assert f"No module named '{name}'" in out and out.strip().endswith(name.replace("torch", "minigrad", 1))


def test_an_error_inside_a_module_is_not_disguised(tmp_path):
    (tmp_path / "planted.py").write_text("import something_else_that_is_missing")
    out = run(f"""
        import minigrad
        minigrad.as_torch()
        minigrad.autograd.__path__.append({str(tmp_path)!r})
        try:
            import torch.autograd.planted
        except ModuleNotFoundError as missing:
            print(missing)
    """)
    assert out.strip() == "No module named 'something_else_that_is_missing'"


SCRIPT = """\
import sys
import torch
from torch import autograd
import helper
print(__name__, sys.argv[1:], helper.value, torch.__name__)
x = torch.tensor([1., 2.], requires_grad=True)
(x * x).sum().backward()
print(x.grad)
"""


def test_run(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "helper.py").write_text("import torch\nvalue = float(torch.ones(2).sum())\n")
    for cwd, script in ((tmp_path, "script.py"), (ROOT, tmp_path / "script.py")):
        done = python("-m", "minigrad", "run", script, "one", "--two", cwd=cwd)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "__main__ ['one', '--two'] 2.0 torch\ntensor([2., 4.])\n"


def test_run_hands_the_scripts_end_on(tmp_path):
    (tmp_path / "leave.py").write_text("import sys\nsys.exit(7)\n")
    (tmp_path / "fail.py").write_text("raise KeyError('mine')\n")
    assert python("-m", "minigrad", "run", tmp_path / "leave.py").returncode == 7
    done = python("-m", "minigrad", "run", tmp_path / "fail.py")
    assert done.returncode == 1 and "KeyError: 'mine'" in done.stderr and "fail.py" in done.stderr


def test_run_with_a_safe_path_looks_for_nothing_beside_the_script(tmp_path):
    (tmp_path / "script.py").write_text("import helper\n")
    (tmp_path / "helper.py").write_text("print('found')\n")
    assert python("-m", "minigrad", "run", tmp_path / "script.py").stdout == "found\n"
    done = python("-P", "-m", "minigrad", "run", tmp_path / "script.py")
    assert done.returncode == 1 and "No module named 'helper'" in done.stderr


def test_the_command_line_explains_itself(tmp_path):
    asked = python("-m", "minigrad", "--help")
    assert asked.returncode == 0 and "usage: python -m minigrad run SCRIPT" in asked.stdout
    for arguments, complaint in (
        ([], "usage:"),
        (["run"], "Name a script"),
        (["walk"], "unknown command 'walk'"),
        (["run", "nowhere.py"], "there is no file 'nowhere.py'"),
    ):
        done = python("-m", "minigrad", *arguments, cwd=tmp_path)
        assert done.returncode == 2 and complaint in done.stderr and not done.stdout


def test_each_command_explains_itself(capsys):
    for command in re.findall(r"python -m minigrad (\w+)", __main__.usage(*__main__._COMMANDS)):
        assert __main__.main([command, "--help"]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"usage: python -m minigrad {command}"), said
        assert [other for other in __main__._COMMANDS if f"python -m minigrad {other}" in said] == [command]


def test_what_is_a_scripts_is_left_to_it(tmp_path):
    (tmp_path / "script.py").write_text("import sys\nprint(sys.argv[1:])\n")
    assert python("-m", "minigrad", "run", tmp_path / "script.py", "--help").stdout == "['--help']\n"


def test_the_command_line_says_its_version(capsys):
    assert __main__.main(["--version"]) == 0
    assert capsys.readouterr().out == f"minigrad {minigrad.__version__}\n"


# ------------------------------------------------------------------------- names that PyTorch has and minigrad does not

def test_a_name_of_pytorch_that_is_not_here_is_told_as_such():
    done = starting.run(textwrap.dedent("""
        import minigrad
        minigrad.as_torch()
        import torch
        x = torch.ones(2)
        asked = (lambda: x.to_sparse(), lambda: torch.Tensor.to_sparse, lambda: torch.sparse_coo_tensor,
                 lambda: torch.cond, lambda: torch.nn.functional.scaled_mm, lambda: torch.func.rearrange,
                 lambda: torch.utils.tensorboard, lambda: torch.autograd.kineto_available)
        for ask in asked:
            try:
                ask()
            except AttributeError as refused:
                text = str(refused)
                assert "is in PyTorch, and not in minigrad" in text and "docs/notes/decisions.rst" in text, text
                assert refused.code == "MG602", text
            else:
                raise SystemExit("no error")
        assert not hasattr(x, "to_sparse") and not hasattr(torch, "cond") and "to_sparse" not in dir(x)
        x.to_sparse()
    """))
    assert "torch.Tensor.to_sparse is in PyTorch, and not in minigrad" in done.stderr, done.stderr
    assert "Did you mean" not in done.stderr, done.stderr


def test_a_slip_of_the_pen_is_still_one():
    done = starting.run("import minigrad; minigrad.as_torch(); import torch; torch.sinn")
    assert "has no attribute 'sinn'. Did you mean: " in done.stderr
    done = starting.run("import minigrad; minigrad.as_torch(); import torch; torch.ones(1).summ()")
    assert "Did you mean: 'sum'?" in done.stderr


def test_what_the_alias_changes_ends_with_it():
    run("""
        import minigrad
        own = minigrad.__version__
        with minigrad.as_torch():
            assert "to_sparse" in vars(minigrad.Tensor) and minigrad.__version__ != own
        assert "to_sparse" not in vars(minigrad.Tensor) and minigrad.__version__ == own
        assert "sum" in dir(minigrad.ones(1)) and "_data" not in dir(minigrad.ones(1))
    """)


def test_programs_may_compare_the_version():
    run("""
        import minigrad
        minigrad.as_torch()
        import torch
        from torch.torch_version import TorchVersion
        v = torch.__version__
        assert isinstance(v, (str, TorchVersion)) and v.startswith("2.13.0+minigrad0.1")
        assert v.split(".")[:2] == ["2", "13"]
        assert v >= "1.8" and v >= "2.2" and v > "2.13" and v < "2.14" and v < "10.0" and not v < "2.9"
        assert v >= (1, 8) and v > (2, 2) and v < (3,) and v != "2.13.0" and v == str(v) and hash(v) == hash(str(v))
        assert TorchVersion("2.13.0rc1") < "2.13.0" and TorchVersion("2.13") == "2.13.0" and int(v.split(".")[0]) == 2
    """)


def test_the_library_says_pytorchs_name_and_its_own_afterwards():
    run("""
        import importlib.metadata as metadata
        import pickle
        import minigrad

        def said():
            x = minigrad.ones(1)
            return (minigrad.__name__, repr(type(x)), type(x).__module__, repr(minigrad.nn.Parameter),
                    minigrad.version.__version__, str(minigrad.ops))

        def installed():
            try:
                return metadata.version("torch")
            except metadata.PackageNotFoundError:
                return None

        shown = [getattr(minigrad, name) for name in ("Size", "device", "dtype", "finfo", "iinfo", "layout",
                                                      "memory_format")]
        assert [*map(repr, shown)] == [f"<class 'minigrad.{each.__name__}'>" for each in shown]
        assert repr(type("Mine", (minigrad.Size,), {"__module__": "mine"})) == "<class 'mine.Mine'>"
        assert type(pickle.loads(pickle.dumps(minigrad.ones(2).shape))) is minigrad.Size
        own = said()
        assert own[:3] == ("minigrad", "<class 'minigrad.Tensor'>", "minigrad") and installed() is None
        with minigrad.as_torch():
            import torch
            from torch.nn import Linear, Parameter
            class Mine(torch.Tensor):
                pass
            assert said()[:4] == ("torch", "<class 'torch.Tensor'>", "torch", "<class 'torch.nn.parameter.Parameter'>")
            assert [*map(repr, shown)] == [f"<class 'torch.{each.__name__}'>" for each in shown]
            assert torch.version.__version__ == torch.__version__ == installed() >= "2.13"
            assert "torch" in metadata.packages_distributions() and repr(Mine) == "<class '__main__.Mine'>"
            saved = pickle.dumps([torch.Tensor, Parameter(torch.ones(2)), Linear(2, 2), Mine, torch.ones(2)])
            assert pickle.loads(saved)[0] is torch.Tensor
            with minigrad.as_torch():
                assert torch.__name__ == "torch"
        assert said() == own and installed() is None
        assert pickle.loads(saved)[1].tolist() == [1, 1], "a pickle is read where nobody has PyTorch's name"
    """)


def test_operators_have_names_and_raise_where_they_are_called():
    run("""
        import minigrad
        with minigrad.as_torch():
            import torch
            operator = torch.ops.torchvision.nms.default
            assert operator is torch.ops.torchvision.nms.default and not hasattr(torch.ops, "__path__")
            assert repr(operator) == "torch.ops.torchvision.nms.default"
            try:
                operator(1)
            except NotImplementedError as refused:
                assert "torch.ops.torchvision.nms.default is a name alone here: operators are not" in str(refused)
            else:
                raise SystemExit("no error")
        import minigrad.ops.kinds
        assert minigrad.ops.kinds
    """)


def test_the_recorded_names_are_pytorchs():
    """A sample, without PyTorch; tools/make_torch_names.py writes the file anew."""
    from minigrad._core.errors.absent import pytorchs
    assert {"svd", "sum", "backward"} <= pytorchs("torch.Tensor") and {"compile", "svd", "ones"} <= pytorchs("torch")
    assert "eigh" in pytorchs("torch.linalg") and not pytorchs("torch.nothing")


# ------------------------------------------------------------------------------ the traceback under `run`

def test_a_traceback_shows_the_scripts_lines_alone(tmp_path):
    script = tmp_path / "wrong.py"
    script.write_text("import torch\n\ndef f(x):\n    return torch.optim.SGD\n\nx = "
                      "torch.ones(2)\nx.register_hook(print)\n")
    done = python("-m", "minigrad", "run", script)
    files = [line.split('"')[1] for line in done.stderr.splitlines() if line.startswith("  File")]
    assert done.returncode == 1 and files == [str(script)] and "line 7, in <module>" in done.stderr
    assert "cannot register a hook on a tensor that doesn't require gradient" in done.stderr


def test_so_does_one_through_the_users_own_functions_and_causes(tmp_path):
    script = tmp_path / "wrong.py"
    script.write_text(textwrap.dedent("""
        import torch
        def hook(g):
            try:
                torch.ones(2) @ torch.ones(3)
            except RuntimeError as first:
                raise ValueError("in the hook") from first
        x = torch.ones(2, requires_grad=True)
        x.register_hook(hook)
        x.sum().backward()
    """))
    done = python("-m", "minigrad", "run", script)
    files = {line.split('"')[1] for line in done.stderr.splitlines() if line.startswith("  File")}
    assert "ValueError: in the hook" in done.stderr and "inconsistent tensor size" in done.stderr
    assert str(script) in files and not any(name.endswith(("__main__.py", "<frozen runpy>"))
                                            for name in files), done.stderr


def test_a_cause_that_was_never_raised_has_no_frames(tmp_path):
    script = tmp_path / "wrong.py"
    script.write_text("raise ValueError('mine') from KeyError('why')\n")
    done = python("-m", "minigrad", "run", script)
    assert done.returncode == 1 and "KeyError: 'why'" in done.stderr and "ValueError: mine" in done.stderr
    assert [line.split('"')[1] for line in done.stderr.splitlines() if line.startswith("  File")] == [str(script)]


def test_the_exit_status_and_the_excepthook_of_a_script_are_its_own(tmp_path):
    script = tmp_path / "leaving.py"
    script.write_text("import sys\nsys.exit(7)\n")
    assert python("-m", "minigrad", "run", script).returncode == 7
    script.write_text("import sys\nsys.excepthook = lambda kind, error, trace: print('mine', kind.__name__)\n1 / 0\n")
    done = python("-m", "minigrad", "run", script)
    assert done.stdout == "mine ZeroDivisionError\n" and done.returncode == 1


def test_private_names_that_published_packages_import():
    done = starting.run("""
import minigrad
minigrad.as_torch()
import torch
from torch._vmap_internals import _vmap
from torch.autograd.functional import _as_tuple, _construct_standard_basis_for, _grad_postprocess, _tuple_postprocess
from torch.distributions.utils import _standard_normal, _sum_rightmost
from torch.optim.lbfgs import _cubic_interpolate, _strong_wolfe
from torch.utils import _pytree

x = torch.tensor([3.0, -4.0], dtype=torch.float64, requires_grad=True)
slope, = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
hessian = _vmap(lambda v: torch.autograd.grad(slope, x, v, retain_graph=True)[0])(torch.eye(2, dtype=x.dtype))
assert hessian.tolist() == [[18, 0], [0, -24]]
basis = _construct_standard_basis_for((x, slope[:1]), (2, 1))
assert torch.cat(basis, 1).equal(torch.eye(3, dtype=x.dtype))
assert _tuple_postprocess(_grad_postprocess(((slope,),), False), (False, False)).requires_grad is False
table = ((1, 2), (3, 4))
assert [_tuple_postprocess(table, (outer, inner)) for outer in (True, False) for inner in (True, False)
        ] == [table, (1, 3), (1, 2), 1]
assert _as_tuple(x, "inputs", "f")[0] is False and _as_tuple([x]) == (x,)
assert _sum_rightmost(torch.ones(2, 3), 1).tolist() == [3, 3]
torch.manual_seed(0)
drawn = _standard_normal((2,), torch.float64, torch.device("cpu"))
torch.manual_seed(0)
assert drawn.equal(torch.randn(2, dtype=torch.float64))

def square(x, t, d):
    y = x + t * d
    return float(y.square().sum()), 2 * y

start = x.detach()
loss, grad, t, calls = _strong_wolfe(square, start, 1.0, -2 * start, 25.0, 2 * start, -4 * start.dot(start))
assert abs(t - 0.5) < 1e-6 and loss < 1e-10 and calls > 1
assert _cubic_interpolate(0, 1.0, torch.tensor(-2.0), 2, 1.0, torch.tensor(2.0)) == 1.0
assert (torch.LongTensor | None) == (None | torch.LongTensor)
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name, word", [
    ("torch.contrib", "plumbing"), ("torch.nativert", ""),
    ("torch.sparse_coo_tensor", "sparse"),
])
@pytest.mark.parametrize("lent", [True, False])
def test_a_name_that_is_left_out_says_why_however_it_is_imported(name, word, lent):
    package, _, short = name.rpartition(".")
    reasons = run(f"""
        import minigrad
        if {lent}:
            minigrad.as_torch()
        for way in ("import {name}", "from {package} import {short}"):
            try:
                exec(way if {lent} else way.replace("torch", "minigrad", 1))
            except ImportError as absent:
                print(absent)
    """).splitlines()
    assert len(reasons) == 2 and reasons[0] == reasons[1]
    assert f"No module named '{name}'" in reasons[0]
    assert f"has no minigrad{name.removeprefix('torch')}: " in reasons[0] and word in reasons[0]


def test_a_name_that_nobody_has_is_as_in_any_package():
    assert "cannot import name 'nothing_at_all'" in run("""
        try:
            from minigrad import nothing_at_all
        except ImportError as absent:
            print(absent)
    """)


# ------------------------------------------------------------------------------ programs that are in no file

PROGRAM = ("import pickle, sys, torch\n"
           "class Here: pass\n"
           "print(torch.ones(2), sys.argv, __name__, type(pickle.loads(pickle.dumps(Here()))) is Here)")


def at_the_command_line(folder, *arguments, **options):
    return subprocess.run([sys.executable, "-m", "minigrad", "run", *arguments], cwd=folder, text=True,
                          capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, **options)


def test_run_takes_code(tmp_path):
    done = at_the_command_line(tmp_path, "-c", PROGRAM, "-x", "3")
    assert done.stdout == "tensor([1., 1.]) ['-c', '-x', '3'] __main__ True\n", done.stderr


def test_run_reads_the_standard_input(tmp_path):
    done = at_the_command_line(tmp_path, "-", "a", input=PROGRAM)
    assert done.stdout == "tensor([1., 1.]) ['-', 'a'] __main__ True\n", done.stderr


def test_run_takes_a_module(tmp_path):
    (tmp_path / "planted.py").write_text(PROGRAM)
    done = at_the_command_line(tmp_path, "-m", "planted", "-x")
    assert done.stdout == f"tensor([1., 1.]) [{str(tmp_path / 'planted.py')!r}, '-x'] __main__ True\n", done.stderr


def test_run_takes_pytest(tmp_path):
    (tmp_path / "test_planted.py").write_text(
        "import torch\n\ndef test_it():\n    assert torch.__name__ == 'torch'\n")
    done = at_the_command_line(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_planted.py")
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


def test_a_program_in_no_file_ends_as_others_do(tmp_path):
    done = at_the_command_line(tmp_path, "-c", "import sys; sys.exit(7)")
    assert done.returncode == 7
    done = at_the_command_line(tmp_path, "-c", "import torch\n1 / 0")
    assert done.returncode == 1
    assert done.stderr == ('Traceback (most recent call last):\n  File "<string>", line 2, in <module>\n'
                           "ZeroDivisionError: division by zero\n")
    for option in ("-c", "-m"):
        done = at_the_command_line(tmp_path, option)
        assert done.returncode == 2 and f"argument expected for the {option} option" in done.stderr
