"""The harness that runs PyTorch's own tests, on a small PyTorch of our own, without the real one."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.parity.own_tests.__main__ import ABSENT, KNOWN, NAMES, SLOW, read

ROOT = Path(__file__).resolve().parents[3]

#: the files that the stage executes, as short as they can be
TORCH = {
    "testing/_internal/__init__.py": "",
    "testing/_internal/common_utils.py": """
        import unittest
        import torch
        from torch._C import ScriptDict
        from torch._C._profiler import gather_traceback
        from torch._dynamo import disable
        from torch.utils import cpp_extension

        class TestCase(unittest.TestCase):
            def run(self, result=None):
                torch._C.begin()

            @disable
            def assertEqual(self, a, b):
                assert not isinstance(a, ScriptDict) and a.layout is not torch.sparse_coo and torch.equal(a, b), (a, b)
        """,
    "testing/_utils.py": "",
    "autograd/gradcheck.py": "_get_numerical_jacobian = _iter_tensors = None",
}

TESTS = """
    import torch
    import torch._dynamo.config
    from torch.nn.modules.module import register_module_forward_hook
    from torch.testing._internal.common_utils import TestCase

    class TestPlanted(TestCase):
        def test_right(self):
            self.assertEqual(torch.ones(2) + 1, torch.full((2,), 2.0))

        def test_wrong(self):
            self.assertEqual(torch.ones(2) + 1, torch.ones(2))

        def test_inside(self):
            torch._C._set_level(1)

        def test_left_out(self):
            torch.sparse_coo_tensor()

        def test_endless(self):
            while True:
                try:
                    while True:
                        pass
                except Exception:
                    pass

        def test_1_leaves_a_hook(self):
            def wrong(*_):
                raise AssertionError
            register_module_forward_hook(wrong)

        def test_2_has_no_hook(self):
            torch.nn.ReLU()(torch.ones(1))

        def test_skipped(self):
            self.skipTest("no device")
    """

KNOWN_HERE = """
    # a comment
    test_planted.py::TestPlanted.test_inside  it calls torch._C
    test_planted.py::TestPlanted.test_left_out  sparse tensors
    test_planted.py::TestPlanted.test_endless  it takes too long
    """


def dedented(text):
    return "\n".join(line.removeprefix(text[1:text.index(text.strip()[0])]) for line in text.split("\n"))


@pytest.fixture
def folder(tmp_path):
    for name, text in {**{f"torch/{name}": text for name, text in TORCH.items()}, "test/test_planted.py": TESTS,
                       "known.txt": KNOWN_HERE}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedented(text) if text else "", encoding="utf-8")
    return tmp_path


def harness(folder, *options):
    done = subprocess.run([sys.executable, "-m", "tests.parity.own_tests", "--files", folder, "--known",
                           folder / "known.txt", "--seconds=1", *options], capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout


def listed(folder, *lines):
    with (folder / "known.txt").open("a", encoding="utf-8") as file:
        file.write("\n".join(["", *lines]))


def test_what_fails_and_is_not_listed_is_reported(folder):
    code, out = harness(folder, "test_planted.py")
    assert code == 1
    assert "8 tests, 3 passed, 1 skipped, 4 failed" in out
    assert [line.split(": ")[:2] for line in out.split("\n") if "is not listed" in line or "is listed" in line] == [
        ["    fails, and is not listed", "test_planted.py::TestPlanted.test_wrong"]]
    assert "    1 listed: it calls torch._C" in out


@pytest.mark.drawn
def test_what_is_listed_and_passes_is_reported(folder):
    listed(folder, "test_planted.py::TestPlanted.test_wrong  a reason",
           "test_planted.py::TestPlanted.test_right  sparse")
    code, out = harness(folder, "test_planted.py")
    assert code == 1 and "passes, and is listed: test_planted.py::TestPlanted.test_right  sparse" in out
    assert "is not listed" not in out


@pytest.mark.drawn
def test_nothing_is_reported_where_the_list_is_right(folder):
    listed(folder, "test_planted.py::TestPlanted.test_wrong  a reason",
           f"test_planted.py::TestPlanted.test_right  {SLOW}")
    code, out = harness(folder, "test_planted.py")
    assert code == 0 and "listed: test_planted" not in out


@pytest.mark.drawn
def test_a_file_that_cannot_be_imported_is_reported(folder):
    (folder / "test" / "test_broken.py").write_text("import torch\ntorch.left + right", encoding="utf-8")
    code, out = harness(folder, "test_broken.py")
    assert code == 1 and "the process ended with 1" in out and "name 'right' is not defined" in out


def test_files_that_are_absent_have_a_status_of_their_own(folder):
    assert harness(folder, "optim/test_optim.py")[0] == ABSENT


def test_the_list_names_each_test_once_with_a_reason():
    lines = [line for line in KNOWN.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    known = read(KNOWN)
    assert len(known) == len(lines) and lines == sorted(lines)
    assert all(reason.strip() for reason in known.values())
    assert all(any(Path(name.partition("::")[0]).match(pattern) for pattern in NAMES) for name in known)
