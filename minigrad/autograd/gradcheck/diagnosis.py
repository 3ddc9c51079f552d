"""Explain why a derivative is wrong: two Jacobians differ, and one mistake explains the difference.

`gradcheck` measures a Jacobian and computes it; if the two differ, `likely_cause` supplies the last line of the
report.  One idea: the usual mistakes leave fingerprints.  A forgotten minus sign makes *every* entry
the negative of the measured one; a forgotten transpose comes right when two axes are exchanged; a forgotten sum
leaves zeros where the measurement has none.  So each suspicion is a small function that undoes one mistake and
checks whether the two then agree.  The suspicions are tried in order, the most specific first, and the first that
holds is reported.

All matrices here have a row for each entry of the input and a column for each entry of the output.  In reverse mode
`backward` makes the columns out of incoming gradients, in forward mode `jvp` makes the rows out of incoming tangents.
"""

import numpy as np

__all__ = ["Mismatch", "batched_cause", "likely_cause"]


class Mismatch:
    """One output with respect to one input, and everything that a suspicion may look at."""

    def __init__(self, point, mode, number, place, direction, analytical, measured):
        self.point, self.mode = point, mode
        # of the input among the targets, of the output among the outputs
        self.number, self.place = number, place
        self.target, self.output = point.targets[number], point.outputs[place]
        self.direction = direction
        self.analytical, self.measured = analytical, measured
        self.numerical = measured[number][place]
        self.input_shape, self.output_shape = self.target._array.shape, self.output._array.shape
        self.rule, self.result = ("backward", "gradient") if mode == "reverse" else ("jvp", "tangent")

    def value(self):
        """The output as the function gives it now, flat."""
        value = self.point.values()[self.place]
        if self.mode == "forward":
            return value
        return value.imag if self.direction == 1j else value.real

    def of_nothing(self):
        """The gradient for a cotangent of zeros, or the tangent for a tangent of zeros."""
        if self.mode == "reverse":
            return self.point.pulled(self.place, np.zeros(self.output._array.size))[self.number]
        return self.point.pushed(self.number, np.zeros(self.target._array.size))[self.place]

    def entry(self, worst, eps):
        """The worst entry, measured again with another step."""
        u = np.zeros(len(self.numerical))
        u[worst[0]] = 1
        return self.point.measured(self.target, u, eps)[self.place][worst[1]]


def likely_cause(case, worst, atol, rtol):
    """The cause in a sentence or two, or "" if no usual mistake explains the difference."""
    a, n = case.analytical, case.numerical
    if not np.array_equal(case.value(), case.value(), equal_nan=True):
        return "the function is not deterministic: two calls with the same input give different values."
    if not np.isfinite(a).all():
        return f"{case.rule} gives nan or inf: a division by zero, or a logarithm or a root at the edge of its domain."
    if not np.isfinite(n).all():
        return "the function itself gives nan or inf near this input: choose an input inside its domain."

    def agree(x, y):
        return x.shape == y.shape and np.allclose(x, y, max(rtol, 1e-3), atol)

    single = [x for x in (case.target, case.output) if x._array.dtype not in (np.float64, np.complex128)]
    if single and np.abs(a - n).max() <= 0.1 * np.abs(n).max():
        return (
            f"the precision of {single[0].dtype}: a step of {case.point.eps:g} disappears in its rounding. Check in "
            "double precision (x.double()), or with larger eps, atol and rtol."
        )
    for suspicion in _SUSPICIONS:
        cause = suspicion(case, worst, agree)
        if cause:
            return cause
    return ""


# ------------------------------------------------------------------------------ nothing there, or not comparable


def _nothing(case, worst, agree):
    if not case.analytical.any():
        return (
            f"no {case.result} arrives: {case.rule} returns None or zeros for this input, or the path is cut "
            "(detach(), .data, .item(), numpy(), no_grad)."
        )
    if not case.numerical.any():
        return f"the function does not change with this input, yet {case.rule} gives it a {case.result}."


def _shared_memory(case, worst, agree):
    """If two inputs share memory, a step in one moves the other too."""
    for i, other in enumerate(case.point.targets):
        if other is not case.target and np.shares_memory(other._array, case.target._array):
            return (f"inputs {case.number} and {i} share memory, so that a step in one moves the other too. Pass a "
                    "clone() of one of them.")


def _lost_precision(case, worst, agree):
    """If the measurement agrees with a larger step, it was at fault, not the derivative."""
    if case.target.is_complex() or case.output.is_complex():
        return None
    slope = case.analytical[worst]
    if abs(case.entry(worst, 1e3 * case.point.eps) - slope) < 0.02 * abs(slope):
        return (
            f"the measurement rather than the derivative: with steps of {1e3 * case.point.eps:g} the two agree. The "
            "function loses precision inside (a cast to float32?), or its values are noisy. Compute in double "
            "precision throughout, or pass a larger eps."
        )


