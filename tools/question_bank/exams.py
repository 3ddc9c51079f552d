"""An exam: a seed and the names of its questions, in a small file that an instructor can edit.

    seed = 7
    questions = [
        "grad_is_added_to",        # easy, gradients_of_one_expression
        "which_write_fails",       # medium, in_place_operations
    ]
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.question_bank import bank
from tools.question_bank.building import built, number


@dataclass
class Exam:
    title: str
    seed: object
    names: list

    def built(self):
        known = bank.questions()
        if missing := [name for name in self.names if name not in known]:
            raise LookupError(f"the bank has no question {', '.join(missing)}")
        return [built(known[name], self.seed) for name in self.names]


def drawn(pages, count, seed, levels=(1, 2, 3), kinds=bank.KINDS, title="Exam"):
    """So many questions on these pages: one for each page in turn, and the easy ones first.

    Raises `LookupError` for a page that the bank does not know, and if there are too few questions.
    """
    known, course = bank.questions(), bank.pages_of_the_course()
    if unknown := [page for page in pages if page not in course]:
        raise LookupError(f"the course has no page {', '.join(unknown)}")
    waiting = {page: sorted([each.name for each in known.values()
                             if each.page == page and each.difficulty in levels and each.kind in kinds],
                            key=lambda name: number(seed, "exam", name)) for page in pages}
    if sum(map(len, waiting.values())) < count:
        raise LookupError(f"there are only {sum(map(len, waiting.values()))} such questions on these pages")
    turns = sorted([(turn, number(seed, "turn", page), name) for page, names in waiting.items()
                    for turn, name in enumerate(names)])
    names = [name for *_, name in turns[:count]]
    order = {name: i for i, name in enumerate(known)}
    return Exam(title, seed, sorted(names, key=lambda name: (known[name].difficulty, order[name])))


def written(exam):
    """The text of the file."""
    known = bank.questions()
    lines = [f'    "{name}",  # {bank.LEVELS[known[name].difficulty]}, {known[name].page}' for name in exam.names]
    title = json.dumps(exam.title, ensure_ascii=False)
    return f'title = {title}\nseed = {exam.seed}\nquestions = [\n' + "\n".join(lines) + "\n]\n"


def read(path):
    data = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    return Exam(data["title"], data["seed"], data["questions"])
