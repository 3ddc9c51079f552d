"""Spoilt formulas are noticed: a share of them, and what the samples cannot show."""

import math
import os
import zlib

import pytest

pytest.importorskip("sympy")

import minigrad
from minigrad.ops import exports
from tests.proofs import ledger, mutants, text_mutants

SHARE = int(os.environ.get("SHARE", 0)) % 4
ROWS = [row for row in ledger.rows() if zlib.crc32(row.name.encode()) % 4 == SHARE]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.drawn
def test_every_mutant_is_noticed_or_the_same(row):
    for formula in row.formulas:
        for survivor in mutants.judge(row, formula).survivors:
            assert mutants.why_equivalent(row.name, formula.of, survivor), f"{row.name} {formula.of}: {survivor}"


def name_of(function):
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}:{function.__code__.co_firstlineno}"


@pytest.mark.parametrize("function", [function for function in text_mutants.users()
                                      if zlib.crc32(name_of(function).encode()) % 4 == SHARE], ids=name_of)
@pytest.mark.drawn
def test_every_mutant_of_a_text_is_noticed_or_the_same(function):
    for survivor in text_mutants.judge(function).survivors:
        assert text_mutants.why_equivalent(survivor), survivor


def test_mutants_of_a_text_are_made_judged_and_taken_back(monkeypatch):
    row = exports.ROWS["solve_triangular"]
    texts = text_mutants.functions([row])
    codes = [function.__code__ for function in texts]
    judged = [text_mutants.judge(function) for function in texts]
    assert sum([result.noticed for result in judged]) > 90
    assert [function.__code__ for function in texts] == codes

    monkeypatch.setattr(text_mutants, "questions", lambda row, of: [])
    monkeypatch.setattr(text_mutants, "questions_of_matrices", list)
    for function, result in zip(texts, judged):
        unseen = text_mutants.judge(function)
        assert not unseen.noticed and len(unseen.survivors) == result.noticed + len(result.survivors)
        assert not all(map(text_mutants.why_equivalent, unseen.survivors))


def test_mutants_are_made_and_judged():
    row = exports.ROWS["logaddexp"]
    for formula in row.formulas:
        result = mutants.judge(row, formula)
        assert result.noticed > 10 and not result.survivors


def test_a_mutant_that_no_example_shows_survives(monkeypatch):
    row = exports.ROWS["relu6"]
    monkeypatch.setitem(mutants.DOMAINS, "relu6", {"self": (-3, 3)})
    monkeypatch.setattr(mutants, "calls_of_rows", dict)
    survivors = mutants.judge(row, row.formulas[0]).survivors
    assert any(["hardtanh_backward with 1 + constant" in survivor for survivor in survivors])


def test_logcumsumexp_beside_minus_infinity():
    """The empty sums before the first number have no share; PyTorch has nan there."""
    x = minigrad.tensor([-math.inf, -math.inf, 0, 1], dtype=minigrad.float64, requires_grad=True)
    d = minigrad.tensor([1., 2, 3, 4], dtype=minigrad.float64)
    found, = minigrad.autograd.grad(x.logcumsumexp(0), x, d)
    rest, = minigrad.autograd.grad(x[2:].logcumsumexp(0), x, d[2:])
    assert found.tolist() == rest.tolist() and found[:2].tolist() == [0, 0] and found[2] > 1
