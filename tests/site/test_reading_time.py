"""No page of the course takes longer than 25 minutes, and each says how long it takes, by what is on it."""

import tomllib

import pytest

pytest.importorskip("sphinx_gallery")

from docs._ext import taught  # noqa: E402
from tests.site import reading_time  # noqa: E402
from tests.site.reading_time import LONGEST, minutes, parts, rounded  # noqa: E402

SCRIPTS = taught.scripts()
SAID = {f"{part['folder']}/{page}": time
        for part in tomllib.loads((taught.TUTORIALS / "path.toml").read_text(encoding="utf-8"))["parts"]
        for page, time in part["pages"].items()}


def page_of(script):
    return f"{script.parent.name}/{script.stem}"


@pytest.mark.parametrize("script", SCRIPTS, ids=page_of)
def test_no_page_takes_too_long(script):
    assert minutes(script) <= LONGEST, f"{minutes(script):.1f} minutes: fold what a first reader need not read"


@pytest.mark.parametrize("script", SCRIPTS, ids=page_of)
def test_the_path_says_how_long_a_page_takes(script):
    said, measured = SAID[page_of(script)], minutes(script)
    assert said % 5 == 0 and abs(said - measured) < 5, f"it takes {measured:.1f} minutes: say {rounded(measured)}"


# ------------------------------------------------------------------------------ the measure

TEXT = '"""\nA title\n=======\n\nFour words of prose.\n"""\n\n'


@pytest.mark.parametrize(("more", "counted"), [
    ("", (6, 0, 0)),
    ("# %%\n# Two more.\n\nx = 1\n\ny = 2       # as code\n", (8, 2, 0)),
    ("# %%\n# .. math::\n#\n#    x = y + z\n#\n# So.\n", (7, 0, 1)),
    ("# %%\n# .. dropdown:: Not these\n#\n#    These are folded.\n#\n#    These too.\n#\n# But this.\n", (8, 0, 0)),
    ("# %%\n# .. folded:: From here\n#\n# Not these.\n\nx = 1\n\n# %%\n# Nor these.\n\nx = 2\n\n"
     "# %%\n# Nor these.\n#\n# Next\n# ----\n# But these.\n\nx = 3\n", (9, 1, 0)),
    ("# %%\n# .. folded:: From here\n#\n# Not this.\n#\n# Next\n# ----\n# But this.\n\nx = 3\n", (9, 1, 0)),
    ("x = 1\n# sphinx_gallery_start_ignore\nplt.plot(x)\n# sphinx_gallery_end_ignore\nplt.show()\n", (6, 2, 1)),
    ("# teaches: no_grad\n# sphinx_gallery_thumbnail_path = 'x'\ntorch.viz.play(x)\n", (6, 1, 1)),
], ids=["prose", "code", "a formula", "a dropdown", "folded cells", "folded text", "hidden code", "a player"])
def test_only_what_is_seen_counts(tmp_path, more, counted):
    script = tmp_path / "part" / "page.py"
    script.parent.mkdir()
    script.write_text(TEXT + more)
    assert parts(script) == counted


def test_minutes_add_up(tmp_path):
    script = tmp_path / "part" / "page.py"
    script.parent.mkdir()
    words = "\n".join(["a " * 20] * 16)
    script.write_text(f'"""\n{words}\n"""\n\n' + "x = 1\n" * 30 + "plt.show()\n")
    assert minutes(script) == pytest.approx(320 / 160 + 31 / 15 + 0.5)
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "page.py").write_text("# %% Exercise: One\n# Do it.\n\n# %% Exercise: Two\n")
    assert minutes(script) == pytest.approx(320 / 160 + 31 / 15 + 0.5 + 2)
    assert [rounded(time) for time in (20.0, 20.1, 24.9)] == [20, 25, 25] and reading_time.exercises(script) == 2
