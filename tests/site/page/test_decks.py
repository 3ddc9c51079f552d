"""The slides of each lecture in a browser: keys lead through all of them, everything fits, and so it does on paper."""

import re
from pathlib import Path

import pytest

from tests.site.page.written import written
from tests.viz.browser import in_browser, paper

ROOT = Path(__file__).resolve().parents[3]
NAMES = sorted(path.stem for path in (ROOT / "docs" / "teaching" / "lectures").glob("*.toml"))
WIDTH, HEIGHT = 1280, 720

#: Press the key until nothing new comes; say what was seen, and what is outside its slide at any moment.
WALK = """
await new Promise((done) => {
    if (document.readyState === "complete") { done(); } else { addEventListener("load", done); }
});
const seen = [], outside = new Set();
function look() {
    const sheet = document.querySelector(".sheet.current"), slide = sheet.querySelector(".slide");
    const frame = slide.getBoundingClientRect(), scale = frame.width / 1280;
    const foot = slide.querySelector("footer").getBoundingClientRect();
    slide.querySelectorAll("h1, h2, p, pre, li, table, img, .formula, .ask, .mgp-side, svg").forEach((each) => {
        const box = each.getBoundingClientRect(), name = sheet.id + " " + each.tagName + " " + each.className;
        if (!box.width || !box.height || getComputedStyle(each).visibility === "hidden") { return; }
        if (box.bottom > foot.top + scale || box.right > frame.right - 39 * scale) { outside.add(name); }
        if (each.tagName === "PRE" && each.scrollWidth > each.clientWidth + 1) { outside.add(name + " is too wide"); }
    });
    const side = slide.querySelector(".mgp-side"), ask = slide.querySelector(".ask:not(.waiting)");
    if (side && ask && side.getBoundingClientRect().bottom > ask.getBoundingClientRect().top + scale) {
        outside.add(sheet.id + " covers the player");
    }
    const range = sheet.querySelector(".minigrad-player input[type=range]");
    return [sheet.id, range && range.value, sheet.querySelectorAll(".waiting").length].join(" ");
}
seen.push(look());
for (let same = 0; same < 9;) {
    press(document.body, "ArrowRight");
    const now = look();
    same = now === seen[seen.length - 1] ? same + 1 : 0;
    if (!same) { seen.push(now); }
}
"""


@pytest.fixture
def deck_of(monkeypatch):
    """The page of a lecture, from the extension of the site."""
    pytest.importorskip("sphinx_gallery")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_ext"))
    import lectures

    def made(name, folder):
        lecture = lectures.lecture(name)
        folder.mkdir()
        return lectures.deck(lecture, written(lecture.pages, folder)), len(lecture.slides) + 1

    return made


@pytest.mark.drawn
@pytest.mark.parametrize("name", NAMES)
def test_each_key_shows_something_new_and_all_of_it_fits(chromium, deck_of, name, tmp_path):
    deck, slides = deck_of(name, tmp_path / "pages")
    result = in_browser(chromium, tmp_path, deck, WALK + "return { seen, outside: [...outside] };",
                        width=WIDTH, height=HEIGHT)
    assert result["outside"] == []
    assert list(dict.fromkeys(state.split()[0] for state in result["seen"])) == [
        f"slide-{number}" for number in range(1, slides + 1)]
    assert len(result["seen"]) == len({*result["seen"]}) and result["seen"][-1].endswith(" 0")


SLIDES = [
    ("One", '<div class="ask"><p class="question">Why?</p><p class="answer held">So.</p></div>'),
    ("Two", '<div class="body"><div class="left"><pre>' + 24 * "line\n" + "</pre></div></div>"),
    ("Three", ""),
]


def small_deck(*, more=""):
    """A deck of three slides, without any page."""
    style, script = ((ROOT / "docs" / "_ext" / name).read_text("utf-8") for name in ("deck.css", "deck.js"))
    sheets = "".join(
        f'<article class="sheet" id="slide-{number}" data-from="0" data-minutes="5"><section class="slide">'
        f'<h2>{title}</h2>{body}{more}<footer></footer></section><div class="notes"><p>Say it.</p></div></article>'
        for number, (title, body) in enumerate(SLIDES, 1))
    return f"<style>{style}</style><main>{sheets}</main><script>{script}</script>"


def test_back_and_forth(chromium, tmp_path):
    seen = in_browser(chromium, tmp_path, small_deck(), WALK + """
        const way = [];
        for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End", "PageUp", "n"]) {
            press(document.body, key); way.push(look()); }
        return [way, document.body.className, getComputedStyle(document.querySelector(".current .notes")).display];""")
    assert seen[0] == ["slide-1  1", "slide-1  0", "slide-2  0", "slide-1  0", "slide-3  0", "slide-2  0", "slide-2  0"]
    assert "with-notes" in seen[1] and seen[2] == "block"


def test_the_window_of_the_speaker_follows_and_leads(chromium, tmp_path):
    told = in_browser(chromium, tmp_path, small_deck(), WALK.partition("seen.push(look());")[0] + """
        const heard = [];
        function told() {
            const part = (name) => document.querySelector(".told " + name).textContent;
            return [document.querySelector(".current").id, part(".text"), part(".next"), part("small")];
        }
        if (opener) {
            const tell = () => opener.postMessage({ told: told() }, "*");
            addEventListener("message", () => { setTimeout(tell, 20); });
            await wait(300);
            press(document.body, "ArrowRight");             // the answer
            await wait(300);
            press(document.body, "ArrowRight");
            await wait(600);
            close();
        }
        addEventListener("message", (event) => { if (event.data.told) { heard.push(event.data.told); } });
        press(document.body, "s");
        await wait(2000);
        return heard;""")
    assert told[0] == ["slide-1", "Say it.", "Next: Two", " of 5 minutes for what is shown"]
    assert told[-1][0] == "slide-2" and told[-1][2] == "Next: Three"


def test_a_long_program_is_set_smaller_until_it_fits(chromium, tmp_path):
    size, outside = in_browser(chromium, tmp_path, small_deck(), WALK + """
        return [getComputedStyle(document.querySelector("pre")).fontSize, [...outside]];""")
    assert 14 <= float(size.removesuffix("px")) < 21 and outside == []


def test_what_does_not_fit_is_noticed(chromium, tmp_path):
    outside = in_browser(chromium, tmp_path, small_deck(more="<p style='margin-top:660px'>Down here.</p>"),
                         WALK + "return [...outside];")
    assert outside


def test_each_slide_is_a_sheet_of_paper_and_with_notes_a_sheet_has_two(chromium, tmp_path):
    page = tmp_path / "deck.html"
    page.write_text(f"<!DOCTYPE html><meta charset='utf-8'>{small_deck()}", encoding="utf-8")
    for query, size, sheets in (("", rb"/MediaBox \[0 0 960 540\]", 3),
                                ("?notes", rb"/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]", 2)):        # A4
        assert len(re.findall(size, paper(chromium, page, query))) == sheets
