"""The English of the library: plain and idiomatic, so that readers never notice the sentence; and no line too long.

docs/notes/style.rst is the specification: whatever its table has on the left must be found here, and nothing on the
right.  Comments, docstrings and other strings are read in sources, and everything in pages.
"""

import bisect
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STYLE = ROOT / "docs" / "notes" / "style.rst"
COLUMNS = 120

FOLDERS = ("docs", "minigrad", "tests", "tools", "tutorials")
SOURCES, PAGES = (".py", ".pyx", ".pxd", ".pyi", ".h"), (".rst", ".md")

#: What the site's extensions write below docs.
WRITTEN = ("docs/_build/", "docs/tutorials/", "docs/reading/", "docs/errors/", "docs/reference/ops/",
           "docs/reference/generated/")
#: What cannot be wrapped: a table as it is printed, a schema as it is given, programs for a browser.
LONG = {
    "tests/autograd/profiler/test_profiler_nvprof.py",
    "tests/autograd/profiler/test_profiler_tables.py",
    "tests/viz/test_player.py",
}
#: They name what they warn of.
WARNING = {"docs/notes/style.rst", "tests/site/test_language.py"}

#: A name, and what gives it away, in a text whose gaps are single spaces.
PATTERNS = {
    "a relative clause without a head": r"\b(for|to|of|by|from|than|with|as) who\b"
                                        r"|(^|[.!#\"] ?)(?-i:Who)\b[^?.:¦\"-]*[.:]",
    "'stands' for 'is'": r"(?<!as it )(?<!as they )(?<!\bmis)\b(stands?|stood)\b(?! (in )?for\b| out\b| alone\b)",
    "'by lot'": r"\bby lot\b|\bother lots\b|\bthe lot (falls|is drawn)\b|\blots for\b",
    "'forth'": r"(?<!and so )(?<!back and )\bforth\b",
    "'dear'": r"\bdear(er|est|ly)?\b",
    "'shall'": r"\bshall\b",
    "'whole number'": r"\bwhole[- ]numbers?\b",
    "'somebody who'": r"\b(some|no)body who\b|\bnobody but\b",
    "'without a word'": r"\bno word about\b|\bwithout a word\b",
    "'the gradient by'": r"\b(gradient|derivative|differential|jacobian|hessian)s? by "
                         r"(?!itself|about|hand\b|finite|central|name|its|a\b|-?\d|the chain|the product|one|\w+ing\b)",
    "'is no leaf'": r"(?<!there )(?<!where )(?<!here )\b(is|are|was|were) no "
                    r"(?!longer|more|less|better|worse|wider|such|secret|exception|business|answer|mistake|way|need)",
    "'can be had'": r"\b(can|could|to|may) be had\b",
    "'when first'": r"\b(when|where) first (?!used\b)",
    "'in vain'": r"\bin vain\b",
    "'so many'": r"\b(at most|of) so many\b",
    "an old adverb": r"\b(there|here|where)(in|of|by|fore|upon|unto|with|to)\b(?<!therefore)(?<!whereby)(?<!to)",
    "'looks whether'": r"\blook(s|ed|ing)? (whether|if)\b",
    "'mend'": r"\bmend(s|ed|ing)?\b",
    "'circle' for 'cycle'": r"\b(in|close|closes|make|makes|a reference) (a |no )?circles?\b(?! of radius)",
    "'rightly' for 'correctly'": r"\brightly\b(?! so)",
    "'is to' for 'must'": r"\b(is|are|was|were) to (be|have|go|lie)\b",
    "'where' for 'if' after an error": r"(errors?|\bMG\d+)\)? where\b",
    "'something else than'": r"\b(some|any|no)thing else than\b",
    "'what is done is'": r"\bwhat (is|was) (?!missing|needed|to\b)\w+ (is|are)\b",
    "'in its turn'": r"\bin (its|their) turn\b",
    "'all that is'": r"\ball that (is|was|it|they) (?!remains|left|needed|matters)",
    "'outside of'": r"\b(out|in)side of\b(?! (a function being|functorch|the 'allow))",
    "'also where' for 'even where'": r"\balso (where|if|when)\b",
    "'in the place of'": r"\bin the place of\b",
    "'makes one of it'": r"\bmakes? an? \w+ of (it|them)\b",
}
#: They may begin anywhere.  The others begin where a word does, and one search tells whether a text has any of these.
ANYWHERE = {"a relative clause without a head", "'where' for 'if' after an error"}
AT_A_WORD = re.compile(r"\b(?=[a-z])(?:"
                       + "|".join([f"(?:{pattern})" for name, pattern in PATTERNS.items() if name not in ANYWHERE])
                       + ")", re.IGNORECASE)
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in PATTERNS.items()}

#: What may lie between two words of a sentence: a line's end, the beginning of a comment, the seam of two strings.
GAP = re.compile(r"""\s*\n\s*(?:\#+:?|//+|\*)?\s*|\s*["']\s*¦?["']\s*|\s+""")
#: What is read in a source: its strings and its comments.  The rest are words of code, long and short.
TEXT = re.compile(r"""(\"{3}(?:\\.|[^\\])*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*)""", re.DOTALL)
LONGER, ANY = re.compile(r"""[^\s"'#]{2,}"""), re.compile(r"[^\s¦]")


def files(endings):
    """Every file that we write by hand, by its path below the root."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in endings]
    found += [path for path in ROOT.iterdir() if path.suffix in endings]
    for path in sorted(found):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(WRITTEN) and not path.read_text("utf-8").startswith('"""Made by `make stubs`'):
            yield name


def top_folder(name):
    return name.partition("/")[0] if "/" in name else "."