def _kink(case, worst, agree):
    """Measure to the left and to the right of the worst entry."""
    (i, j), array, eps = worst, case.target._array, case.point.eps
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
            f"the function has a kink or a jump at this point (slope {left:.4g} on the left, {right:.4g} on the "
            "right), so there is no derivative to compare with. Choose another input."
        )


# ------------------------------------------------------------------------------ right except for a factor


def _factor(case, worst, agree):
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
    if case.mode == "reverse" and stretched > 1 and abs(factor * stretched - 1) < 1e-3:
        return (
            f"every entry is {factor:.6g} of what it should be, and the input was broadcast {stretched:g} times: the "
            "gradient is averaged (mean) over the broadcast axes where it must be summed."
        )
    return f"a constant factor: every entry is {factor:.6g} times what it should be."


def _conjugate(case, worst, agree):
    a, n = case.analytical, case.numerical
    if not (np.iscomplexobj(n) and n.imag.any()):
        return None
    if agree(a, n.conj()) or agree(a, -n.conj()):
        if case.mode == "forward":
            return ("one conjugate too many: for a holomorphic function jvp returns the derivative times the incoming "
                    "tangent, neither of them conjugated.")
        return (
            "a conjugate is missing, or there is one too many: for a holomorphic function backward returns the "
            "incoming gradient times the conjugate of the derivative."
        )
    if agree(a, n.real):
        return "the imaginary part is lost: a cast to real numbers, .real or abs() on the way."


def _extra_factor(case, worst, agree):
    """For an elementwise function: is the ratio of the two the input itself, the output, or a reciprocal?"""
    a, n = case.analytical, case.numerical
    if case.input_shape != case.output_shape or len(a) < 2 or not np.diag(n).all():
        return None
    ratio = np.diag(a) / np.diag(n)
    x, y = np.array(case.target._array).reshape(-1), case.value()
    for name, value in (("the input", x), ("the output", y)):
        if agree(ratio, value):
            return f"one factor too many: every entry is what it should be, times {name} at its place."
        if value.all() and agree(ratio, 1 / value):
            return f"a factor is missing: every entry should be multiplied by {name} at its place."


def _ignored(case, worst, agree):
    """Zeros come in, and something else comes out."""
    if not case.of_nothing().any():
        return None
    a = case.analytical if case.mode == "reverse" else case.analytical.T
    if a.shape[1] > 1 and agree(a, a[:, :1] + np.zeros_like(a)):
        return (f"{case.rule} returns the same, whatever {case.result} it receives: multiply by the incoming "
                f"{case.result}.")
    return (f"{case.rule} adds something that does not depend on the incoming {case.result}: each term must be "
            "multiplied by it.")


# ------------------------------------------------------------------------------ right values in the wrong places


def _transpose(case, worst, agree):
    a, n = case.analytical, case.numerical
    results = case.result, f"the incoming {case.result}"
    names = (f"the {results[0]}", results[1]) if case.mode == "reverse" else (results[1], f"the {results[0]}")
    for axis, what in enumerate(names):
        shape = (case.input_shape, case.output_shape)[axis]
        if len(shape) < 2:
            continue
        as_rows, target = (a, n) if axis == 0 else (a.T, n.T)
        stack = as_rows.reshape(*shape[:-2], shape[-2], shape[-1], -1)
        if shape[-1] == shape[-2] and agree(np.swapaxes(stack, -2, -3).reshape(as_rows.shape), target):
            return f"a transpose: with its last two axes exchanged, {what} is right."
        reread = as_rows.reshape(*shape[:-2], shape[-1], shape[-2], -1)
        if agree(np.swapaxes(reread, -2, -3).reshape(as_rows.shape), target):
            return f"a reshape instead of a transpose: {what} has the right values in the wrong order."


def _adjoint(case, worst, agree):
    """J instead of its transpose, or the other way round."""
    if agree(case.analytical, case.numerical.T):
        meant = "the transpose of the Jacobian (J^T d)" if case.mode == "reverse" else "the Jacobian (J t)"
        return (f"the Jacobian is transposed: {case.rule} must multiply by {meant}. A matrix needs .t(), a cumulative "
                "sum runs the other way.")


