"""What differs between Linux, macOS and Windows is in one header, and the compilers of all three take the rest."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad

PACKAGE = Path(minigrad.__file__).parent
CORE = PACKAGE / "_core"
SOURCES = [path for suffix in ("h", "pyx", "pxd") for path in sorted(CORE.rglob(f"*.{suffix}"))
           if path.name != "platform.h"]

#: in C and Cython: what only some systems have, and what has another size on Windows
OF_ONE_SYSTEM = {
    "a header of a system": r"[<\"](pthread|sched|unistd|signal|windows|process|dlfcn|alloca|sys/\w+)\.h[>\"]",
    "Cython's names of POSIX": r"\bposix\.",
    "a function of POSIX":
        r"(?<!os\.)\b(pthread_\w+|(u|nano)?sleep|clock_gettime|sched_\w+|mmap|fork|sigaction|lgamma_r)\s*\(",
    "GCC's word for thread-local": r"\b__thread\b",
    "a builtin that counts the bits of a long": r"__builtin_(clz|ctz|popcount)l\(",
}
A_LONG = r"(?<!long )(?<!unsigned )\blong\b(?! long)(?= ?[*\w(,)])"
#: modules that Python has on some systems alone
MODULES = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}


def code_of(path):
    """The text without comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".h":
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    return re.sub(r"/\*.*?\*/|#(?!include)[^\n]*", "", text, flags=re.DOTALL)


@pytest.mark.parametrize("what", OF_ONE_SYSTEM)
def test_only_one_header_knows_the_system(what):
    found = {path.name: re.search(OF_ONE_SYSTEM[what], code_of(path)) for path in SOURCES}
    assert {name: match.group() for name, match in found.items() if match} == {}
    assert len(found) > 100


@pytest.mark.parametrize("planted", ["#include <pthread.h>", "from posix.unistd cimport usleep", "usleep(10)",
                                     "static __thread int x;", "63 - __builtin_clzl(n)"])
def test_a_planted_dependence_on_one_system_is_found(planted):
    assert any(re.search(pattern, planted) for pattern in OF_ONE_SYSTEM.values())


def test_no_size_or_index_is_a_long():
    """It has 32 bits on Windows, where pointers have 64."""
    assert re.search(A_LONG, "void f(long n)") and re.search(A_LONG, "for (long i = 0;")
    assert not re.search(A_LONG, "long long x; unsigned long flags")
    found = {path.name: re.search(A_LONG, code_of(path)) for path in SOURCES if path.suffix == ".h"}
    assert {name for name, match in found.items() if match} == set()


def test_modules_of_one_system_are_imported_where_their_absence_is_handled():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if not any([name in text for name in MODULES]):
            continue
        tree = ast.parse(text)
        handled = {inner for node in ast.walk(tree) if isinstance(node, ast.Try) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            names = ([each.name for each in node.names] if isinstance(node, ast.Import) else
                     [node.module] if isinstance(node, ast.ImportFrom) else [])
            found |= {(path.name, name) for name in names if name in MODULES and node not in handled}
    assert found == set()


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="ziglang, with Clang for Windows, is not here")
@pytest.mark.parametrize("target", ["x86_64-windows-gnu", "aarch64-windows-gnu", "aarch64-macos", "x86_64-linux-gnu"])
def test_the_threads_compile_for_each_system(tmp_path, target):
    program = tmp_path / "program.c"
    program.write_text('#define _GNU_SOURCE\n#include "thread_pool.h"\n'
                       "int main(void) { mg_parallel(NULL, NULL, 0, 1, 0); return mg_stack_floor() == NULL; }\n")
    ran = subprocess.run([sys.executable, "-m", "ziglang", "cc", "-target", target, "-I", str(CORE), "-c", str(program),
                          "-o", str(tmp_path / "program.o")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
