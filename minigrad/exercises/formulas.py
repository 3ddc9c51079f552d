r"""A formula as a line of text: the LaTeX of a task or a hint, for a terminal and for a comment in Python.

    \frac{v^2 \sin\theta}{g}     becomes     (v^2 sin theta) / g
    \bar x = J^T \bar y          becomes     x_bar = J^T y_bar

Plain letters, since not every terminal has Greek ones, and names that a program could have as well. It knows what the
course uses; tests/exercises/test_formulas.py reads every task for a command that is new.
"""

import re

__all__ = ["in_a_line"]

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d[\d.]*|\s+|.", re.DOTALL)
#: what a command is written as, if not by its own name
WRITTEN = {"cdot": "*", "pm": "+-", "mapsto": "->", "leftarrow": "<-", "ldots": "...", "langle": "<", "rangle": ">",
           "varepsilon": "epsilon", "top": "T", "left": "", "right": "", "|": "|", ",": " ", "_": "_"}
NAMES = {"sin", "cos", "log", "ln", "sum", "theta", "sigma", "pi", "lambda", "beta", "epsilon"}
#: what comes after a letter in a name
MARKS = {"bar": "_bar", "dot": "_dot"}
#: what only changes the looks of its argument
LOOKS = {"text", "mathsf"}
#: what needs no brackets as a power, or above or below a line
SINGLE = re.compile(r"[a-zA-Z\d.]+")


def in_a_line(formula):
    r"""The formula as text. A command that is not known stays as it is.

    >>> in_a_line(r"\log \sum_i e^{x_i}")
    'log sum_i e^(x_i)'
    """
    return Reader(formula).until(None).strip()


class Reader:
    def __init__(self, formula):
        self.tokens = TOKEN.findall(formula)[::-1]

    def until(self, end):
        """The text up to this token, which is taken, too; or of all that is left."""
        text = ""
        while self.tokens:
            token = self.tokens.pop()
            if token == end:
                break
            text = self.added(text, token)
        return re.sub(r"< | >", lambda found: found[0].strip(), re.sub(" {2,}", " ", text)) if end is None else text

    def added(self, text, token):
        command = token[1:] if token.startswith("\\") else None
        if token in "^_":
            return text.rstrip(" ") + token + in_brackets(self.argument())
        if command == "frac":
            divided = f"{in_brackets(self.argument())} / {in_brackets(self.argument())}"
            return text + (f"({divided})" if self.a_factor_follows() else divided)
        if command == "sqrt":
            root, of = self.optional(), self.argument()
            return f"{text}{in_brackets(of)}^(1/{root})" if root else f"{text}sqrt({of})"
        if command == "binom":
            return f"{text}binom({self.argument()}, {self.argument()})"
        if command in MARKS:
            return f"{text}{self.argument()}{MARKS[command]}"
        if command in LOOKS:
            return text + self.argument()
        if command in NAMES or command in WRITTEN:
            return self.word(text, WRITTEN.get(command, command))
        return text + (self.until("}") if token == "{" else token)

    def word(self, text, word):
        """The word after the text, apart from what is a name or a number beside it."""
        before = " " if word[:1].isalpha() and re.search(r"[\w)]$", text) else ""
        after = " " if word[-1:].isalpha() and self.tokens and re.match(r"\w|\\[a-zA-Z]", self.tokens[-1]) else ""
        return f"{text}{before}{word}{after}"

    def argument(self):
        """What a command, or a sign such as ``^``, is applied to: the next token, or a group in braces."""
        while self.tokens[-1].isspace():
            self.tokens.pop()
        token = self.tokens.pop()
        return self.until("}") if token == "{" else self.added("", token).strip()

    def a_factor_follows(self):
        rest = "".join(self.tokens[::-1]).lstrip()
        return re.match(r"\w|\(|\\left|\\frac|\\sqrt", rest) is not None

    def optional(self):
        if self.tokens[-1] != "[":
            return ""
        self.tokens.pop()
        return self.until("]")


def in_brackets(text):
    """The text, in brackets if it is more than a name or a number."""
    return text if SINGLE.fullmatch(text) else f"({text})"
