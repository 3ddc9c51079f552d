"""The schema of a row, in PyTorch's notation, read and checked::

    sum_dim(Tensor self, int[] dim, *, bool keepdim=False)
       |        |          |        |              |
     name   a tensor   a list of    from here on   default
                         ints       keywords only

A type may be left out: the parameter is then whatever the kernel takes, mostly a number.  Which parameters are
tensors decides what is recorded; so a slip in a schema would lose gradients, and is refused.
"""

#: what a parameter can be; "?" may be None, "[]" is a list
TYPES = frozenset({"", "Tensor", "Tensor?", "Tensor[]", "Tensor?[]", "int", "int[]", "float", "bool", "str"})


def parse(schema):
    """``"sum(Tensor self, dim=None, *, dtype=None)"`` -> its name
    and [(name, type, default, keyword only)]; no default is Ellipsis."""
    name, opening, rest = schema.partition("(")
    if not (name.isidentifier() and opening and rest.endswith(")")):
        raise ValueError(fault(schema, "a schema is written name(parameter, parameter ...)"))
    params = []
    keyword_only = False
    for part in split_commas(rest[:-1], schema):
        if part == "*" and not keyword_only:
            keyword_only = True
            continue
        declaration, equals, default = part.partition("=")
        words = declaration.split()
        parameter, type_ = words[-1] if words else "", words[0] if len(words) == 2 else ""
        if not parameter.isidentifier() or len(words) > 2:
            raise ValueError(fault(schema, f"{part!r} is no parameter: it is written 'Tensor self' or 'dim=None'"))
        if type_ not in TYPES:
            raise ValueError(fault(schema, f"{type_!r} is no type that a parameter can have: there are "
                                           f"{', '.join(sorted(TYPES - {''}))}"))
        if parameter in [known for known, *_ in params]:
            raise ValueError(fault(schema, f"there are two parameters {parameter!r}"))
        if not equals and params and params[-1][2] is not Ellipsis and not keyword_only:
            raise ValueError(fault(schema, f"{parameter!r} has no default, but the parameter before it has one"))
        params.append((parameter, type_, _literal(default, schema) if equals else Ellipsis, keyword_only))
    return name, params


def fault(schema, what):
    """What is wrong with a schema, for the one who writes the row."""
    return f"{schema}: {what}"


def split_commas(text, schema=""):
    """Split at the commas that are outside brackets."""
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


def _literal(text, schema):
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        return text[1:-1]
    if text[:1] in ("(", "["):
        return type(_WORDS[text[0] + (")" if text[0] == "(" else "]")])(_literal(t, schema)
                                                                        for t in split_commas(text[1:-1], schema))
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ValueError(fault(schema, f"{text!r} is no default: it is a number, a string, None, True, False, or a "
                                       "tuple or list of them")) from None
