"""A pytest plugin for ``make checked``: of a test that has very many cases, some of them are run, another time others.

Which they are is said by a seed and by the name of the case, so that every process of a run chooses the same.
"""

import collections
import os
import random

__all__ = ["MANY", "SHARE", "is_chosen", "pytest_collection_modifyitems"]

#: A test with more cases than this goes through the table of operations; a share of them is run at a time.
MANY = 250
SHARE = 1 / 5


def is_chosen(name, seed):
    """Whether the case of this name is run with this seed."""
    return random.Random(f"{seed}/{name}").random() < SHARE


def pytest_collection_modifyitems(config, items):
    seed = os.environ["MINIGRAD_CHECKED_SEED"]
    cases = collections.Counter([without_case(item) for item in items])
    kept, left_out = [], []
    for item in items:
        whole = cases[without_case(item)] <= MANY
        (kept if whole or is_chosen(item.nodeid, seed) else left_out).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


def without_case(item):
    """The name of the test without that of its case."""
    return item.nodeid.partition("[")[0]
