"""Where the digits of a result were lost, and what to write instead.

A result that has lost half of its digits or more is followed back, each time to the argument that had lost the most,
until the loss is explained:

=================  ===================================================================================================
overflow           too large for the dtype: inf where there is a number
underflow          too small for the dtype: 0, or few bits, where there is a number
invalid            nan where there is a number, such as inf - inf
cancellation       a sum or a difference much smaller than its terms: it loses nothing itself, and keeps their errors
absorption         a term of a sum so small that the sum did not feel it, and what that was needed for came later
ill-conditioned    another operation that makes the relative errors of its arguments larger: log near 1, sin of 1e6
accumulation       many small errors of one line, none of which is remarkable
rounding           the operation rounded its result, by a cast to fewer bits for instance
=================  ===================================================================================================

(W. Kahan, "How futile are mindless assessments of roundoff in floating-point computation?", 2006; D. Goldberg, "What
every computer scientist should know about floating-point arithmetic", 1991.)
"""

from collections import Counter
from dataclasses import dataclass
from math import log10

__all__ = ["Loss", "advice_for", "losses"]

#: an operation that loses so many digits more than its arguments had lost explains a loss
JUMP = 1.0
#: operations that add up many terms, and so may lose digits of their own
SUMS = ("sum", "mean", "mm", "bmm", "mv", "dot", "addmm", "addmv", "baddbmm", "matmul", "cumsum")
#: an argument that has lost less than this is not worth following
NOTHING = 0.3


@dataclass
class Loss:
    """Digits that a result has lost, and where."""
    kind: str
    #: the Record of the operation that explains it
    record: object
    #: the Record of the result that has lost them
    result: object

    @property
    def advice(self):
        """What to write instead; "" where the pattern is not known."""
        return advice_for(self)

    @property
    def place(self):
        return self.record.place


def losses(results):
    """A Loss for each result that has lost half of its digits; the largest first."""
    bad = [r for r in results if r.measured is not None and r.measured.is_bad]
    return [explained(r) for r in sorted(bad, key=lambda r: (-r.measured.lost, r.number))]


def arguments(record):
    """The Records of the arguments, those of unknown digits as well."""
    found, rest = [], [*record.inputs]
    while rest:
        x = rest.pop(0)
        if isinstance(x, list):
            rest[:0] = x
        elif x is not None and not isinstance(x, (int, float)):
            found.append(x)
    return found


def parents(record):
    """The Records of the arguments whose digits are known."""
    return [x for x in arguments(record) if x.measured is not None]


def explained(result):
    """Follow the loss of a result back to where it happened."""
    full = result.measured.full

    def digits(record):
        return full if record is None else min(full, record.measured.typical)

    path = []
    record = result
    while record is not None:
        before = parents(record)
        troubled = [r for r in before if r.trouble]
        if record.trouble and not troubled:
            return Loss(record.trouble, record, result)
        if record.own is not None and record.own.is_bad and not troubled:
            return Loss(of_its_own(record), record, result)
        worst = troubled[0] if troubled else min(before, key=lambda r: (digits(r), -r.number), default=None)
        path.append((record, digits(worst) - digits(record)))
        record = worst if worst is not None and (digits(worst) < full - NOTHING or troubled) else None
    i = max(range(len(path)), key=lambda i: path[i][1])
    record, jump = path[i]
    if jump < JUMP:
        return gradual(path, result)
    if record.measured.full < full:
        return Loss("rounding", record, result)
    for small in behind(record):
        if small.absorbed > 0.5:
            return Loss("absorption", small, result)
    return Loss("cancellation" if record.additive else "ill-conditioned", record, result)


def of_its_own(record):
    """What has an operation done that has lost digits although its arguments had all?"""
    return "cancellation" if record.name in SUMS else "rounding"


