"""A program, folded: lines that repeat become a loop over ``t``, forward and, through the same numbers, back.

    mm = h @ W                      all_h = [h]
    h_2 = np.tanh(mm)               for t in range(200):
    mm_2 = h_2 @ W                      mm = h @ W
    h_3 = np.tanh(mm_2)                 h = np.tanh(mm)
    ...                                 all_h.append(h)

repetition.py finds the blocks.  A name of a block becomes one variable, which is assigned in every round; where later
lines read what several rounds made, as the backward pass does, it is *kept*: in a list, or in a dictionary by ``t``
where ``t`` runs down.  What each block reads of its own, such as the weights of its layer, comes from a list too.

Only names change.  The same operations run in the same order on the same arrays, writes to memory included, so that the
numbers are the same bit for bit; program.py runs the folded program and compares.
"""

import ast
import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from minigrad.notation.expressions import Index
from minigrad.viz.repetition import Step, is_even, repetitions

__all__ = ["folded"]

INDENT = "    "


def folded(parts, values, results, new_name, with_comment):
    """The lines of each part of a program, with loops, and the expressions of its results.

    ``parts`` are lists of lines, ``values`` has the array of each variable, ``results`` are names; ``new_name`` makes a
    name that is not taken, and ``with_comment`` puts a comment beside a line.
    """
    return Folding([[*read(part)] for part in parts], values, results, new_name, with_comment).result()


# ------------------------------------------------------------------------------ lines

@dataclass
class Line:
    """A line of code, with what is written above it and below."""
    code: str
    comment: str
    above: list
    below: list = field(default_factory=list)
    tokens: list = field(default_factory=list)      # (begin, end, a name or an integer), in order
    targets: tuple = ()
    has_own_names: bool = False                     # as a comprehension and a lambda have


def read(lines):
    """The Lines of a text; what is below the last of them is one without code."""
    above, last = [], None
    for text in "\n".join(lines).splitlines() if lines else ():
        if text.startswith("# AccumulateGrad") and last is not None:
            last.below += [*above, text]
            above = []
        elif not text.strip() or text.startswith("#"):
            above.append(text)
        else:
            last = parsed(text, above)
            above = []
            yield last
    if above:
        yield Line("", "", above)


def parsed(text, above):
    (statement,) = ast.parse(text).body
    encoded = text.encode()
    code = encoded[:statement.end_col_offset].decode()
    line = Line(code, encoded[statement.end_col_offset:].decode().strip().removeprefix("#").strip(), above)
    nodes = [*ast.walk(statement)]
    targets = statement.targets[0]
    line.targets = tuple([each.id for each in getattr(targets, "elts", [targets]) if isinstance(each, ast.Name)])
    line.has_own_names = any([isinstance(each, (ast.comprehension, ast.Lambda)) for each in nodes])
    for node in nodes:
        value = node.id if isinstance(node, ast.Name) else node.value if isinstance(node, ast.Constant) else None
        if type(value) is int or isinstance(node, ast.Name):
            at = [len(encoded[:offset].decode()) for offset in (node.col_offset, node.end_col_offset)]
            line.tokens.append((*at, value))
    line.tokens.sort()
    return line


def put_in(line, texts):
    """The code with other texts in place of its tokens, those that are not None."""
    code = line.code
    for (begin, end, _), text in reversed([*zip(line.tokens, texts)]):
        if text is not None:
            alone = code[begin - 1:begin] in ("(", "[") and code[end:end + 1] in (")", "]")
            if " " in text and text[-1] != "]" and not alone:       # an index: t + 1
                text = f"({text})"
            code = code[:begin] + text + code[end:]
    return code


def stem(name):
    """``h`` of ``h_2``, ``layer#_weight`` of ``layer3_weight``."""
    return re.sub(r"\d+", "#", re.sub(r"(_\d+)+$", "", name))


def base(names):
    """What names have in common: ``weight`` of ``layer0_weight`` and ``layer2_weight``, after ``d_`` of both."""
    if "#" not in stem(names[0]):
        return stem(names[0])
    start = names[0][:2] if names[0][:2] in ("d_", "t_") else ""
    parts = [*zip(*[name.split("_") for name in names])]
    after = next((i for i, each in enumerate(parts) if len({*each}) > 1), 0) + 1
    return start + ("_".join([each[0] for each in parts[after:]]) or stem(names[0]).replace("#", "").strip("_"))