def _exchanged(case, worst, agree):
    for i, other in enumerate(case.measured):
        if i != case.number and agree(case.analytical, other[case.place]):
            if case.mode == "forward":
                return (f"this is the derivative with respect to input {i}: jvp takes its tangents in a different "
                        "order than forward takes its arguments.")
            return (
                f"this is the gradient of input {i}: backward returns its gradients in a different order than forward "
                "takes its arguments."
            )
    for place, other in enumerate(case.measured[case.number]):
        if place in case.point.places and place != case.place and agree(case.analytical, other):
            number = case.point.places.index(place)
            if case.mode == "forward":
                return (f"this is the derivative of output {number}: jvp returns its tangents in a different order "
                        "than forward returns its outputs.")
            return (f"this is the gradient of output {number}: backward takes its gradients in a different order than "
                    "forward returns its outputs.")


def _missing_sum(case, worst, agree):
    a, n = case.analytical, case.numerical
    kept = a != 0
    if case.mode == "reverse" and a.shape[0] < a.shape[1] and n[~kept].any() and agree(a[kept], n[kept]):
        return (
            "a sum is missing: the input was broadcast, so its gradient must be summed over the broadcast axes; here "
            "only some of the outputs contribute."
        )


def _zeros(case, worst, agree):
    a, n = case.analytical, case.numerical
    small = 1e-6 * np.abs(n).max()
    kept = np.abs(a) > small
    if n[~kept].any() and agree(a[kept], n[kept]):
        return f"some entries get no {case.result} where they should: a mask, an index or a branch leaves them out."
    real = np.abs(n) > small
    if a[~real].any() and agree(a[real], n[real]):
        where = ("goes to entries that have no influence" if case.mode == "reverse"
                 else "arrives at entries that do not depend on the input")
        return f"{case.result} {where}: a mask, an index or a branch is missing."


def _elementwise(case, worst, agree):
    """The matrix is diagonal, although every output depends on several inputs."""
    a, n = case.analytical, case.numerical
    if (case.input_shape == case.output_shape and not (a - np.diag(np.diag(a))).any()
        and (n - np.diag(np.diag(n))).any()):
        return (
            f"{case.rule} treats the function as elementwise, but each output depends on other entries of the input "
            "too: the term that goes through a sum (a mean, a norm, a softmax) is missing."
        )


def _permuted(case, worst, agree):
    """The two have the same rows in different orders."""
    a, n = case.analytical, case.numerical
    for rows, others, what in ((a, n, "entries of the input"), (a.T, n.T, "entries of the output")):
        left = list(range(len(others)))
        for row in rows:
            found = next((k for k in left if agree(row, others[k])), None)
            if found is None:
                break
            left.remove(found)
        else:
            return (f"the right values for the wrong {what}: a permutation, an index, a flip or a roll is undone in "
                    "the wrong direction.")


# The most specific first; before them, anything that makes a comparison meaningless.
_SUSPICIONS = (
    _nothing,
    _shared_memory,
    _lost_precision,
    _kink,
    _factor,
    _conjugate,
    _ignored,
    _transpose,
    _exchanged,
    _adjoint,
    _missing_sum,
    _extra_factor,
    _zeros,
    _elementwise,
    _permuted,
)


# ------------------------------------------------------------------------------ a batch


def batched_cause(what, alone, together):
    """Why two gradients (or tangents) computed as a batch differ from the two computed one by one."""
    def agree(x, y):
        return np.allclose(x, y, 1e-5, 1e-8)

    mapped = (f"Each {what} alone is right, so the mistake is in the mapping: in the vmap staticmethod of a custom "
              "Function, or in the batch rule of an operation.")
    ratio = np.vdot(alone, together) / max(np.vdot(alone, alone).real, 1e-300)
    if not together.any():
        found = f"no {what} arrives."
    elif agree(together, alone[::-1]):
        found = "they come in the wrong order."
    elif agree(together, alone[:1] + np.zeros_like(alone)):
        found = "both equal the first: only the first entry of the batch axis is used."
    elif agree(together, alone.sum(0) + np.zeros_like(alone)) or agree(together, alone.mean(0) + np.zeros_like(alone)):
        found = "they are summed or averaged over the batch axis: a reduction over all axes must leave that one alone."
    elif agree(together, ratio * alone):
        found = "the sign." if agree(ratio,
                                     -1) else f"a constant factor: every entry is {ratio:.6g} times what it should be."
    elif alone.ndim > 2 and alone.shape[-1] == alone.shape[-2] and agree(np.swapaxes(together, -1, -2), alone):
        found = "a transpose: with its last two axes exchanged each is right."
    elif agree(np.sort(together, axis=None), np.sort(alone, axis=None)):
        found = "the right values in the wrong places: another axis is taken for the batch axis."
    else:
        found = "the entries of the batch are mixed."
    return f"{found} {mapped}"