def gradual(path, result):
    """A loss in many small steps: the line that took most of them."""
    lines = Counter([(record.name, record.place) for record, _ in path])
    (name, place), _ = lines.most_common(1)[0]
    steps = [record for record, _ in path if (record.name, record.place) == (name, place)]
    absorbing = [record for record in steps if record.absorbed > 0.25]
    if len(absorbing) > len(steps) / 4:
        return Loss("absorption", absorbing[0], result)
    grown = result.measured.lost > log10(len(path)) + JUMP      # more than that many roundings can add up to
    return Loss("cancellation" if grown and steps[0].additive else "accumulation", steps[0], result)


# ------------------------------------------------------------------------------ what to write instead

# Each pattern looks at the operation that explains the loss, and at what it was computed from: the names of operations,
# by `made_by`, to some depth.  The first that fits is told.

def behind(record, depth=4):
    """The Records from which it was computed, the nearest first."""
    found, rest = [], [(record, 0)]
    while rest:
        r, at = rest.pop(0)
        if at < depth:
            rest += [(p, at + 1) for p in parents(r)]
            found += parents(r)
    return found


def behind_all(results, most):
    """(Records, edges): these results and what they were computed from, the nearest first, and who was whose argument.
    """
    records, edges = list(dict.fromkeys(results))[:most], []
    number = {r: i for i, r in enumerate(records)}
    for i, record in enumerate(records):            # which grows meanwhile
        for argument in dict.fromkeys(arguments(record)):
            if argument not in number and len(records) < most:
                number[argument] = len(records)
                records.append(argument)
            if argument in number:
                edges.append((i, number[argument]))
    return records, edges


def name_of(record):
    name = "" if record is None else record.name.rstrip("_")
    return "sub" if name == "rsub" else name


def first_parents(record):
    return [name_of(r) for r in parents(record)]


def ancestors(record, depth=4):
    """The names of the operations from which it was computed."""
    return {name_of(r) for r in behind(record, depth)}


def number_in(record, *numbers):
    return any([x in numbers for x in record.inputs if isinstance(x, (int, float))])


def advice_for(loss):
    for fits, words in ADVICE:
        if fits(loss, loss.record, name_of(loss.record), first_parents(loss.record), ancestors(loss.record)):
            return words
    return GENERAL.get(loss.kind, "")


def followed_by(loss, *names):
    """Is an operation of this name among the later ones, on the way to the result?"""
    return bool(({name_of(loss.result)} | ancestors(loss.result, 6)) & {*names})


OF_LOGITS = ("torch.nn.functional.logsigmoid(x), and logsigmoid(-x) for log(1 - sigmoid(x)), or "
             "binary_cross_entropy_with_logits for both")