# ------------------------------------------------------------------------------ folding

@dataclass(eq=False)
class Kept:
    """A list, or a dictionary, of what the rounds made."""
    name: str
    numbers: dict                                   # name of a block -> its place


class Folding:
    def __init__(self, parts, values, results, new_name, with_comment):
        self.parts, self.values, self.results = parts, values, results
        self.new_name, self.with_comment = new_name, with_comment
        self.lines = [line for part in parts for line in part]
        assigned = [name for line in self.lines for name in line.targets]
        self.variables = {name for name, value in values.items() if isinstance(value, np.ndarray)}
        self.twice = {name for name, n in Counter(assigned).items() if n > 1}
        self.readers = {}                           # name -> the numbers of the lines that read it
        for i, line in enumerate(self.lines):
            for name in self.reads(line):
                self.readers.setdefault(name, []).append(i)
        self.readers = {name: {*at} for name, at in self.readers.items()}
        self.now = {}                               # name -> the expression that has it now, if it is another
        self.kept = []
        self.claimed = set()                        # variables that rounds assign
        self.index, self.letters = None, ["t", "k", "n", "step"]

    def reads(self, line):
        """The names that a line reads, in order."""
        return [value for begin, _, value in line.tokens if value in self.variables
                and not (value in line.targets and begin < self.end_of_targets(line))]

    def end_of_targets(self, line):
        return line.code.index("=") if line.targets else 0

    def result(self):
        texts, begin = [], 0
        for part in self.parts:
            texts.append(self.written(part, begin))
            begin += len(part)
        return texts, [self.now.get(name, name) for name in self.results]

    def steps_of(self, part):
        steps, place = [], None
        for i, line in enumerate(part):
            place = next((text for text in line.above if text.startswith("# ")), place)
            form = put_in(line, ["?" if value in self.variables else "0" if type(value) is int else None
                                 for _, _, value in line.tokens])
            alone = not line.code or line.has_own_names or any([name in self.twice for name in line.targets])
            reads = tuple(self.reads(line))
            arrays = tuple([(self.values[name].shape, self.values[name].dtype) for name in (*reads, *line.targets)])
            steps.append(Step((form, tuple(map(stem, line.targets)), arrays, i if alone else None), reads, line.targets,
                              tuple([value for _, _, value in line.tokens if type(value) is int]), place))
        return steps

    def written(self, part, begin):
        """The lines of a part, whose first line has the number ``begin``."""
        texts, at = [], 0
        for repetition in repetitions(self.steps_of(part), stem):
            for line in part[at:repetition.begin]:
                texts += self.alone(line)
            texts += Loop(self, part, repetition, begin).lines()
            at = repetition.end
        for line in part[at:]:
            texts += self.alone(line)
        return texts

    def alone(self, line):
        if not line.code:
            return line.above
        texts = [None if begin < self.end_of_targets(line) and value in line.targets else self.now.get(value)
                 for begin, _, value in line.tokens]
        return [*line.above, self.with_comment(put_in(line, texts), line.comment), *line.below]

    def sequence(self, names):
        """(Kept, numbers) where all names are, at even places; or None."""
        for each in self.kept:
            numbers = [each.numbers.get(name) for name in names]
            if None not in numbers and is_even(numbers):
                return each, numbers
        return None