def read(name):
    """The text of a file; of the changelog, only what is new in it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return text.partition("\n## 0")[0] if name == "CHANGELOG.md" else text


def prose(text):
    """A source with a bar or two in the place of each word of its code; lines keep their numbers."""
    parts = TEXT.split(text)
    parts[::2] = [ANY.sub("¦", LONGER.sub("¦¦", code)) for code in parts[::2]]
    return "".join(parts)


def slips(text):
    """[(line, pattern, words)] of what this text should say differently."""
    flat = " ".join(GAP.split(text))
    names = PATTERNS if AT_A_WORD.search(flat) else ANYWHERE
    found = [(match, name) for name in names for match in PATTERNS[name].finditer(flat)]
    lines = lines_of_words(text) if found else []
    return sorted((lines[bisect.bisect(lines, (match.start(), len(lines))) - 1][1], name, match[0].strip())
                  for match, name in found)


def lines_of_words(text):
    """[(where words begin in the flat text, their line)], by gap."""
    lines, line, at, end = [(0, 1)], 1, 0, 0
    for gap in GAP.finditer(text):
        at, line, end = at + gap.start() - end + 1, line + gap[0].count("\n"), gap.end()
        lines.append((at, line))
    return lines


def table():
    """The rows of the style page: (instead of, write)."""
    rows = re.findall(r"^   \* - (.+)\n     - (.+)$", STYLE.read_text(encoding="utf-8"), re.MULTILINE)
    return rows[1:]


@pytest.mark.parametrize("slip", [slip for slip, _ in table()])
def test_what_the_style_page_warns_of_is_found(slip):
    """In a page, in a comment, in a docstring, in a message, and across the end of a line."""
    assert slips(slip)
    assert slips(prose(f"x = 1    # {slip}\n"))
    assert slips(prose(f'def f():\n    """{slip}"""\n'))
    assert slips(prose(f'raise error("MG101", f"{slip}")\n'))
    at = slip.rfind(" ", 0, slip.lower().find(slips(slip)[0][2].split()[-1].lower()))
    if at > 0:
        assert slips(prose(f"# {slip[:at]}\n    # {slip[at + 1:]}\n"))
        assert slips(prose(f'("{slip[:at]} "\n    "{slip[at + 1:]}")\n'))


@pytest.mark.parametrize("better", [better for _, better in table()])
def test_what_the_style_page_recommends_is_fine(better):
    assert not slips(better)


def test_every_pattern_is_on_the_style_page():
    assert {name for slip, _ in table() for _, name, _ in slips(slip)} == PATTERNS.keys()


def test_all_patterns_but_two_begin_where_a_word_does():
    at_a_word = re.compile(r"(\(\?<!(\\b)?[\w ]+\))*\\b")        # after lookbehinds
    for name, pattern in PATTERNS.items():
        single = "(?!" in pattern.pattern
        alternatives = [pattern.pattern] if single else re.split(r"\|(?![^()]*\))", pattern.pattern)
        assert (name in ANYWHERE) != all([at_a_word.match(each) for each in alternatives]), name


def test_code_is_not_prose():
    assert not slips(prose("stands = who.shall(dear)\n"))
    assert slips(prose("a = 1\n\nstands = 1    # it stands there\n")) == [(3, "'stands' for 'is'", "stands")]


@pytest.mark.parametrize("folder", [*FOLDERS, "."])
def test_the_prose_is_plain(folder):
    found = [f"{name}:{line}: {pattern}: {words}"
             for name in files(SOURCES + PAGES) if name not in WARNING and top_folder(name) == folder
             for line, pattern, words in slips(read(name) if name.endswith(PAGES) else prose(read(name)))]
    assert not found, "\n".join(found)


def named_badly(text):
    """[(name, pattern)] of the tests in a file whose names would be slips if they were sentences."""
    return [(name, pattern) for name in re.findall(r"^ *def test_(\w+)", text, re.MULTILINE)
            for _, pattern, _ in slips(name.replace("_", " "))]


def test_the_names_of_tests_are_plain():
    bad = {name: named_badly(read(name)) for name in files((".py",)) if "/test_" in name}
    assert not any(bad.values()), {name: found for name, found in bad.items() if found}


def test_a_name_that_is_a_slip_is_found():
    assert named_badly("class TestA:\n    def test_none_is_no_tensor(self):\n        shall()\n") == [
        ("none_is_no_tensor", "'is no leaf'")]


def long_lines(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if len(line) > COLUMNS]


def test_no_line_is_too_long():
    long = [f"{name}: lines {found}" for name in files((*SOURCES, ".md"))
            if name not in LONG and (found := long_lines(read(name)))]
    assert not long, f"longer than {COLUMNS} columns:\n" + "\n".join(long)


def test_a_line_that_is_too_long_is_found():
    assert long_lines(f"{COLUMNS * 'a'}\n{COLUMNS * 'b'}c\n") == [2]


@pytest.mark.parametrize("name", sorted(LONG))
def test_what_may_be_long_is(name):
    assert long_lines(read(name))


def test_the_files_of_every_folder_are_read():
    """A file in each folder, with each ending; and those that are written by programs are not."""
    found = {*files(SOURCES + PAGES)}
    assert {"setup.py", "README.md", "CHANGELOG.md", "docs/index.rst", "docs/_ext/prose.py", "tools/make_stubs.py",
            "minigrad/_core/backward/engine.pyx", "minigrad/_core/graph/graph.pxd", "minigrad/error_pages/MG101.rst",
            "tests/site/test_language.py", "tests/repository/types/mistakes.py"} <= found
    assert any([name.startswith("tutorials/") for name in found]) and "minigrad/__init__.pyi" not in found


def test_only_what_is_new_in_the_changelog_is_read():
    assert "## Unreleased" in read("CHANGELOG.md") and "\n## 0" not in read("CHANGELOG.md")
