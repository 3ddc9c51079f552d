"""Every planted fault still fits the source that it is planted in."""

import pytest

from .__main__ import SOURCES
from .planted import FAULTS, Fault, NotThere


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(fault):
    source = (SOURCES / f"{fault.module}.pyx").read_text(encoding="utf-8")
    assert fault.planted_in(source) != source


def test_names_differ():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 10


@pytest.mark.parametrize(("source", "times"), [("b = 1", 0), ("a = 1\na = 1", 2)])
def test_a_text_that_is_not_there_once_is_an_error(source, times):
    with pytest.raises(NotThere, match=f"this occurs {times} times in minigrad/_core/graph.pyx"):
        Fault("planted", "graph", "a = 1", "a = 2").planted_in(source)
