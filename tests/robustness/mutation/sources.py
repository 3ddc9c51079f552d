"""Places in the Cython sources of the core: found by tokens, and changed, with a switch for each change.

To compile the core anew for each fault would take hours.  So all faults are in one library, each behind a *switch*, a
comparison of one number that is 0 in the beginning::

    if v.at == t.version.value:         if mg_yes(True) if mg_planted(17) else mg_yes(v.at == t.version.value):

    v.value += 1                        if mg_planted(18):
                                            pass
                                        else:
                                            v.value += 1
"""

import collections
import dataclasses
import functools
import re

__all__ = ["NotThere", "Place", "Token", "logical_lines", "occurrence", "place_of", "places", "tokens_of",
           "with_switches", "without_words"]

STRING = r'[bfrBFR]*(?:"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
DOCSTRING = r'[bfrBFR]*(?:""".*?"""|\'\'\'.*?\'\'\')'
TOKEN = re.compile(rf"{STRING}|[A-Za-z_]\w*|\d[\w.]*|->|\*\*|//|<<|>>|[-+*/%&|^<>=!]=|\S")

#: of what is replaced, how it is written with a switch
CONDITION, EXPRESSION, STATEMENT = "condition", "expression", "statement"

# Weak symbols, so that all modules of the library share one.  The number comes from the environment, for the sake of
# processes that tests start.  `mg_yes` lets Cython ask anything whether it is true.
SWITCH = '''

cdef extern from *:
    """
    #include <stdlib.h>
    __attribute__((weak)) int mg_number;
    __attribute__((weak, constructor)) void mg_read_number(void)
    { if (getenv("MINIGRAD_FAULT")) mg_number = atoi(getenv("MINIGRAD_FAULT")); }
    #define mg_planted(n) (mg_number == (n))
    #define mg_yes(x) (x)
    """
    bint mg_planted(int) noexcept nogil
    bint mg_yes(bint) noexcept nogil
'''


class NotThere(Exception):
    """The function of a fault, or the code in it, is not in the core, or not once."""


@functools.cache
def without_words(source):
    """The source, as long as it is, with blanks in place of docstrings and comments."""
    def blank(match):
        return match[0] if match["code"] else re.sub(r"[^\n]", " ", match[0])
    return re.sub(rf"{DOCSTRING}|(?P<code>{STRING})|#[^\n]*", blank, source, flags=re.DOTALL)


def definitions(code, name):
    """Where what is called ``name`` begins and ends: a function or a class, with everything indented below it."""
    heads = re.finditer(rf"^([ ]*)(?:cdef|cpdef|def|class)\b[^\n=(]*?\b{re.escape(name)}[(:].*\n", code, re.MULTILINE)
    for head in heads:
        after = re.compile(rf"^[ ]{{0,{len(head[1])}}}\S", re.MULTILINE).search(code, head.end())
        end = after.start() if after else len(code)
        if code[head.end():end].strip():            # else it is only declared
            yield head.start(), end


def places(code, name):
    """The same for a name with dots, such as ``Tensor.detach``."""
    outer, _, inner = name.partition(".")
    for start, end in definitions(code, outer):
        if not inner:
            yield start, end
        else:
            yield from [(start + a, start + b) for a, b in places(code[start:end], inner) if a]


# ------------------------------------------------------------------------------ tokens

@dataclasses.dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int
    depth: int          # how many brackets are around it


def tokens_of(code, start=0, end=None):
    found, depth = [], 0
    for match in TOKEN.finditer(code, start, len(code) if end is None else end):
        depth -= match[0] in ")]}"
        found.append(Token(match[0], match.start(), match.end(), depth))
        depth += match[0] in "([{"
    return found


def logical_lines(code, start=0, end=None):
    """The tokens of each line; one that goes on within brackets is one line."""
    line = []
    for token in tokens_of(code, start, end):
        if line and token.depth == 0 and token.text not in ")]}" and "\n" in code[line[-1].end:token.start]:
            yield line
            line = []
        line.append(token)
    if line:
        yield line


def occurrence(code, wanted):
    """Every (start, end) of these tokens, one after the other."""
    tokens, wanted = tokens_of(code), TOKEN.findall(wanted)
    return [(tokens[i].start, tokens[i + len(wanted) - 1].end) for i in range(len(tokens) - len(wanted) + 1)
            if [token.text for token in tokens[i:i + len(wanted)]] == wanted]


# ------------------------------------------------------------------------------ places, and what takes their place

@dataclasses.dataclass(frozen=True)
class Place:
    """A stretch of the source of a module, and what takes its place."""
    module: str
    start: int
    end: int
    kind: str           # CONDITION, EXPRESSION or STATEMENT
    wrong: str


def place_of(module, code, start, end, wrong):
    """The place of a piece of code, which is told by it: a whole ``if ...:``, a whole statement, or an expression."""
    if re.match(r"(el)?if\b", code[start:end]) and code[start:end].endswith(":"):
        start += code[start:end].index("if") + len("if ")
        return Place(module, start, end - 1, CONDITION, wrong.partition("if ")[2].rstrip(":"))
    whole = [(line[0].start, line[-1].end) for line in logical_lines(code)]
    return Place(module, start, end, STATEMENT if (start, end) in whole else EXPRESSION, wrong)


def with_switches(source, faults):
    """The source with every fault in it, of which none is in force; ``faults`` maps numbers to places in it."""
    numbers = collections.defaultdict(list)
    for number, place in faults.items():
        numbers[place.start, place.end, place.kind].append((number, place.wrong))
    return between(source, 0, len(source), sorted(numbers, key=lambda s: (s[0], -s[1])), numbers) + SWITCH


def between(source, start, end, stretches, numbers):
    """A part of the source; the stretches in it are in order, and an outer one comes before those inside."""
    written = ""
    while stretches:
        first, inside = stretches[0], [s for s in stretches[1:] if s[1] <= stretches[0][1]]
        written += source[start:first[0]]
        right = between(source, first[0], first[1], inside, numbers)
        indent = source[source.rfind("\n", 0, first[0]) + 1:first[0]]
        written += switched(right, first[2], numbers[first], indent)
        start, stretches = first[1], stretches[1 + len(inside):]
    return written + source[start:end]


def switched(right, kind, several, indent):
    if kind == STATEMENT:
        switches = [f"if mg_planted({number}):\n{indent}    {wrong}\n{indent}" for number, wrong in several]
        return "el".join(switches) + f"else:\n{indent}    {right}"
    yes = "mg_yes" if kind == CONDITION else ""
    return "(" + "".join([f"{yes}({wrong}) if mg_planted({number}) else " for number, wrong in several]) + (
        f"{yes}({right}))")
