"""Rows are made: read, checked, turned into an Op, and published."""

import inspect

import numpy as np

from minigrad._core.dispatch.op import Op
from minigrad._core.kernels.table import Kernel

from . import columns
from .exports import ROWS, publish_row
from .lazy import fill, is_written
from .schema import parse


def row(kind, schema, kernel, **keywords):
    """Make a row of this kind, and publish it: ``linalg_det`` as ``minigrad.linalg.det``, as in PyTorch's table.

    Of the keywords, those in columns.py say what there is to say of it; the others are its formulas.
    """
    name, params = parse(schema)
    *groups, orders = columns.read(keywords)
    computes, differentiates, called, forms, batched = groups
    check(name, kind, params, kernel, keywords, computes, differentiates, batched)
    awaited = ROWS.get(name) if is_written(ROWS.get(name)) else None
    op = fill(awaited, Op, name, kind, params, kernel, keywords, *groups)
    if awaited is None:                 # else it is published already
        publish_row(op, called, forms)
        ROWS[name] = op
    if vars(orders):
        columns.ORDERS[op] = orders
    return op


def check(name, kind, params, kernel, formulas, computes, differentiates, batched):
    """Refuse a row that would not do what it says, above all one that would lose a gradient."""
    if name in ROWS and not is_written(ROWS.get(name)):
        raise ValueError(f"{name}: there is a row {name!r} already")
    names = [parameter for parameter, *_ in params]
    tensors = {parameter for parameter, type_, _, _ in params if type_.startswith("Tensor")}
    for fault in (*_faults_of_formulas(kind, names, tensors, formulas, computes, differentiates),
                  *_faults_of_columns(kind, names, tensors, params, computes, batched),
                  *_faults_of_kernels(params, kernel, computes)):
        raise ValueError(f"{name}: {fault}")


def _faults_of_formulas(kind, names, tensors, formulas, computes, differentiates):
    no_gradient, differentiable = differentiates.no_gradient, differentiates.differentiable
    if columns.NAMES & tensors:
        yield (f"a tensor may not be called {min(columns.NAMES & tensors)!r}, which is an option of rows: its formula "
               "would not be seen")
    if formulas.keys() - tensors:
        wrong = min(formulas.keys() - tensors)
        yield f"a formula for {wrong!r}, which is " + ("not an input" if wrong not in names else "not a tensor")
    if formulas and kind in ("piecewise_constant", "not_differentiable"):
        yield f"formulas, though the kind {kind!r} says that there is nothing to write"
    if no_gradient and not {*no_gradient} <= tensors - formulas.keys():
        yield f"no_gradient={no_gradient} names what is not a tensor, or has a formula"
    if differentiable and computes.outputs != "list" and not {*differentiable} <= {*(computes.outputs or ())}:
        yield f"differentiable={differentiable} names what is not among its outputs, {computes.outputs}"
    if computes.outputs == "list" and any(["result" in _arguments(formula) for formula in formulas.values()]):
        yield "a formula that names result, which is not saved of a list of outputs: compute it again from the inputs"


def _faults_of_columns(kind, names, tensors, params, computes, batched):
    if computes.promote not in (None, "common", "float") or not {*(computes.promote_args or ())} <= {*names}:
        yield (f"promote={computes.promote!r}, promote_args={computes.promote_args}: it is None, 'common' or 'float', "
               "and speaks of parameters")
    if computes.read_first and not {*computes.read_first} <= tensors:
        yield f"read_first={computes.read_first} names what is not a tensor"
    if kind == "view" and params[0][1] != "Tensor":
        yield "the first parameter of a view is the tensor that it shows"
    if batched.batch not in (None, "loop", "as it lies"):
        yield f"batch={batched.batch!r}: it is 'loop' or 'as it lies', or it is left out"


def _faults_of_kernels(params, kernel, computes):
    fast, plain = computes.fast, computes.plain
    if fast is not None and not all([isinstance(each, (Kernel, np.ufunc)) for each in _kernels_in(fast)]):
        yield (f"fast={fast!r} is not a kernel in C: those are in minigrad._core.kernels.table, as in "
               "fast=kernels.softmax")
    if plain is not None and not _takes(plain, len([parameter for parameter in params if not parameter[3]])):
        yield "its plain kernel does not take one argument for each parameter that has a place"
    if not _takes(kernel, len(params)):
        yield f"its kernel does not take {len(params)} arguments, one for each of {[name for name, *_ in params]}"


def _arguments(formula):
    """The names that a formula asks for."""
    code = getattr(formula, "__code__", None)
    return code.co_varnames[:code.co_argcount] if code is not None else ()


def _kernels_in(fast):
    """The kernels in C of a row: one, or one for each name, each by itself or before its operands."""
    several = fast.values() if isinstance(fast, dict) else [fast]
    return [each[0] if isinstance(each, tuple) else each for each in several]


def _takes(kernel, n):
    """Can the kernel be called with ``n`` arguments?

    inspect.signature would tell, and take half of the time of the import.
    """
    code = None if isinstance(kernel, np.ufunc) else getattr(kernel, "__code__", None)
    if code is None:
        return getattr(kernel, "nin", n) == n
    least = code.co_argcount - len(kernel.__defaults__ or ())
    return least <= n and (n <= code.co_argcount or code.co_flags & inspect.CO_VARARGS)
