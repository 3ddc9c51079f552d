"""Mutation of the table: every formula is spoilt in every small way, and each spoilt one must be noticed.

A *mutant* is the program of a formula with one step changed:

    sign, factor        the negative of the step, or twice it
    drop                an operand in place of the step: a term, a factor, a transposition or a mask is missing
    swap                its two operands exchanged
    other               an operand replaced by another input of the formula
    constant            a constant replaced by its negative, or by one more

It runs on what the formula is tested with: the calls to which the samples lead (tests/ops/calling.py), and for
elementwise rows the points of Note [Regions] too, where the proof holds the formula to the derivative.  It is noticed if
the gradient differs on one of them by more than tests allow, or if it cannot be computed.  What is not noticed must be
on the list EQUIVALENT, with the reason why it is the same derivative.
"""

import argparse
import collections
import random
import sys
import warnings

import numpy as np

from minigrad._core.computing import on_arrays
from minigrad.ops import kinds
from tests.ops.calling import calls_of_rows

from . import ledger
from .meanings import ANY, DOMAINS
from .symbolic import parameters, variants

FAR = 1e-6              # of the size of a gradient: what comparisons with finite differences notice
CALLS, POINTS = 40, 120

Mutant = collections.namedtuple("Mutant", "step, what, change")

# ------------------------------------------------------------------------------ running a program on arrays


def run(program, values, mutant=None):
    """What the program computes from the values of its inputs; with one step changed."""
    registers = [*values, *program.constants]
    for i, (op, places) in enumerate(program.steps):
        arguments = [registers[place] for place in places]
        if mutant is not None and mutant.step == i:
            registers.append(mutant.change(op, arguments, registers))
        else:
            registers.append(on_arrays(op, *arguments))
    return [registers[place] for place in program.results or [program.result]]


#: what gives True and False, and what does not care which operand comes first
MASKS = {"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isfinite", "isinf", "logical_and", "logical_or", "logical_not",
         "rises"}
COMMUTATIVE = {"add", "mul", "eq", "ne", "logical_and", "logical_or", "maximum", "minimum"}


def negative(x):
    return ~x if x.dtype == bool else -x


def mutants(program):
    """Every small change."""
    inputs = range(1, program.n_inputs)
    constants = range(program.n_inputs, program.n_inputs + len(program.constants))
    for i, (op, places) in enumerate(program.steps):
        if op.name != "zeros_of":
            yield Mutant(i, f"-{op.name}", lambda op, given, all_of_them: negative(on_arrays(op, *given)))
        if op.name not in {"zeros_of", *MASKS}:
            yield Mutant(i, f"2 {op.name}", lambda op, given, all_of_them: 2 * on_arrays(op, *given))
        for k, place in enumerate(places):
            yield Mutant(i, f"operand {k} for {op.name}", lambda op, given, all_of_them, k=k: given[k])
            for other in inputs:
                if other != place:
                    yield Mutant(i, f"{op.name} with input {other} for operand {k}",
                                 lambda op, given, all_of_them, k=k, other=other:
                                 on_arrays(op, *given[:k], all_of_them[other], *given[k + 1:]))
            if place in constants and type(program.constants[place - program.n_inputs]) in (int, float):
                for what, changed in ("-", lambda c: -c), ("1 +", lambda c: 1 + c):
                    yield Mutant(i, f"{op.name} with {what} constant {k}",
                                 lambda op, given, all_of_them, k=k, changed=changed:
                                 on_arrays(op, *given[:k], changed(given[k]), *given[k + 1:]))
        if len(places) == 2 and places[0] != places[1] and op.name not in COMMUTATIVE:
            yield Mutant(i, f"{op.name} swapped", lambda op, given, all_of_them: on_arrays(op, given[1], given[0]))


# ------------------------------------------------------------------------------ what a formula is tested with


