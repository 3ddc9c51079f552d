"""What comments and docstrings refer to is there: the files that they name, and the Notes, in the file where they
say."""

import ast
import re
from pathlib import Path

from tests.drawn import share

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "minigrad"
SOURCES = sorted(path for ending in ("*.py", "*.pyx", "*.pxd") for path in PACKAGE.rglob(ending))
FILES = {path.relative_to(ROOT).as_posix()
         for folder in ("minigrad", "tests", "tools", "docs") for path in (ROOT / folder).rglob("*.p*")} | {"setup.py"}

#: Programs of the user's in examples, and what belongs to NumPy.
NOT_OURS = {"script.py", "step.py", "FILE.py", "train.py", "mean.py", "submission.py", "NAME.py", "numpy/__init__.pxd"}

NAMED = re.compile(r"(?<![\w.*<])((?:[\w-]+/)*[\w-]+\.(?:pyx|pxd|py))\b|:mod:`~?([\w.]+)`")
HEADING = re.compile(r"^(?:# )?Note \[(.+)\]\n(?:# )?-{4,}$", re.MULTILINE)
CITED = re.compile(r"Note \[([^\]]+)\](?:,? in ``?(?:[\w/]+/)?(\w+\.\w+)``?|,? in (?:[\w/]+/)?(\w+\.\w+))?")


def exists(name):
    return name in NOT_OURS or any(f"/{path}".endswith(f"/{name}") for path in FILES)


def missing_files(text):
    """The files and modules named in a source that do not exist."""
    found = [file or module.replace(".", "/") + ".py" for file, module in NAMED.findall(text)]
    return sorted({name for name in found if not exists(name) and not exists(name.replace(".py", "/__init__.py"))})


def flowing(text):
    """Without the breaks of lines, so that what is cited may run over one."""
    return re.sub(r"\s*\n[ \t]*(?:# )?[ \t]*", " ", text)


def notes(sources):
    """{title: the files that have a Note of this title}, for pairs of a file and its text."""
    found = {}
    for name, text in sources:
        for title in HEADING.findall(text):
            found.setdefault(title, []).append(name)
    return found


def told_twice(found):
    return {title: files for title, files in found.items() if len(files) > 1}


NOTES = notes([(path.name, path.read_text(encoding="utf-8")) for path in SOURCES])


def wrong_notes(text):
    """The citations of Notes that do not exist, or are in another file."""
    cited = [(title, quoted or plain) for title, quoted, plain in CITED.findall(flowing(text))]
    return [(title, place) for title, place in cited if title not in NOTES or place and place not in NOTES[title]]


def wrong(paths, check):
    """{path: what ``check`` finds in its text}, where it finds something."""
    return {path.relative_to(ROOT).as_posix(): found for path in paths
            if (found := check(path.read_text(encoding="utf-8")))}


def test_files_that_a_source_names_exist():
    assert wrong(SOURCES, missing_files) == {}


def test_notes_that_a_source_cites_are_where_it_says():
    assert wrong(SOURCES, wrong_notes) == {}


def test_a_note_is_told_once():
    assert NOTES and told_twice(NOTES) == {}


def test_a_note_that_is_told_twice_is_found():
    note = "# Note [A]\n# --------\n# Words.\n"
    in_docstring = f'"""\n{note.replace("# ", "")}"""\n'
    assert told_twice(notes([("a.pyx", note), ("b.py", in_docstring), ("c.py", "Note [A]\n")])) == {
        "A": ["a.pyx", "b.py"]}
    assert told_twice(notes([("a.pyx", note + note)])) == {"A": ["a.pyx", "a.pyx"]}


def test_what_is_missing_is_found():
    assert missing_files("see ``gone.pyx``, autograd/gone.py, graph.pyx, :mod:`minigrad.gone`, :mod:`minigrad.func`"
                         ) == ["autograd/gone.py", "gone.pyx", "minigrad/gone.py"]
    assert wrong_notes("# Note [Gone], and Note [Views]\n# in view_history.pyx, Note [Views] in graph.pyx"
                       ) == [("Gone", ""), ("Views", "graph.pyx")]


# ------------------------------------------------------------------------------ imports are used

#: What students wrote is kept as they wrote it.
HANDED_IN = ("tests/homework/honest/", "tests/homework/cheats/")
READERS = [path for folder in ("tests", "tools", "docs/_ext") for path in sorted((ROOT / folder).rglob("*.py"))
           if not path.relative_to(ROOT).as_posix().startswith(HANDED_IN)]


def unused_imports(text):
    """The names that a file imports and never says again.  An import in a ``try`` asks whether something is there."""
    nodes = [*ast.walk(ast.parse(text))]
    asked = {id(node) for each in nodes if isinstance(each, ast.Try) for node in each.body}
    bound = {(alias.asname or alias.name).partition(".")[0] for node in nodes if id(node) not in asked
             and isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    written = {node.value for node in nodes if isinstance(node, ast.Constant)}      # as in __all__
    return sorted(bound - used - written)


def test_every_import_is_used():
    assert wrong(share(READERS), unused_imports) == {}


def test_an_unused_import_is_found():
    text = ("import a.b, c as d\nfrom e import f, g, h\n__all__ = ['g']\nprint(f.a)\nh = 1\n"
            "try:\n    import i\nexcept ImportError:\n    import j\n")
    assert unused_imports(text) == ["a", "d", "h", "j"]
