"""What a check found, to be read by a student, an instructor, or a program."""

import html
import textwrap

__all__ = ["Outcome", "Result"]

MUCH = 100_000      # characters
PRACTICE = ("This is practice: there was no process in which the submission could run by itself, so that it ran beside "
            "the judge, and could have changed it. Points that count come from a check on a computer.")


class Outcome:
    """What became of one item: points, a verdict in one word, and the reasons."""

    def __init__(self, item, earned, verdict, reasons):
        self.item, self.name, self.title, self.points = item, item.name, item.title, item.points
        self.earned, self.verdict, self.reasons = earned, verdict, reasons

    def __repr__(self):
        return f"{self.name}: {self.earned:g} of {self.points:g}, {self.verdict}"


class Result:
    """The outcomes of one submission.

    ``print(result)`` shows them; in a notebook the result shows itself as a table. ``result.require()`` is for pytest.
    """

    def __init__(self, submission, assignment, outcomes, printed=0, seconds=0.0, remark="", fenced=True):
        self.submission, self.assignment, self.outcomes = submission, assignment, outcomes
        self.printed, self.seconds, self.remark, self.fenced = printed, seconds, remark, fenced

    @property
    def earned(self):
        return sum([outcome.earned for outcome in self.outcomes])

    @property
    def points(self):
        return sum([outcome.points for outcome in self.outcomes])

    def __getitem__(self, name):
        """The outcome of the item of this name."""
        for outcome in self.outcomes:
            if outcome.name == name:
                return outcome
        raise KeyError(name)

    def require(self):
        """Raise `AssertionError` with the whole report unless every item is right."""
        assert self.earned == self.points, f"\n{self}"

    @property
    def note(self):
        """What is worth saying of the submission as a whole, or ""."""
        noise = (f"The submission printed {self.printed:,} characters. Nothing that it prints is read or kept; remove "
                 "what you no longer need.") if self.printed > MUCH else ""
        return "\n".join([each for each in (self.remark, noise, "" if self.fenced else PRACTICE) if each])

    @property
    def student(self):
        """The ID of the student whose variant was judged, or ""."""
        return self.assignment.variant.student or ""

    def __str__(self):
        lines = [f"{self.assignment.title}: {self.earned:g} of {self.points:g} points ({self.submission})", ""]
        for outcome in self.outcomes:
            lines.append(f"  {outcome.earned:>4g} /{outcome.points:>3g}  {outcome.verdict:<9}  {outcome.title}")
            for reason in outcome.reasons:
                lines += textwrap.wrap(reason, 96, initial_indent=25 * " ", subsequent_indent=25 * " ",
                                       break_long_words=False, break_on_hyphens=False)
        return "\n".join([*lines, *(["", self.note] if self.note else [])])

    def __repr__(self):
        return f"<{self.submission}: {self.earned:g} of {self.points:g} points in {self.assignment.name}>"

    def _repr_html_(self):
        rows = "".join([
            f"<tr><td>{html.escape(each.title)}</td><td>{each.earned:g} / {each.points:g}</td>"
            f"<td>{each.verdict}</td><td>{'<br>'.join([html.escape(reason) for reason in each.reasons])}</td></tr>"
            for each in self.outcomes])
        return (f"<table><caption>{html.escape(self.assignment.title)}: {self.earned:g} of {self.points:g} points"
                f"</caption><thead><tr><th>Item</th><th>Points</th><th>Verdict</th><th>Reason</th></tr></thead>"
                f"<tbody>{rows}</tbody></table>" + (f"<p>{html.escape(self.note)}</p>" if self.note else ""))
