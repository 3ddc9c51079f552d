"""Say why a derivative is wrong: from two Jacobians that differ, the mistake that explains the difference.

`gradcheck` (gradcheck.py) measures a Jacobian and computes it; where the two differ, `describe` writes the report.
One idea: the usual mistakes leave fingerprints.  A forgotten minus sign makes *every* entry the negative of the
measured one; a forgotten transpose makes it right after exchanging two axes; a sum that was not taken leaves zeros
where the measurement has none.  So each suspicion is a small function that undoes one mistake and looks whether
the two then agree.  The suspicions are tried in order, the surest first, and the first that holds is told.

All matrices here have a row for each entry of the input and a column for each entry of the output.
"""

import numpy as np

from minigrad._core.graph import Tensor

__all__ = ["Jacobian", "describe"]


class Jacobian:
    """The case: one output against one input, with all that a suspicion may want to look at."""

    def __init__(self, func, inputs, target, outputs, place, direction, analytical, measured, number):
        self.func, self.inputs, self.target, self.place, self.direction = func, inputs, target, place, direction
        self.output = outputs[place]
        self.analytical, self.numerical = analytical, measured[number]
        self.number = number  # of the input, among those that require grad
        self.others = [other for i, other in enumerate(measured) if i != number]
        self.shapes = target._array.shape, self.output._array.shape

    def value(self):
        """The output as the function gives it now, flat."""
        outputs = self.func(*self.inputs)
        outputs = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
        floating = [x for x in outputs if isinstance(x, Tensor) and (x.is_floating_point() or x.is_complex())]
        value = np.array(floating[self.place]._array).reshape(-1)
        return value.imag if self.direction == 1j else value.real


def describe(case, output_number, atol, rtol, eps):
    """The report: which entry is worst, what it is and should be, how many there are, and the likely cause."""
    analytical, numerical = case.analytical, case.numerical
    with np.errstate(all="ignore"):
        excess = np.abs(analytical - numerical) - (atol + rtol * np.abs(numerical))
        wrong = ~np.isclose(analytical, numerical, rtol, atol)
        worst = np.unravel_index(np.argmax(np.where(np.isnan(excess), np.inf, excess)), excess.shape)
        ratio = analytical[worst] / numerical[worst] if numerical[worst] and analytical[worst] else np.inf
        cause = _likely_cause(case, worst, atol, rtol, eps)
    lines = [
        f"Jacobian mismatch for output {output_number} with respect to input {case.number},",
        f"  worst entry   d output{_at(case.shapes[1], worst[1])} / d input{_at(case.shapes[0], worst[0])}",
        f"  numerical     {numerical[worst]:.8g}",
        f"  analytical    {analytical[worst]:.8g}{f'    (analytical / numerical = {ratio:.6g})' if np.isfinite(ratio) else ''}",
        f"  entries       {wrong.sum()} of {wrong.size} differ by more than {atol:g} + {rtol:g} * |numerical|",
    ]
    if cause:
        lines.append(f"  likely cause  {cause}")
    if case.output.is_complex():
        part = "imaginary" if case.direction == 1j else "real"
        lines[0] = f"While considering the {part} part of complex outputs only, " + lines[0]
    return "\n".join(lines)


def _at(shape, flat):
    index = np.unravel_index(flat, shape) if shape else ()
    return f"[{', '.join(str(int(i)) for i in index)}]" if shape else ""


def _likely_cause(case, worst, atol, rtol, eps):
    a, n = case.analytical, case.numerical
    if not np.array_equal(case.value(), case.value()):
        return "the function is not deterministic: two calls with the same input give different values."
    if not np.isfinite(a).all():
        return "backward gives nan or inf: a division by zero, or a logarithm or a root at the edge of its domain."
    if not np.isfinite(n).all():
        return "the function itself gives nan or inf near this input: choose an input inside its domain."

    def agree(x, y):
        return x.shape == y.shape and np.allclose(x, y, max(rtol, 1e-3), atol)

    single = [x for x in (case.target, case.output) if x._array.dtype not in (np.float64, np.complex128)]
    if single and np.abs(a - n).max() <= 0.1 * np.abs(n).max():
        return (
            f"the precision of {single[0].dtype}: a step of {eps:g} disappears in its rounding. Check in double "
            "precision (x.double()), or with larger eps, atol and rtol."
        )
    for suspicion in _SUSPICIONS:
        cause = suspicion(case, worst, agree, eps)
        if cause:
            return cause
    return ""


def _nothing(case, worst, agree, eps):
    if not case.analytical.any():
        return (
            "no gradient arrives: backward returns None or zeros for this input, or the graph is cut on the way "
            "(detach(), .data, .item(), numpy(), no_grad)."
        )
    if not case.numerical.any():
        return "the function does not change with this input, yet backward gives it a gradient."


