"""What an assignment is: one short file with a text, a starter and items.

    homework = Assignment("Derivatives of three operations", starter=STARTER, forbidden=("minigrad",))

    @homework.item(3, "the derivative of exp")
    def exp(judge):
        x = judge.draw(2, 3)
        judge.pullback(torch.exp, "exp_backward", x)

An item is a function of the judge.  It asks the submission for results and raises `Wrong` with the reason if one is
not right; ``judge.part(points, what)`` divides an item, so that a mistake in one part leaves the points of the others.
"""

import copy
import importlib
import importlib.util
from pathlib import Path

from minigrad.homework.variants import drawn, mark_of, published, read_mark

__all__ = ["Assignment", "Item", "Wrong", "find", "named_in", "names"]

#: the assignments in assignments/, in the order of the course
ORDER = ("scalar_engine", "ten_derivatives", "own_function", "in_place", "checkpointing", "forward_mode", "newton",
         "classifier", "grade_the_tests")


class Wrong(Exception):
    """An item, or a part of it, is not right; the text is the reason that the student reads."""


class Differences(Wrong):
    """A derivative is measured numerically, or costs as much as one that is."""


class Item:
    """A function that judges, what it is worth, and what it is called."""

    def __init__(self, function, points, template, variant, slow, numpy_only):
        self.function, self.points, self.template = function, points, template
        self.variant, self.slow, self.numpy_only = variant, slow, numpy_only
        self.name = function.__name__

    @property
    def title(self):
        return self.variant.fill(self.template)


class Assignment:
    """A text, a starter, and items.

    Parameters
    ----------
    title : str
        What the assignment is called.
    starter : str
        The file that students begin with.
    forbidden : tuple of str
        Names that a submission may neither import nor call, such as ``"minigrad"`` or ``"autograd.grad"``.
    seconds : float
        How long the submission may take for one answer; an item may ask for several.
    megabytes : int
        The memory that its process may have.
    varies : dict
        What differs from student to student: ``{"power": (3, 4, 5)}``, with the published choice first. The starter
        and the titles say ``$power`` for it, and the items ``judge.variant["power"]``. A choice may also be a
        dictionary, of several names (variants.py).

    Examples
    --------
    >>> from minigrad.homework import Assignment
    >>> homework = Assignment("A first example", starter="def double(x):\\n    raise NotImplementedError\\n")
    >>> @homework.item(2, "doubles")
    ... def doubles(judge):
    ...     x = judge.draw(3)
    ...     judge.same(judge.call("double", x), 2 * x, "the result")
    >>> homework.points
    2
    """

    def __init__(self, title, *, starter, forbidden=(), seconds=10, megabytes=2048, varies=None):
        self.title, self.template, self.forbidden = title, starter.lstrip("\n"), tuple(forbidden)
        self.seconds, self.megabytes = seconds, megabytes
        self.varies = dict(varies or {})
        self.variant = published(self.varies)
        self.name, self.items = "", []

    def item(self, points, title, slow=False, numpy_only=False):
        """Decorator: the function judges an item that is worth these points; a slow one is asked again only if another
        has been corrected. With ``numpy_only`` the process in which the submission runs has no minigrad."""
        def add(function):
            self.items.append(Item(function, points, title, self.variant, slow, numpy_only))
            return function
        return add

    @property
    def points(self):
        return sum([item.points for item in self.items])

    @property
    def starter(self):
        """The file that students begin with, of this variant."""
        return self.variant.fill(self.template)

    def started(self, secret=b""):
        """The text of the starter file, with the line that names the assignment."""
        return f"{mark_of(self.name, self.variant, secret)}\n{self.starter}"

    def of(self, variant):
        """The same assignment in another variant."""
        other = copy.copy(self)
        other.variant = variant
        other.items = [Item(each.function, each.points, each.template, variant, each.slow, each.numpy_only)
                       for each in self.items]
        return other

    def drawn_for(self, student, secret=b""):
        """The assignment in the variant of a student; raises `LookupError` if nothing in it varies."""
        if not self.varies:
            raise LookupError(f"nothing varies in {self.name}: it is the same for everybody")
        return self.of(drawn(self.name, self.varies, student, secret))


def names():
    """The assignments that come with minigrad, in the order of the course.

    >>> from minigrad import homework
    >>> homework.names()[:2]
    ['scalar_engine', 'ten_derivatives']
    """
    return list(ORDER)


def find(name):
    """The assignment of this name, or in this file; raises `LookupError` if there is none.

    >>> from minigrad import homework
    >>> homework.find("ten_derivatives").title
    'The derivatives of ten operations'
    """
    if isinstance(name, Assignment):
        return name
    if str(name).endswith(".py"):
        path = Path(name)
        if not path.is_file():
            raise LookupError(f"there is no file {str(name)!r} with an assignment")
        spec = importlib.util.spec_from_file_location(f"assignment_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        name = path.stem
    elif name in ORDER:
        module = importlib.import_module(f"minigrad.homework.assignments.{name}")
    else:
        raise LookupError(f"there is no assignment {name!r}; there are {', '.join(ORDER)}")
    module.homework.name = str(name)
    return module.homework


def named_in(source):
    """The assignment that a submission says it is for, or None."""
    return read_mark(source)[0]