ADVICE = [
    (lambda loss, r, n, p, a: n == "sub" and "sigmoid" in p and number_in(r, 1)
     and followed_by(loss, "log", "LogBackward0"), OF_LOGITS),
    (lambda loss, r, n, p, a: n in ("add", "sub", "div") and "exp" in a and followed_by(loss, "log", "LogBackward0")
     and followed_by(loss, "div", "DivBackward0", "reciprocal", "ReciprocalBackward0"), OF_LOGITS),
    (lambda loss, r, n, p, a: n == "sub" and "exp" in p and number_in(r, 1), "torch.expm1(x) for exp(x) - 1"),
    (lambda loss, r, n, p, a: n == "log" and ({"add", "sub"} & {*p}) and not {"exp", "sum"} & a,
     "torch.log1p(x) for log(1 + x)"),
    (lambda loss, r, n, p, a: n == "add" and loss.kind == "absorption" and followed_by(loss, "log"),
     "torch.log1p(x) for log(1 + x)"),
    (lambda loss, r, n, p, a: n in ("exp", "sum") and loss.kind in ("overflow", "underflow")
     and followed_by(loss, "log") and followed_by(loss, "sum"), "torch.logsumexp(x, dim) for log(sum(exp(x)))"),
    (lambda loss, r, n, p, a: n == "exp" and loss.kind in ("overflow", "underflow") and followed_by(loss, "log"),
     "torch.nn.functional.softplus(x) for log(1 + exp(x)), torch.logsumexp or log_softmax for sums of exp"),
    (lambda loss, r, n, p, a: n == "exp" and loss.kind == "overflow" and followed_by(loss, "sum"),
     "torch.softmax(x, dim): it subtracts the largest first"),
    (lambda loss, r, n, p, a: n in ("pow", "mul", "square", "sum", "add") and followed_by(loss, "sqrt")
     and loss.kind in ("overflow", "underflow"), "torch.hypot(a, b) or torch.linalg.vector_norm(x), scaled by the "
                                                 "largest entry"),
    (lambda loss, r, n, p, a: "det" in n and loss.kind in ("overflow", "underflow"),
     "torch.linalg.slogdet(A) for log(det(A))"),
    (lambda loss, r, n, p, a: n in ("softmax", "_softmax", "sigmoid") and loss.kind in ("underflow", "rounding")
     and followed_by(loss, "log"), "torch.log_softmax(x, dim), or torch.nn.functional.logsigmoid(x), for its log"),
    (lambda loss, r, n, p, a: n == "prod" and loss.kind in ("overflow", "underflow"),
     "a sum of logarithms for a product: x.log().sum()"),
    (lambda loss, r, n, p, a: n == "sub" and "mean" in a and ({"mul", "pow", "square"} & a),
     "centring before variance: torch.var(x), or ((x - x.mean()) ** 2).mean()"),
    (lambda loss, r, n, p, a: n == "sub" and "cos" in p, "2 * torch.sin(x / 2) ** 2 for 1 - cos(x)"),
    (lambda loss, r, n, p, a: n == "sub" and "erf" in p, "torch.special.erfc(x) for 1 - erf(x)"),
    (lambda loss, r, n, p, a: n == "sub" and "tanh" in p, "2 / (torch.exp(2 * x) + 1) for 1 - tanh(x)"),
    (lambda loss, r, n, p, a: n == "sub" and {"sigmoid"} & {*p} and number_in(r, 1),
     "torch.sigmoid(-x) for 1 - sigmoid(x)"),
    (lambda loss, r, n, p, a: n == "sub" and p.count("sqrt") and not p.count("sub"),
     "(a - b) / (sqrt(a) + sqrt(b)) for sqrt(a) - sqrt(b); for a root of a quadratic, the other root first"),
    (lambda loss, r, n, p, a: n == "sub" and p and {*p} <= {"mul", "pow", "square"},
     "(a - b) * (a + b) for a * a - b * b"),
    (lambda loss, r, n, p, a: n == "sub" and p.count("log") == 2, "torch.log(a / b), or log1p((a - b) / b)"),
    (lambda loss, r, n, p, a: n == "sub" and p.count("exp") == 2, "exp(b) * torch.expm1(a - b); torch.sinh for "
                                                                 "(exp(x) - exp(-x)) / 2"),
    (lambda loss, r, n, p, a: n in ("add", "add_") and loss.kind in ("absorption", "accumulation"),
     "torch.sum, which adds in pairs, or a compensated sum; for parameters in 16 bits, a copy in float32"),
]

GENERAL = {
    "cancellation": "another formula, in which nothing is subtracted that has been rounded; or more bits",
    "absorption": "the small terms first, a compensated sum, or more bits",
    "overflow": "logarithms, or a scale taken out before and put back after",
    "underflow": "logarithms, or a scale taken out before and put back after (torch.amp.GradScaler for gradients)",
    "invalid": "see where the inf came from: a shift by the largest entry keeps exp and quotients finite",
    "ill-conditioned": "the problem itself is sensitive here: more bits, or another variable",
    "accumulation": "torch.sum, which adds in pairs, a compensated sum, or more bits",
    "rounding": "more bits for this value",
}
