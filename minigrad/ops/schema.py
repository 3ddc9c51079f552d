"""The schema of a row, in PyTorch's notation, read and checked::

    sum.dim(Tensor self, Dims dim, *, bool keepdim=False)
     |   |     |          |        |              |
     | overload|      one dim or   |              |
    name    a tensor   several    from here on   default
                                   keywords only

Each parameter has a type, and what depends on it follows from there: which parameters are tensors, and so what is
recorded; how a batch rule moves a parameter; what an error calls it; what the stubs say.  A slip in a schema would
lose gradients, and is refused.

==============  ======================================================================================================
Tensor          a tensor; where the row promotes, also a number
int, float      a number of Python
bool, str       as in Python
Scalar          any number of Python, complex ones too
Dim             one dim: negative ones count from the last.  It is a dim of the first tensor; of a tensor with the
                shape that the row is given, if it has a parameter of type Sizes
Dims            one such dim or several, none of them twice; () and None mean all
NewDim          a dim of the result, which has one dim more than the first tensor (unsqueeze, stack)
NewDims         one or several of them: the result has as many dims more, or as many (a reduction taken back)
Sizes           the shape of a tensor
DType           a dtype
Generator       a source of random numbers
MemoryFormat    how the elements of a copy are laid out
Any             anything
==============  ======================================================================================================

With ``?`` it may be None; ``[]`` is a list, ``Tensor?[]`` a list in which some are None, ``int[]?`` a list or None.
Of ints and dims, ``int[1]`` is a list or one alone, and ``int...`` a list that may also be spread over the arguments:
``x.repeat(2, 3)`` is ``x.repeat((2, 3))``.  ``Dim[1]`` differs from Dims in that the order counts, and () means none.

A kernel gets Python's ints, tuples of them, and for dims axes that count from 0: Note [Dims become axes] in
_core/dispatch/axes.pyx.
"""

from functools import cache
from operator import itemgetter

#: what a parameter can be, without "?" and "[]"
TYPES = ("Tensor", "int", "float", "bool", "str", "Scalar", "Dim", "Dims", "NewDim", "NewDims", "Sizes", "DType",
         "Generator", "MemoryFormat", "Any")

#: the endings of a type: may it be None, is it a list, may an element of the list be None, and is one alone such a list
ENDINGS = {"": (False, False, False, False), "?": (True, False, False, False), "[]": (False, True, False, False),
           "?[]": (False, True, True, False), "[]?": (True, True, False, False), "[1]": (False, True, False, True),
           "[1]?": (True, True, False, True), "...": (False, True, False, True)}

#: the types that can have the last three of these endings
IN_PIECES = {"int": ("[1]", "[1]?", "..."), "Dim": ("[1]", "[1]?", "..."), "Sizes": ("...",)}


class Type(tuple):
    """A type taken apart: ``Tensor?[]`` is ("Tensor", optional=False, many=True, gaps=True, alone=False)."""

    base = property(itemgetter(0))
    optional = property(itemgetter(1))      # may be None
    many = property(itemgetter(2))          # a list
    gaps = property(itemgetter(3))          # a list in which elements may be None
    alone = property(itemgetter(4))         # a list of one may be given without brackets

    @property
    def is_tensor(self):
        return self.base == "Tensor"


@cache
def taken_apart(type_):
    """The type that a schema writes so; None where there is none."""
    base = type_.rstrip("?[1].")
    ending = type_[len(base):]
    if base not in TYPES or ending not in ENDINGS or (ENDINGS[ending][-1] and ending not in IN_PIECES.get(base, ())):
        return None
    optional, many, gaps, alone = ENDINGS[ending]
    return Type((base, optional, many and type_ != "Sizes...", gaps, alone))    # that is still the shape of one tensor


def parse(schema):
    """``"sum.dim(Tensor self, Dims dim, *, DType? dtype=None)"`` -> its name, with the overload,
    and [(name, type, default, keyword only)]; no default is Ellipsis."""
    name, opening, rest = schema.partition("(")
    words = name.split(".")
    if not (len(words) < 3 and all(map(str.isidentifier, words)) and opening and rest.endswith(")")):
        raise ValueError(fault(schema, "a schema is written name(parameter, parameter ...)"))
    params, names = [], set()
    keyword_only = False
    for part in split_commas(rest[:-1], schema):
        if part == "*" and not keyword_only:
            keyword_only = True
            continue
        try:
            parameter, type_, default = declared(part)
        except ValueError as reason:
            raise ValueError(fault(schema, reason)) from None
        if parameter in names:
            raise ValueError(fault(schema, f"there are two parameters {parameter!r}"))
        if default is Ellipsis and params and params[-1][2] is not Ellipsis and not keyword_only:
            raise ValueError(fault(schema, f"{parameter!r} has no default, but the parameter before it has one"))
        params.append((parameter, type_, default, keyword_only))
        names.add(parameter)
    return name, params


@cache                          # most rows begin with "Tensor self"
def declared(part):
    """``"Dim? dim=None"`` -> ("dim", "Dim?", None)."""
    declaration, equals, default = part.partition("=")
    words = declaration.split()
    if len(words) == 1 and words[0].isidentifier():
        raise ValueError(f"the parameter {words[0]!r} has no type: write one before it, as in 'Scalar {words[0]}', or "
                         f"'Any {words[0]}' where it may be anything")
    if len(words) != 2 or not words[1].isidentifier():
        raise ValueError(f"{part!r} is not a parameter: it is written 'Tensor self' or 'Dim? dim=None'")
    type_, parameter = words
    if taken_apart(type_) is None:
        raise ValueError(f"{type_!r} is not a type that a parameter can have: there are {', '.join(TYPES)}, each with "
                         "? where it may be None, or [] for a list")
    if equals and default.strip() == "None" and not (taken_apart(type_).optional or type_ == "Any"):
        raise ValueError(f"{parameter!r} may be None, so its type is written '{type_}?'")
    return parameter, type_, _literal(default) if equals else Ellipsis


def fault(schema, what):
    """What is wrong with a schema, for the one who writes the row."""
    return f"{schema}: {what}"


def split_commas(text, schema=""):
    """Split at the commas that are outside brackets."""
    if "(" not in text and "[" not in text and ")" not in text and "]" not in text:
        return [part.strip() for part in text.split(",")] if text.strip() else []
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth < 0:
            break
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    if depth:
        raise ValueError(fault(schema, "its brackets do not match"))
    last = text[start:].strip()
    return parts + [last] if last or parts else []


_WORDS = {"None": None, "True": True, "False": False, "()": (), "[]": []}


def _literal(text):
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return text[1:-1]
    if text[:1] in ("(", "["):
        return (tuple if text[0] == "(" else list)(_literal(t) for t in split_commas(text[1:-1]))
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a default: it is a number, a string, None, True, False, or a tuple or list "
                         "of them") from None
