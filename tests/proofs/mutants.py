"""Mutation of the table: every formula is spoilt in every small way, and each spoilt one must be noticed.

A *mutant* is the program of a formula with one step changed:

    sign, factor        the negative of the step, or twice it
    drop                an operand in place of the step: a term, a factor, a transposition or a mask is missing
    swap                its two operands exchanged
    other               an operand replaced by another input of the formula
    constant            a constant replaced by its negative, or by one more

It runs on what the formula is tested with: the calls to which the samples lead (tests/ops/calling.py), where a row is
linear those with integers (exact.py), and for elementwise rows points as in Note [Regions], where the proof holds the
formula to the derivative.  It is noticed if the gradient differs on one of them by more than tests allow, or if it
cannot be computed.  What is not noticed must be on the list EQUIVALENT, with the reason why it is the same derivative.
"""

import argparse
import collections
import functools
import random
import re
import sys
import warnings

import numpy as np

import minigrad
from minigrad._core.dispatch.compute import on_arrays
from minigrad.ops import exports
from tests.ops.calling import calls_of_rows

from . import exact, ledger
from .meanings import ANY, DOMAINS
from .symbolic import parameters, variants

#: calls that no sample makes, draws and where a mask begins: row -> [the arguments of a call, ...]
FURTHER = {"special_xlog1py": [[np.array([0.0, 0.0]), np.array([-0.75, -1.5])]],
           "standard_gamma": [[np.array([0.4, 1.5, 7.0]), minigrad.Generator().manual_seed(0)]],
           "sample_dirichlet": [[np.array([[[0.4, 1.5, 7.0]], [[3.0, 2.0, 0.9]]]),
                                 minigrad.Generator().manual_seed(0)]]}
FAR = 1e-6              # of the size of a gradient: what comparisons with finite differences notice
CALLS, POINTS = 40, 120

Mutant = collections.namedtuple("Mutant", "step, what, change")

#: (pattern of "row input: change", why it gives the same gradient, or what else notices it)
EQUIVALENT = [
    (r"(share_of|share_of_rows|at_rows) with input", "only the shape of that operand counts"),
    (r"^cosine |^binary_cross_entropy_slope self: step [456]", "it changes 1e-12, which keeps a denominator from zero"),
    (r"^binary_cross_entropy_slope self: step 7: -mul", "its square is taken"),
    (r"^lstm_(gate|tanh)_backward .*-tanh", "its square is taken"),
    (r"^atan2 .*radius", "the radius is symmetric, and divided by twice"),
    (r"^bessel_i", "I(-n) is I(n)"), (r"^special_i1e? self: step 1: ", "I(-n) is I(n)"),
    (r"^special_i1e self: .*sign", "the function has the sign of its argument"),
    (r"^copysign", "the quotient of the two is 1 or -1"),
    (r"^mish ", "beyond 20 the two are equal to the last bit"),
    (r"^softplus_slope self", "beyond the threshold the result is 1 and the rest of the product 0, to rounding"),
    (r"^(times_or_zero |hypotenuse self: .*times_or_zero swapped)",
     "it differs only where one operand is 0 and the other inf"),
    (r"^pow_tensor_slope exponent: step [23]", "that operand counts only where self is 0"),
    (r"^xlogy self: step 2: (2 add|add with input 2)", "a number is below zero if its double is"),
    (r"^(xlogy|special_xlog1py) self: .*(operand 1 for add|le with input 2)",
     "it only counts where self is 0, and there self + other is other"),
    (r"^times_log self: step [12]", "it only counts where self is 0, and the slope inf"),
    (r"^(addr|outer_product|state_rows) .*transpose with - constant", "of two dims -1 is the last one"),
    (r"^_ctc_loss .*unsqueeze", "of one dim, 1 and -1 are the same new one"),
    (r"^state_rows state: .*mm with input 1", "that input is the same matrix, transposed"),
    (r"^singular_values_kept A: ", "spectral_kept reads of A only its shape and dtype, if U and Vh are given"),
    (r"^solve_kept \w: .*solve_again with input \d for operand 0",
     "if L and U are given, A counts in derivatives alone: test_solutions_whose_factors_are_kept"),
    (r"^norm_backward input: .*line_deviation", "of that operand only the shape and dtype count"),
    (r"^native_\w+(\.fixed)? \w+: .*constant", "over the channels: 1, 2 and their negatives name the same rule"),
    (r"^as_strided_", "the strides of a tensor without gaps are those that are asked for"),
    (r"^avg_pool_again ", "both are True or False, and mean the same where no window goes beyond the edge"),
    (r"^(prod|cumprod|prod.dim_int) self: .*(as_multiplied|product_of_others|conj) ?",
     "the two are equal but for their dtype, if the product has another"),
    (r"^product_of_others self: .*scan", "what is counted beyond the end is multiplied by 0"),
    (r"^exclusive_cumprod self: ", "only the sign of the direction counts"),
    (r"^(cholesky_ex|linalg_cholesky) A: ", "of real matrices; test_decompositions.py differentiates complex ones"),
    (r"^logcumsumexp self: ", "it counts only beside -inf: tests/proofs/test_mutants.py"),
]


def why_equivalent(row, of, survivor):
    return next((why for pattern, why in EQUIVALENT if re.search(pattern, f"{row} {of}: {survivor}")), None)


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


