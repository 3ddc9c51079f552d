"""Submissions that reach outside: each statement in each place of a program, and what the judge must say of it."""

from minigrad.homework.process import Failed, Process, Stopped

__all__ = ["DEEDS", "PLACES", "outcome_of", "submission"]

#: {path} is a file outside the folder of the submission
DEEDS = ("open({path!r}, 'w').close()", "open({path!r})", "import os; os.system('touch ' + {path!r})",
         "import os; os.remove({path!r})", "import os; os.rename({path!r}, 'mine')", "import os; os.fork()",
         "import subprocess; subprocess.run(['touch', {path!r}])", "import pathlib; pathlib.Path({path!r}).unlink()",
         "import shutil; shutil.copy({path!r}, 'mine')", "import ctypes; ctypes.CDLL(None)",
         "import socket; socket.create_connection(('127.0.0.1', 9))", "import os; os.symlink({path!r}, 'link')",
         "import os; os.kill(os.getppid(), 0)", "import minigrad.homework.judge", "import gc; gc.get_objects()",
         "import sqlite3; sqlite3.connect({path!r})", "import os; os.chdir('/')",
         "import sqlite3; sqlite3.connect(':memory:').execute('ATTACH ' + repr({path!r} + '2') + ' AS a')",
         "import dbm.ndbm; dbm.ndbm.open({path!r}, 'c')", "import dbm.gnu; dbm.gnu.open({path!r}, 'c')")
PLACES = ("{deed}", "def f():\n    {deed}\nf()", "class C:\n    {deed}", "exec({deed!r})",
          "try:\n    {deed}\nexcept BaseException:\n    pass", "exec(compile({deed!r}, 'x', 'exec'))",
          "class C:\n    def __del__(self):\n        {deed}\nC()",
          "import threading\nt = threading.Thread(target=exec, args=({deed!r}, {{}}))\nt.start()\nt.join()",
          "import atexit\natexit.register(exec, {deed!r}, {{}})\nraise SystemExit")


def submission(place, deed, path):
    return place.format(deed=deed.format(path=str(path)))


def outcome_of(source):
    """What the judge says of the program: a verdict, or "loaded"."""
    try:
        process = Process(source)
    except Stopped as stopped:
        return stopped.verdict
    except Failed:
        return "error"
    process.close()
    return "loaded"
