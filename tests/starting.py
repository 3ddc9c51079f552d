"""Programs that begin in a new interpreter, as ``python -c`` starts one.

To start Python and to import minigrad takes a quarter of a second, and what most of them do then some milliseconds. So
where a share of the tests runs (drawn.py), a program that begins by importing minigrad has a copy of an interpreter
that has imported it, and nothing else. It ends like any other, but that its modules are not taken down. Where all is
run, each has a process of its own, as users' programs have.
"""

import ast
import functools
import marshal
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import drawn

ROOT = Path(__file__).resolve().parent.parent

#: What the interpreter runs that is copied: it reads a program, with its folder and where it prints, and tells how the
#: copy has ended. In the copy nothing of this is left when the program begins.
COPIED = """\
import minigrad


def program():
    import marshal
    import os
    import sys
    while True:
        size = os.read(0, 8)
        if not size:
            os._exit(0)
        code, folder, *printed = marshal.loads(os.read(0, int.from_bytes(size)))
        copy = os.fork()
        if not copy:
            break
        os.write(1, marshal.dumps(os.waitpid(copy, 0)[1]))
    for number, path in enumerate([os.devnull, *printed]):
        file = os.open(path, os.O_RDWR)
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    sys.orig_argv[:] = [sys.executable, "-c", code]
    for name in "minigrad", "program", "run":
        del globals()[name]
    return compile(code, "<string>", "exec")


def run():
    import os
    import sys
    status = 0
    try:
        exec(program(), globals())
    except SystemExit as ended:
        status = ended.code or 0
        if not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException as wrong:
        status, wrong.__traceback__ = 1, wrong.__traceback__.tb_next
        sys.excepthook(type(wrong), wrong, wrong.__traceback__)
    import atexit               # not sooner, since the program may look which modules there are
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 255)


run()
"""


def run(code, *, cwd=ROOT, check=False, timeout=60):
    """The process in which this program has ended, in this folder; its output and its errors are text."""
    if drawn.turn is None or not hasattr(os, "fork") or not begins_with_minigrad(code):
        return subprocess.run([sys.executable, "-c", code], cwd=cwd, check=check, timeout=timeout, capture_output=True,
                              text=True, env=dict(os.environ))
    with tempfile.NamedTemporaryFile("r") as out, tempfile.NamedTemporaryFile("r") as errors:
        asked = marshal.dumps((code, str(cwd), out.name, errors.name))
        interpreter = started(os.getpid(), tuple([pair for pair in os.environ.items() if pair[0] != CURRENT]))
        interpreter.stdin.write(len(asked).to_bytes(8) + asked)
        if not select.select([interpreter.stdout], [], [], timeout)[0]:
            close()
            raise subprocess.TimeoutExpired(code, timeout)
        status = os.waitstatus_to_exitcode(marshal.load(interpreter.stdout))
        done = subprocess.CompletedProcess(code, status, out.read(), errors.read())
    if check:
        done.check_returncode()
    return done


def begins_with_minigrad(code):
    """Does it import nothing before, but for Python's own modules?"""
    try:
        statements = ast.parse(code).body
    except SyntaxError:
        return False
    for statement in statements:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            return False
        names = [each.name for each in statement.names] if isinstance(statement, ast.Import) else [statement.module]
        for name in [name.partition(".")[0] for name in names]:
            if name not in sys.stdlib_module_names:
                return name == "minigrad"
    return False


#: The variable in which pytest says which test runs.
CURRENT = "PYTEST_CURRENT_TEST"
#: Those that wait for programs.
interpreters = []


@functools.cache
def started(process, environment):
    """The interpreter of this process that is copied, with this environment."""
    interpreters.append(subprocess.Popen([sys.executable, "-c", COPIED], env=dict(environment), bufsize=0,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True))
    return interpreters[-1]


def close():
    """End them, and what they have begun."""
    for each in interpreters:
        each.stdin.close()
        try:
            each.wait(1)
        except subprocess.TimeoutExpired:
            os.killpg(each.pid, 9)
            each.wait()
        each.stdout.close()
    interpreters.clear()
    started.cache_clear()
