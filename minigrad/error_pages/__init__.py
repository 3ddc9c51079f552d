"""A page for each error: what happened, a program that fails, why it matters, the cure.

    $ python -m minigrad explain MG101

The pages are text files next to this one, named by the code: plain enough for a terminal, available without a network,
and also shown on the site.  They share one form, and the tests run all their programs:

    MG101: the line of the catalogue
    A paragraph about what happened.
    A program that fails        ends in the error with this code
    Why it matters              with a drawing of the graph where one helps
    The cure                    a program that runs

Some pages are about surprises that raise no error.  Their names are words.
"""

import difflib
from importlib import resources

__all__ = ["groups", "listing", "names", "page", "resembling", "resolve", "title"]

#: The meaning of the first digit of a code.
GROUPS = {
    "1": "Gradients and the graph",
    "2": "Arguments of operations",
    "3": "Your own functions",
    "4": "Making and converting tensors",
    "5": "Checking derivatives",
    "6": "Under PyTorch's name",
    "7": "Modules and optimizers",
    "8": "Several processes",
}


def names():
    """The names of all pages: the codes in order, then the names in words."""
    return sorted(entry.name.removesuffix(".rst") for entry in resources.files(__name__).iterdir()
                  if entry.name.endswith(".rst"))


def page(name):
    """The text of one page, by its exact name.

    >>> page("MG102").splitlines()[0]
    'MG102: The graph was already used by an earlier backward and freed'
    """
    return resources.files(__name__).joinpath(f"{name}.rst").read_text(encoding="utf-8")


def title(name):
    """The first line of the page, without the name."""
    return page(name).partition("\n")[0].removeprefix(f"{name}: ")


def resolve(asked):
    """The name of the page that was asked for, or None: capitals, brackets and the letters MG may be left out.

    >>> resolve("mg101"), resolve("[MG101]"), resolve("101"), resolve("MG999")
    ('MG101', 'MG101', 'MG101', None)
    """
    wanted = asked.strip("[] ").lower()
    return next((name for name in names() if name.lower() in (wanted, f"mg{wanted}")), None)


def resembling(asked):
    """Names of pages to suggest instead: those with a similar spelling, and those with the word in their title.

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
    """All pages, one on each line, under the headings of `GROUPS`.

    >>> print(*listing().splitlines()[:3], sep="\\n")
    Gradients and the graph
      MG101  A saved tensor was modified in place
      MG102  The graph was already used by an earlier backward and freed
    """
    return "\n".join("\n".join([heading, *(f"  {name}  {title(name)}" for name in found), ""])
                     for heading, found in groups())