class Loop:
    """A repetition as a loop."""

    def __init__(self, folding, part, repetition, begin):
        self.folding, self.part, self.repetition = folding, part, repetition
        self.inside = range(begin + repetition.begin, begin + repetition.end)
        self.before, self.variables, self.stored = [], {}, {}
        self.made = {(j, i): names for j in range(repetition.period) for i, names in enumerate(repetition.makes(j))}
        self.makers = {name: (at, k) for at, names in self.made.items() for k, name in enumerate(names)}
        self.carried = repetition.carried()
        self.numbers = self.numbers_for()
        self.step = self.numbers[1] - self.numbers[0]
        while folding.index is None:
            letter = folding.letters.pop(0)
            name = folding.new_name(letter)
            folding.index = name if name == letter or not folding.letters else None

    def numbers_for(self):
        """What ``t`` is in each block: the places of what it reads from a list, or from 0 on."""
        found = []
        for j in range(self.repetition.period):
            for names in self.repetition.reads(j):
                known = self.folding.sequence(names) if names[0] != names[-1] else None
                if known is not None and abs(known[1][1] - known[1][0]) == 1:
                    found.append(known[1])
        return min(found, default=[*range(self.repetition.times)])

    def index_of(self, numbers, first=0):
        """The expression that gives these numbers, from this block on."""
        slope = (numbers[1] - numbers[0]) * self.step
        return Index(self.folding.index, slope, numbers[0] - slope * self.numbers[first]).text()

    # -------------------------------------------------------------------------- variables

    def is_read_outside(self, name):
        return name in self.folding.results or any([at not in self.inside for at in self.folding.readers.get(name, ())])

    def distances(self, at):
        """How many blocks later what is made here is read, and where, [(distance, place of the reader)]."""
        found = []
        for j in range(self.repetition.period):
            for names in self.repetition.reads(j):
                maker, k = self.makers.get(names[-1], (None, 0))
                if maker == at and k < self.repetition.times - 1:
                    found.append((self.repetition.times - 1 - k, j))
        return found

    def prepare(self):
        for at, names in self.made.items():
            starts = self.carried.get(at, {})
            from_list = any([distance > 1 or j > at[0] for distance, j in self.distances(at)])
            kept = from_list or any([self.is_read_outside(name) for name in names[:-1]])
            start = starts.get(1)
            if start is not None and not from_list and self.may_be_overwritten(start, at, kept):
                variable = start
            else:
                variable = names[0] if "#" not in stem(names[0]) else self.folding.new_name(base(names))
            self.folding.claimed.add(variable)
            self.variables[at] = variable
            if start is not None and not from_list:
                now = self.folding.now.get(start, start)
                if now != variable:
                    self.before.append(f"{variable} = {now}")
            if kept:
                self.keep(at, names, starts)

    def may_be_overwritten(self, start, at, kept):
        """Is what the loop starts with read by nothing else, or in the list from where it can be read?"""
        if start in self.folding.claimed or self.folding.now.get(start, start) != start:
            return False
        others = [names for j in range(self.repetition.period) for names in self.repetition.reads(j)
                  if start in names and self.makers.get(names[-1], (None,))[0] != at]
        if others or start in self.folding.results:
            return False
        last = self.inside[-1]
        return kept or not any([i > last for i in self.folding.readers.get(start, ())])

    def keep(self, at, names, starts):
        name = self.folding.new_name(f"all_{base(names)}")
        first = len(starts) if self.step > 0 else self.numbers[0]
        begun = {first - distance * self.step: starts[distance] for distance in sorted(starts, reverse=True)}
        now = [self.folding.now.get(start, start) for start in begun.values()]
        if self.step > 0:
            self.before.append(f"{name} = [{', '.join(now)}]")
        else:
            self.before.append(f"{name} = {{{', '.join([f'{number}: {text}' for number, text in zip(begun, now)])}}}")
        numbers = {start: number for number, start in begun.items()}
        numbers |= {each: first + k * self.step for k, each in enumerate(names)}
        self.stored[at] = Kept(name, numbers)
        for start in starts.values():
            if start in self.variables.values():
                self.folding.now[start] = f"{name}[{numbers[start]}]"

    # -------------------------------------------------------------------------- reading

    def text_of(self, names):
        """The expression for what is read at one place of the blocks."""
        if names[0] == names[-1]:
            return self.folding.now.get(names[0])
        maker, k = self.makers.get(names[-1], (None, 0))
        if maker is not None:
            distance = self.repetition.times - 1 - k
            if distance == 0 or not self.is_from_list(maker):
                return self.variables[maker]
            own = self.stored[maker].numbers
            return f"{self.stored[maker].name}[{self.index_of([own[name] for name in names[-2:]], -2)}]"
        known = self.folding.sequence(names)
        if known is None:
            low = min(self.numbers)
            name = self.folding.new_name(f"all_{base(names)}")
            known = Kept(name, {each: n - low for each, n in zip(names, self.numbers)}), [n - low for n in self.numbers]
            self.folding.kept.append(known[0])
            texts = [self.folding.now.get(each, each) for each in sorted(names, key=known[0].numbers.get)]
            self.before += wrapped(f"{name} = [{', '.join(texts)}]")
        return f"{known[0].name}[{self.index_of(known[1])}]"

    def is_from_list(self, at):
        return any([distance > 1 or j > at[0] for distance, j in self.distances(at)])

    # -------------------------------------------------------------------------- writing

    def lines(self):
        repetition, folding = self.repetition, self.folding
        self.prepare()
        body, above, below = [], [], []
        blocks = [self.part[i:i + repetition.period]
                  for i in range(repetition.begin, repetition.end, repetition.period)]
        told_once = not any([line.above for line in blocks[1]])
        for j, same in enumerate(zip(*blocks)):
            first = same[0]
            comments = [line.above for line in same]
            if told_once:
                above += first.above
            else:
                body += self.general(comments)
            reads, counts = iter(repetition.reads(j)), iter(repetition.numbers(j))
            texts = []
            for begin, _, value in first.tokens:
                if value in folding.variables:
                    target = value in first.targets and begin < folding.end_of_targets(first)
                    texts.append(self.variables[j, first.targets.index(value)] if target else self.text_of(next(reads)))
                elif type(value) is int:
                    each = next(counts)
                    texts.append(None if each[0] == each[1] else self.index_of(each))
                else:
                    texts.append(None)
            body.append(folding.with_comment(INDENT + put_in(first, texts), first.comment))
            for i in range(len(first.targets)):
                if (j, i) in self.stored:
                    body.append(self.storing(j, i))
            body += self.general([line.below for line in same])
            if len(same[-1].below) != len(same[1].below):           # the last gradient of what all rounds share
                below += map(self.renamed, same[-1].below)
        while body and not body[0].strip():
            del body[0]
        self.forget()
        if not above or above[0].strip():
            above = ["", *above]
        return [*above, *self.before, self.header(), *body, *below]

    def storing(self, j, i):
        kept, variable = self.stored[j, i], self.variables[j, i]
        if self.step > 0:
            return f"{INDENT}{kept.name}.append({variable})"
        own = [kept.numbers[name] for name in self.made[j, i]]
        return f"{INDENT}{kept.name}[{self.index_of(own)}] = {variable}"

    def header(self):
        first, last = self.numbers[0], self.numbers[-1]
        if self.step > 0:
            return f"for {self.folding.index} in range({f'{first}, ' if first else ''}{last + 1}):"
        if last == 0:
            return f"for {self.folding.index} in reversed(range({first + 1})):"
        return f"for {self.folding.index} in range({first}, {last - 1}, -1):"

    def general(self, comments):
        """The comments of all blocks as those of one: a number that differs is written as the first and the last."""
        usual = comments[1]
        if len(comments[0]) != len(usual):
            comments = comments[1:]
        if any([len(each) != len(usual) for each in comments]):
            return [INDENT + text if text else text for text in usual]
        texts = []
        for same in zip(*comments):
            parts = [*zip(*[re.split(r"(\d+)", self.renamed(text)) for text in same])]
            alike = len({len(re.split(r"\d+", self.renamed(text))) for text in same}) == 1
            text = "".join([each[0] if len({*each}) == 1 else f"{each[0]}…{each[-1]}" for each in parts])
            texts.append(text if alike else same[0])
        return [INDENT + text if text else text for text in texts]

    def renamed(self, text):
        """A comment with the variables of the loop."""
        return re.sub(r"\w+", lambda found: self.variables.get(self.makers.get(found[0], (None,))[0], found[0]), text)

    def forget(self):
        """After the loop: where the names are found now."""
        for at, names in self.made.items():
            if at in self.stored:
                self.folding.kept.append(self.stored[at])
                for name in names:
                    self.folding.now[name] = f"{self.stored[at].name}[{self.stored[at].numbers[name]}]"
            if self.variables[at] != names[-1] or names[-1] in self.folding.now:
                self.folding.now[names[-1]] = self.variables[at]


def wrapped(text, width=110):
    """A line of a list, broken after commas."""
    lines = [""]
    for part in re.split(r"(?<=, )", text):
        if len(lines[-1]) + len(part) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * (text.index("[") + 1))
        lines[-1] += part
    return lines
