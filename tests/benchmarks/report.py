"""The table: one line per case, the medians of every contestant, and minigrad's ratios next to their targets.

A *record* is what a group emits for a case: a dict with its `group`, `case`, `unit` ("ns", "bytes", "MiB" or "x", a
plain factor), the `samples` of every contestant (one number per round), the `targets` (the largest ratio wanted of
minigrad's median to that of the contestant named) and a `bound` (the largest figure of minigrad wanted, in the unit).
"""

from statistics import median

from .timing import unsteady

ORDER = ("numpy", "minigrad", "torch", "mygrad", "autograd")
WIDTH = 43
LEGEND = """\
Medians over the rounds; time per operation, node or step.  mg/torch, mg/numpy: ratio of minigrad's median to theirs;
beside it the target, `!` where it is missed.  `~`: the rounds differ by more than a fifth, or other programs took the
processor away: such ratios are not judged; run again on a quieter machine.
numpy is the forward and backward pass written by hand, without recording: the limit, not a competitor."""


def figure(value, unit):
    """A number with its unit in three significant digits: `118 ns`, `1.65 us`, `95 B`."""
    if unit == "ns":
        for factor, suffix in ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")):
            if value >= factor or factor == 1:
                return f"{significant(value / factor)} {suffix}"
    return f"{significant(value)} {'B' if unit == 'bytes' else unit}"


def significant(value):
    """Three significant digits without an exponent."""
    return f"{value:.0f}" if abs(value) >= 99.95 else f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def judged(value, target, doubtful):
    """A ratio and its target as two columns."""
    if value is None:
        return f"{'':>9}{'':>8}"
    mark = "~" if doubtful else "!" if target is not None and value > target else " "
    return f"{value:>8.3f}{mark}{'' if target is None else f'<={target:g}':>8}"


def header():
    names = "".join(f"{name:>11}" for name in ORDER)
    return f"{'':{WIDTH}}{names}{'mg/torch':>9}{'target':>8}{'mg/numpy':>10}{'target':>8}"


def line(record):
    """The record as one line of the table."""
    unit, samples, bound = record["unit"], record["samples"], record["bound"]
    medians = {name: median(values) for name, values in samples.items()}
    doubtful = {name: unsteady(samples[name]) or record["disturbed"].get(name, 0) > 0.3 for name in samples}
    cells = ""
    for name in ORDER:
        cells += f"{figure(medians[name], unit) + ' ~'[doubtful[name]] if name in medians else '- ':>11}"
    ours = medians.get("minigrad")

    def ratio(peer):
        if ours is None or not medians.get(peer) or bound is not None:
            return judged(None, None, False)
        return judged(ours / medians[peer], record["targets"].get(peer), doubtful["minigrad"] or doubtful[peer])

    text = f"{record['case']:{WIDTH}}{cells}{ratio('torch')} {ratio('numpy')}"
    if bound is not None:
        missed = ours is not None and ours > bound and not doubtful["minigrad"]
        text += f"{'!' if missed else ' '} minigrad <= {figure(bound, unit)}"
    return text.rstrip()
