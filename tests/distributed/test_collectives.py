"""What several ranks compute together: the collectives, their derivatives, and the training of a model."""

import importlib.util
import sys

import pytest

import minigrad
from minigrad.distributed import run
from tests.distributed.launching import passed


@pytest.mark.parametrize("ranks", [pytest.param(1, marks=pytest.mark.drawn), 2,
                                   pytest.param(3, marks=pytest.mark.drawn)])
@pytest.mark.parametrize("program", ["again.py", "collectives.py", "derivatives.py", "refusing.py", "training.py"])
def test_every_rank_is_right(program, ranks):
    assert passed(ranks, program) == [f"rank {rank} of {ranks} is right" for rank in range(ranks)]


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 12])
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_the_samples_of_each_rank_are_those_of_pytorch(n, ranks, drop_last):
    data = pytest.importorskip("torch").utils.data
    for shuffle in (False, True):
        for rank in range(ranks):
            ours, theirs = (module.DistributedSampler(range(n), ranks, rank, shuffle, 5, drop_last)
                            for module in (minigrad.utils.data, data))
            for epoch in range(2):
                ours.set_epoch(epoch)
                theirs.set_epoch(epoch)
                assert [*ours] == [*theirs] and len(ours) == len(theirs)


@pytest.mark.parametrize(("missing", "advice"), [("mpi4py", "mpi4py is not installed"),
                                                   ("mpi4py.MPI", "does not find the library of MPI")])
def test_without_mpi_the_error_says_what_to_install(missing, advice, monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: (
        None if name == missing else find("sys") if name == "mpi4py" else find(name, *rest)))
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(RuntimeError, match=f"{advice}.*pip install"):
        minigrad.distributed.init_process_group("mpi")
    assert not minigrad.distributed.is_initialized()
    with pytest.raises(ValueError, match="Default process group has not been initialized"):
        minigrad.distributed.all_reduce(minigrad.ones(2))


@pytest.mark.parametrize("arguments, there, status, said", [
    (["-n", "0", "train.py"], "/usr/bin/mpiexec", 2, "--nproc-per-node is the number of ranks, at least 1, not 0"),
    (["-n", "2", "train.py"], None, 1, "There is no mpiexec here, which starts the ranks: pip install")])
def test_a_program_that_cannot_be_started_is_not(arguments, there, status, said, monkeypatch, capsys):
    monkeypatch.setattr(run, "mpiexec", lambda: there)
    with pytest.raises(SystemExit) as ended:
        run.main(arguments)
    assert ended.value.code == status and said in capsys.readouterr().err
