"""``.. question-table::``: how many questions the bank has for each page of the course, by difficulty and in all."""

from sphinx.util.docutils import SphinxDirective

from tools.question_bank import bank


def table():
    """The table as reStructuredText."""
    known, course = bank.questions().values(), bank.pages_of_the_course()
    rows = [["Page", *bank.LEVELS.values(), "together"]]
    for page, part in course.items():
        here = [question for question in known if question.page == page]
        rows.append([f":doc:`/tutorials/{part['folder']}/{page}`", *counts(here)])
    rows.append(["all pages", *counts(known)])
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 52 12 12 12 12", ""]
    for row in rows:
        lines += [f"   {'* -' if i == 0 else '  -'} {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


def counts(some):
    some = list(some)
    return [*[sum(question.difficulty == level for question in some) for level in bank.LEVELS], len(some)]


class QuestionTable(SphinxDirective):
    def run(self):
        for path in (bank.HERE / "pages.toml", *(bank.HERE / "questions").glob("*.toml")):
            self.env.note_dependency(str(path))
        return self.parse_text_to_nodes(table())


def setup(app):
    app.add_directive("question-table", QuestionTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
