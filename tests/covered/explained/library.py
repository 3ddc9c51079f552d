"""The library above the core: distributions, processes, pictures, transforms, files."""

from ..explaining import Entry

READ = [
    *[f"distributions/{name}.py" for name in (
        "categories", "composed", "constraint_registry", "constraints", "counts", "distribution", "gammas", "kl",
        "line", "multivariate", "transformed", "transforms", "utils")],
    "distributed/*.py", "distributed/nn/*.py",
]

ENDED_BY_MPI = "MPI ends the process at once, which then writes no counts (tests/distributed/test_failing.py)"

ENTRIES = [
    Entry(ENDED_BY_MPI, "distributed/world.py", "__call__"),
]
