"""``--drawn``, as ``make test`` asks: of what is long, random or statistical by nature, or asks of every row what other
tests ask of it too, a share runs, others with each commit.

A test says so by ``@pytest.mark.drawn``: one in five of its cases runs, and after five commits in a row all of them
have. The options of the mark are those of ``share``, which draws within a test. ``ALL=1 make test`` runs all, as does
pytest without the option. To list what is drawn: ``python -m pytest -m drawn --collect-only -q``.
"""

import collections
import datetime
import pathlib
import subprocess
import zlib

ONE_IN = 5
ROOT = pathlib.Path(__file__).resolve().parent.parent

#: The number of the commit while a share is asked for, and None while all is.
turn = None


def number_of_the_commit():
    """How many there are up to it; where git does not say, the number of the day."""
    try:
        shallow, count = [subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True).stdout
                          for command in (["rev-parse", "--is-shallow-repository"], ["rev-list", "--count", "HEAD"])]
    except (OSError, subprocess.CalledProcessError):
        shallow = "true\n"
    return int(count) if shallow == "false\n" else datetime.date.today().toordinal()


def share(cases, one_in=ONE_IN, first=0):
    """Those of the cases whose turn it is, beginning with another one if ``first`` is another number."""
    return [case for place, case in enumerate(cases, first) if turn is None or place % one_in == turn % one_in]


def chosen(items):
    """The tests of pytest that run, and those that do not."""
    tests = collections.defaultdict(list)
    for item in items:
        if item.get_closest_marker("drawn"):
            tests[item.nodeid.partition("[")[0]].append(item)
    left_out = set()
    for name, cases in tests.items():
        options = {"first": zlib.crc32(name.encode())} | cases[0].get_closest_marker("drawn").kwargs
        left_out |= {*cases} - {*share(cases, **options)}
    return [item for item in items if item not in left_out], [item for item in items if item in left_out]