def examples(row, formula):
    """[the values of the inputs of its program, the perturbation first]"""
    names, found = [name for name, *_ in parameters(row)], []
    calls = [dict(zip(names, call)) for call in calls_of_rows().get(row.name, [])]
    random.Random(row.name).shuffle(calls)
    rng = np.random.default_rng(len(row.name))
    if row.kind == "elementwise":
        calls = [points(rng, row, variant) for variant in variants(row) if formula.of not in variant] + calls
    for call in calls[:CALLS]:
        given = call[formula.of]
        if given is None or isinstance(given, np.ndarray) and given.dtype.kind not in "fc":
            continue
        with np.errstate(all="ignore"):
            try:
                outputs = on_arrays(row, *call.values())
            except (RuntimeError, ValueError, TypeError, IndexError):
                continue
        known = {**(dict(zip(row.outputs, outputs)) if row.outputs else {"result": outputs}), **call,
                 **{f"{name}_shape": shape_of(value) for name, value in call.items()}}
        if all([name in known for name in formula.names]):
            found.append([perturbation(rng, row, outputs), *[known[name] for name in formula.names]])
    return found


def shape_of(x):
    return [shape_of(each) for each in x] if isinstance(x, (list, tuple)) else getattr(x, "shape", None)


def perturbation(rng, row, outputs):
    """A cotangent for each output that is differentiable."""
    if isinstance(outputs, np.ndarray):
        return numbers(rng, outputs)
    made = [numbers(rng, each) for each in outputs if each.dtype.kind in "fc"]
    return made if row.list_output or len(made) > 1 else made[0]


def numbers(rng, like):
    found = rng.standard_normal(like.shape)
    return np.asarray(found + 1j * rng.standard_normal(like.shape) if like.dtype.kind == "c" else found, like.dtype)


def points(rng, row, variant):
    """A call of an elementwise row with many points at once, and numbers for its options."""
    domains, call = DOMAINS.get(row.name, {}), {}
    for name, type_, default, _ in parameters(row):
        low, high = map(float, domains.get(name, ANY))
        drawn = low + (high - low) * (rng.integers(1, 997, POINTS) / 997)
        if name in ("mask", "condition"):
            drawn = drawn > 0
        elif low < 0:
            drawn[rng.random(POINTS) < 0.1] = 0
        if name in variant:
            call[name] = variant[name]
        elif type_.startswith("Tensor"):
            call[name] = drawn
        else:
            call[name] = default if default is not Ellipsis and type_ == "int" else float(drawn[0])
    return call


def differs(a, b):
    """Do these gradients differ by more than tests allow?"""
    for x, y in zip(a, b):
        x, y = np.broadcast_arrays(np.asarray(x), np.asarray(y))
        finite = np.isfinite(x)
        if (finite != np.isfinite(y)).any():
            return True
        if (np.abs(x - y)[finite] > FAR * np.maximum(1, np.abs(x[finite]))).any():
            return True
    return False


# ------------------------------------------------------------------------------ the table

Result = collections.namedtuple("Result", "noticed, survivors, why_not")


def judge(row, formula):
    """How many mutants of this formula are noticed, what those are that are not; or why it was not run."""
    program = row.program(formula.of) if row.traceable else None
    if program is None:
        return Result(0, [], "its formula is not a program")
    noticed, survivors, tried = 0, [], examples(row, formula)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = []
        for values in tried:
            try:
                expected.append((values, run(program, values)))
            except Exception:
                pass
        if not expected:
            return Result(0, [], "no sample runs it as a program")
        for mutant in mutants(program):
            if any([is_noticed(program, mutant, values, right) for values, right in expected]):
                noticed += 1
            else:
                survivors.append(f"step {mutant.step}: {mutant.what}")
    return Result(noticed, survivors, None)


def is_noticed(program, mutant, values, right):
    try:
        return differs(right, run(program, values, mutant))
    except Exception:
        return True


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    noticed, survivors, left_out = 0, {}, {}
    for row in [kinds.ROWS[name] for name in parser.parse_args().rows] or ledger.rows():
        for formula in row.formulas:
            result = judge(row, formula)
            noticed += result.noticed
            if result.why_not:
                left_out[row.name, formula.of] = result.why_not
            if result.survivors:
                survivors[row.name, formula.of] = result.survivors
    for (row, of), several in survivors.items():
        for each in several:
            print(f"survived: {row} {of}: {each}")
    for why, n in collections.Counter(left_out.values()).items():
        print(f"{n} formulas not run: {why}: {[names for names, reason in left_out.items() if reason == why]}")
    total = sum(map(len, survivors.values()))
    print(f"{noticed + total} mutants, {noticed} noticed, {total} survived in {len(survivors)} formulas")
    return int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main())