def _kink(case, worst, agree, eps):
    """Measure to the left and to the right of the worst entry."""
    i, j = worst
    array = case.target._array
    index = np.unravel_index(i, array.shape) if array.shape else ()
    start = array[index]
    try:
        middle = case.value()[j]
        array[index] = start + eps
        right = (case.value()[j] - middle) / eps
        array[index] = start - eps
        left = (middle - case.value()[j]) / eps
    finally:
        array[index] = start
    if abs(right - left) > 0.05 * max(abs(right), abs(left)) + 1e-3:
        return (
            f"the function has a kink or a jump at this point (slope {left:.4g} on the left, {right:.4g} on the right), so "
            "there is no derivative to compare with. Choose another input."
        )


def _factor(case, worst, agree, eps):
    a, n = case.analytical, case.numerical
    factor = np.vdot(n, a) / np.vdot(n, n).real
    if not factor or not agree(a, factor * n):
        return None
    if abs(factor.imag) > 1e-4 * abs(factor):
        return f"every entry is {factor:.4g} times what it should be: a constant complex factor."
    factor = factor.real
    if abs(factor + 1) < 1e-3:
        return "the sign: every entry is the negative of what it should be."
    stretched = a.shape[1] / a.shape[0]
    if stretched > 1 and abs(factor * stretched - 1) < 1e-3:
        return (
            f"every entry is {factor:.6g} of what it should be, and the input was broadcast {stretched:g} times: the gradient "
            "is averaged (mean) over the broadcast axes where it must be summed."
        )
    return f"a constant factor: every entry is {factor:.6g} times what it should be."


def _conjugate(case, worst, agree, eps):
    a, n = case.analytical, case.numerical
    if np.iscomplexobj(n) and n.imag.any() and (agree(a, n.conj()) or agree(a, -n.conj())):
        return (
            "a conjugate is missing or too much: for a holomorphic function backward returns the incoming gradient times "
            "the conjugate of the derivative."
        )


def _ignored_cotangent(case, worst, agree, eps):
    a = case.analytical
    if a.shape[1] > 1 and agree(a, a[:, :1] + np.zeros_like(a)):
        return "backward returns the same whatever gradient it receives: multiply by the incoming gradient."


def _transpose(case, worst, agree, eps):
    a, n = case.analytical, case.numerical
    for axis, what in enumerate(("the gradient", "the incoming gradient")):
        shape = case.shapes[axis]
        if len(shape) < 2:
            continue
        as_rows, target = (a, n) if axis == 0 else (a.T, n.T)
        stack = as_rows.reshape(*shape[:-2], shape[-2], shape[-1], -1)
        if shape[-1] == shape[-2] and agree(np.swapaxes(stack, -2, -3).reshape(as_rows.shape), target):
            return f"a transpose: with its last two axes exchanged, {what} is right."
        reread = as_rows.reshape(*shape[:-2], shape[-1], shape[-2], -1)
        if agree(np.swapaxes(reread, -2, -3).reshape(as_rows.shape), target):
            return f"a reshape where a transpose is meant: {what} has the right values in the wrong order."


def _exchanged(case, worst, agree, eps):
    for i, other in enumerate(case.others):
        if agree(case.analytical, other):
            number = i + (i >= case.number)
            return (
                f"this is the gradient of input {number}: backward returns its gradients in another order than forward takes "
                "its arguments."
            )


def _missing_sum(case, worst, agree, eps):
    a, n = case.analytical, case.numerical
    kept = a != 0
    if a.shape[0] < a.shape[1] and n[~kept].any() and agree(a[kept], n[kept]):
        return (
            "a sum is missing: the input was broadcast, so its gradient must be summed over the broadcast axes; here only "
            "some of the outputs contribute."
        )


def _extra_factor(case, worst, agree, eps):
    """For an elementwise function: is the ratio of the two the input itself, or the output, or one over it?"""
    a, n = case.analytical, case.numerical
    if case.shapes[0] != case.shapes[1] or len(a) < 2 or not np.diag(n).all():
        return None
    ratio = np.diag(a) / np.diag(n)
    x, y = np.array(case.target._array).reshape(-1), case.value()
    for name, value in (("the input", x), ("the output", y)):
        if agree(ratio, value):
            return f"a factor too much: every entry is {name}, at its place, times what it should be."
        if value.all() and agree(ratio, 1 / value):
            return f"a factor is missing: every entry should be multiplied by {name} at its place."


def _zeros(case, worst, agree, eps):
    a, n = case.analytical, case.numerical
    small = 1e-6 * np.abs(n).max()
    kept = np.abs(a) > small
    if n[~kept].any() and agree(a[kept], n[kept]):
        return "some entries get no gradient where they should: a mask, an index or a branch leaves them out."
    real = np.abs(n) > small
    if a[~real].any() and agree(a[real], n[real]):
        return "gradient goes to entries that have no influence: a mask, an index or a branch is missing."


# The surest first; a kink before all others but the plainest, because it makes any comparison meaningless.
_SUSPICIONS = (
    _nothing,
    _kink,
    _factor,
    _conjugate,
    _ignored_cotangent,
    _transpose,
    _exchanged,
    _missing_sum,
    _extra_factor,
    _zeros,
)
