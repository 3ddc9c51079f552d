"""A pytest plugin of the counted copy: a process of pytest-xdist writes what it has counted before it says that it is
done, since it is given a few seconds after that, and then killed."""

import coverage

from minigrad._core.planted import write

__all__ = ["pytest_sessionfinish"]


def pytest_sessionfinish():
    write()
    looking = coverage.Coverage.current()
    if looking is not None:
        looking.save()
