"""A page for each error: what happened, a program that fails, why it matters, the cure.

    $ python -m minigrad explain MG101

The pages are text files next to this one, named by the code: plain enough to be read in a terminal, without a network,
and the same pages that the site shows.  They share one form, and the tests run all of their programs:

    MG101: the line of the catalogue
    A paragraph on what happened.
    A program that fails        ends in the error with this code
    Why it matters              with a drawing of the graph where one helps
    The cure                    a program that runs

A page need not be for an error: some surprises raise none.  Those are named in words.
"""

import difflib
from importlib import resources

__all__ = ["groups", "listing", "names", "page", "resembling", "resolve", "title"]

#: What the first digit of a code stands for.
GROUPS = {
    "1": "Gradients and the graph",
    "2": "Arguments of operations",
    "3": "Your own functions",
    "4": "Making and converting tensors",
    "5": "Checking derivatives",
    "6": "Under PyTorch's name",
}


def names():
    """The names of all pages: the codes in their order, then those that are named in words."""
    return sorted(entry.name.removesuffix(".rst") for entry in resources.files(__name__).iterdir()
                  if entry.name.endswith(".rst"))


def page(name):
    """The text of one page, by its exact name.

    >>> page("MG102").splitlines()[0]
    'MG102: The graph was already used by an earlier backward and freed'
    """
    return resources.files(__name__).joinpath(f"{name}.rst").read_text(encoding="utf-8")


def title(name):
    """What the page says in its first line, without the name."""
    return page(name).partition("\n")[0].removeprefix(f"{name}: ")


def resolve(asked):
    """The name of the page that is meant, or None: capitals, brackets and the letters MG may be left out.

    >>> resolve("mg101"), resolve("[MG101]"), resolve("101"), resolve("MG999")
    ('MG101', 'MG101', 'MG101', None)
    """
    wanted = asked.strip("[] ").lower()
    return next((name for name in names() if name.lower() in (wanted, f"mg{wanted}")), None)


def resembling(asked):
    """The names of pages that may have been meant instead: those spelled alike, and those whose title has the word.

    >>> resembling("scalar")
    ['MG104']
    """
    spelled = {name.lower(): name for name in names()}
    close = [spelled[each] for each in difflib.get_close_matches(asked.lower(), spelled, n=3, cutoff=0.75)]
    return close or [name for name in names() if asked.lower() in title(name).lower()]


def groups():
    """[(heading, names of the pages below it)]"""
    named_in_words = [name for name in names() if not name.startswith("MG")]
    coded = [(heading, [name for name in names() if name.startswith(f"MG{digit}")])
             for digit, heading in GROUPS.items()]
    return [*coded, ("Surprises that raise no error", named_in_words)]


def listing():
    """Every page in one line, under the headings of `GROUPS`.

    >>> print(*listing().splitlines()[:3], sep="\\n")
    Gradients and the graph
      MG101  A saved tensor was modified in place
      MG102  The graph was already used by an earlier backward and freed
    """
    return "\n".join("\n".join([heading, *(f"  {name}  {title(name)}" for name in found), ""])
                     for heading, found in groups())
