"""The report of gradcheck: which derivative is wrong, where it is worst, by how much, and the likely cause.

    Jacobian mismatch for output 0 with respect to input 1,
      worst entry   d output[1, 2] / d input[2]
      numerical     4
      analytical    12    (analytical / numerical = 3)
      entries       6 of 18 differ by more than 1e-05 + 0.001 * |numerical|
      likely cause  a constant factor: every entry is 3 times what it should be.
      where         Scale.backward: the only custom Function on the way

Two matrices printed one above the other would say the same, but only to a trained eye.  The first line is PyTorch's;
diagnosis.py finds the cause. """

import numpy as np

from minigrad._core.graph import Node
from minigrad._core.runtime.errstate import quiet
from minigrad.autograd.function.context import BackwardCFunction
from minigrad.autograd.gradcheck.diagnosis import batched_cause, likely_cause
from minigrad.autograd.gradcheck.jacobians import differentiable, directions, outputs_of, part_of, pulled_jacobian

__all__ = ["describe", "describe_batched", "second_order"]


def describe(case, atol, rtol):
    """The report on a matrix that differs from the measured one; ``case`` is a `Mismatch`."""
    a, n = case.analytical, case.numerical
    with quiet():
        excess = np.abs(a - n) - (atol + rtol * np.abs(n))
        worst = np.unravel_index(np.argmax(np.where(np.isnan(excess), np.inf, excess)), excess.shape)
        cause = likely_cause(case, worst, atol, rtol)
    wrong = ~np.isclose(a, n, rtol, atol)
    computed = "" if case.mode == "reverse" else " computed with forward mode"
    lines = [
        f"{_part(case)}Jacobian{computed} mismatch for output {case.point.places.index(case.place)} with respect to "
        f"input {case.number},",
        f"worst entry   d output{_at(case.output_shape, worst[1])} / d input{_at(case.input_shape, worst[0])}",
        f"numerical     {n[worst]:.8g}",
        f"analytical    {a[worst]:.8g}{_ratio('analytical / numerical', a[worst], n[worst])}",
        f"entries       {wrong.sum()} of {wrong.size} differ by more than {atol:g} + {rtol:g} * |numerical|",
    ]
    if cause:
        lines.append(f"likely cause  {cause}")
    if case.mode == "forward":
        lines.append(f"other mode    {_reverse_mode(case, atol, rtol)}")
    return "\n  ".join(lines + _where([case.output], case.rule))


def describe_batched(point, what, output_number, input_number, alone, together):
    """The report on derivatives that differ when they are computed as a batch (vmap)."""
    if what == "gradient":
        failed = "gradcheck or gradgradcheck failed while testing batched gradient computation."
    else:
        failed = "gradcheck failed while testing batched gradient computation with forward-mode AD."
    wrong = ~np.isclose(together, alone)
    worst = np.unravel_index(np.argmax(np.abs(together - alone)), alone.shape)
    place = f"{list(map(int, worst[1:]))} of " if alone.ndim > 1 else ""
    lines = [
        f"For output {output_number} and input {input_number}: {failed}",
        f"worst entry   {place}{what} number {worst[0]} of two",
        f"one by one    {alone[worst]:.8g}",
        f"at once       {together[worst]:.8g}{_ratio('at once / one by one', together[worst], alone[worst])}",
        f"entries       {wrong.sum()} of {wrong.size} differ",
        f"likely cause  {batched_cause(what, alone, together)}",
    ]
    return "\n  ".join(lines)


def second_order(report, func, inputs, grad_outputs):
    """The report on the function "gradients of func", in the terms of ``func``."""
    lines = report.removesuffix(" [MG501]").split("\n  ")
    outputs = differentiable(outputs_of(func, inputs))
    first, many = len(differentiable(inputs)), len(grad_outputs)
    lines.append("terms         each output is the gradient of an input of the function; "
                 + (f"input {first} is grad_outputs" if many == 1 else f"inputs {first} to {first + many - 1} are "
                    f"grad_outputs"))
    blamed = _functions_with_intermediates(outputs)
    if blamed:
        lines = [line for line in lines if not line.startswith("likely cause")] + [f"likely cause  {blamed}"]
    elif any([f"no {what} arrives" in line for line in lines for what in ("gradient", "tangent")]):
        lines.append("              backward is differentiated here, so it must be made of differentiable operations "
                     "on ctx.saved_tensors and on the gradients that it receives")
    if not any([line.startswith("where") for line in lines]):
        lines += _where(outputs, "backward")
    return "\n  ".join(lines)


# ------------------------------------------------------------------------------ the parts of a report


def _part(case):
    """For complex numbers, the part in question: one of two real outputs, or one of two directions of the input."""
    reverse = case.mode == "reverse"
    if not (case.output if reverse else case.target).is_complex():
        return ""
    part = "imaginary" if case.direction == 1j else "real"
    return f"While considering the {part} part of complex {'outputs' if reverse else 'inputs'} only, "


def _at(shape, flat):
    index = np.unravel_index(flat, shape) if shape else ()
    return f"[{', '.join([str(int(i)) for i in index])}]" if shape else ""


def _ratio(name, a, n):
    return f"    ({name} = {a / n:.6g})" if a and n and np.isfinite(a) and np.isfinite(n) else ""


def _reverse_mode(case, atol, rtol):
    """Forward mode is wrong; is reverse mode too?"""
    point, measured = case.point, case.point.known[case.number][case.place]
    right = all([np.allclose(pulled_jacobian(point, case.place, direction)[case.number], part_of(measured, direction),
                             rtol, atol)
                 for direction in directions(case.output)])
    if right:
        return "the gradient of reverse mode is right: the mistake is in the forward derivative alone."
    return "the gradient of reverse mode is wrong too: the mistake is in what the two share."


def _where(outputs, method):
    """A line that names the custom Functions between inputs and outputs, if any: the built-in operations have been
    checked already."""
    names = sorted({Node.name(node).removesuffix("Backward") for node in _custom_functions(outputs)})
    if not names:
        return []
    if len(names) == 1:
        return [f"where         {names[0]}.{method}: the only custom Function on the way"]
    return [f"where         one of the custom Functions on the way: "
            f"{', '.join([f'{name}.{method}' for name in names])}"]


def _custom_functions(outputs):
    """The nodes of custom Functions in the graphs of ``outputs``."""
    seen, waiting = set(), [x.grad_fn for x in outputs]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, BackwardCFunction):
            yield node
        waiting.extend([following for following, _ in node.next_functions])


def _functions_with_intermediates(outputs):
    """A sentence that names the custom Functions which saved an intermediate, with the remedy; "" if there are none."""
    found = {}
    for node in _custom_functions(outputs):
        places = [*[f"saved_tensors[{i}]" for i in node._intermediates], *node._intermediates_kept()]
        if places:
            found[Node.name(node)] = ", ".join(places)
    return "; ".join([
        f"{name} saved an intermediate of forward ({places}), through which no second derivative flows: recompute it "
        "in backward or return it as an output."
        for name, places in found.items()
    ])