def mutants(program, values):
    """Every small change; ``values`` of the inputs tell which of them could be mistaken for another."""
    inputs = range(1, program.n_inputs)
    types = [type(value) for value in (*values, *program.constants)] + [np.ndarray] * len(program.steps)
    constants = range(program.n_inputs, program.n_inputs + len(program.constants))
    for i, (op, places) in enumerate(program.steps):
        if op.name != "zeros_of":
            yield Mutant(i, f"-{op.name}", lambda op, given, all_of_them: negative(on_arrays(op, *given)))
        if op.name not in {"zeros_of", *MASKS}:
            yield Mutant(i, f"2 {op.name}", lambda op, given, all_of_them: 2 * on_arrays(op, *given))
        for k, place in enumerate(places):
            yield Mutant(i, f"operand {k} for {op.name}", lambda op, given, all_of_them, k=k: given[k])
            for other in inputs:
                if other != place and types[other] is types[place]:
                    yield Mutant(i, f"{op.name} with input {other} for operand {k}",
                                 lambda op, given, all_of_them, k=k, other=other:
                                 on_arrays(op, *given[:k], all_of_them[other], *given[k + 1:]))
            if place in constants and type(program.constants[place - program.n_inputs]) in (int, float):
                for what, changed in ("-", lambda c: -c), ("1 +", lambda c: 1 + c):
                    constant = program.constants[place - program.n_inputs]
                    if changed(constant) == constant:
                        continue
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
    calls[:0] = [dict(zip(names, call)) for call in FURTHER.get(row.name, [])]
    rng = np.random.default_rng(len(row.name))
    if row.kind == "elementwise":
        mine = [variant for variant in variants(row) if formula.of not in variant]
        calls = [points(rng, row, variant, formula.of) for variant in mine] + calls
    calls = calls[:CALLS]
    if formula.of in exact.linear_in(row):
        calls = [{name: exact.with_integers(rng, each, row.name in exact.POSITIVE) for name, each in call.items()}
                 for call in exact.sampled(row)] + calls
    for call in calls:
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
            inputs = [known[name] for name in formula.names]
            found += [[d, *inputs] for d in perturbations(rng, row, outputs)]
    return found


def shape_of(x):
    return [shape_of(each) for each in x] if isinstance(x, (list, tuple)) else getattr(x, "shape", None)


def perturbations(rng, row, outputs):
    """Yield what the formula may be handed: the cotangent of the one output that has a gradient, or those of all."""
    if isinstance(outputs, np.ndarray):
        yield numbers(rng, outputs)
    else:
        several = [numbers(rng, each) for each in outputs if each.dtype.kind in "fc"]
        yield several
        if not row.list_output:
            yield several[0]


def numbers(rng, like):
    found = rng.standard_normal(like.shape)
    return np.asarray(found + 1j * rng.standard_normal(like.shape) if like.dtype.kind == "c" else found, like.dtype)


def points(rng, row, variant, of):
    """A call of an elementwise row with many points at once, and numbers for its options."""
    domains, call = DOMAINS.get(row.name, {}), {}
    for name, type_, default, _ in parameters(row):
        low, high = map(float, domains.get(name, ANY))
        drawn = low + (high - low) * (rng.integers(1, 997, POINTS) / 997)
        if name in ("mask", "condition"):
            drawn = drawn > 0
        elif low < 0 or low == 0 and name != of:
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
        return Result(0, [], "cannot be programs: their texts are spoilt (text_mutants.py)")
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
            return Result(0, [], "are errors on purpose" if (row.name, formula.of) in refused() else
                          "are not run: no sample calls them")
        for mutant in mutants(program, expected[0][0]):
            if any([is_noticed(row, program, mutant, values, right) for values, right in expected]):
                noticed += 1
            else:
                survivors.append(f"step {mutant.step}: {mutant.what}")
    return Result(noticed, survivors, None)


@functools.cache
def refused():
    """The formulas that are an error on purpose: (row, input)."""
    return {(each.row, each.of) for each in ledger.read() if each.means == "refused"}


def is_noticed(row, program, mutant, values, right):
    try:
        found = run(program, values, mutant)
        if row.kind != "elementwise" and list(map(np.shape, found)) != list(map(np.shape, right)):
            return True
        return differs(right, found)
    except Exception:
        return True


def main():
    from . import text_mutants
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW")
    noticed, survivors, left_out = 0, [], collections.Counter()
    rows = [exports.ROWS[name] for name in parser.parse_args().rows] or ledger.rows()
    for row in rows:
        for formula in row.formulas:
            result = judge(row, formula)
            noticed += result.noticed
            left_out[result.why_not] += 1
            for each in result.survivors:
                survivors.append((f"{row.name} {formula.of}: {each}", why_equivalent(row.name, formula.of, each)))
    for function in text_mutants.functions(rows):
        result = text_mutants.judge(function)
        noticed += result.noticed
        survivors += [(each, text_mutants.why_equivalent(each)) for each in result.survivors]
    for each, why in survivors:
        print(f"the same: {each} ({why})" if why else f"SURVIVED: {each}")
    for why, n in left_out.items():
        if why is not None:
            print(f"{n} formulas {why}")
    survived = len([why for _, why in survivors if why is None])
    needless = [why for _, why in (*EQUIVALENT, *text_mutants.EQUIVALENT) if why not in {why for _, why in survivors}]
    for why in needless if rows == ledger.rows() else ():
        print(f"NEEDLESS: no mutant is left to which this applies: {why}")
    print(f"{noticed + len(survivors)} mutants: {noticed} noticed, {len(survivors) - survived} the same derivative, "
          f"{survived} survived")
    return int(survived > 0 or rows == ledger.rows() and len(needless) > 0)


if __name__ == "__main__":
    sys.exit(main())
