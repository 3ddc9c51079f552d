"""One Chromium shows the pages of all tests: none meets what another has kept, and one that has ended is started anew.
"""

import functools
import http.server
import json
import threading

import pytest

from tests.viz.browser import in_browser

KEEPING = """<script>(async () => {
    const opened = () => new Promise((done) => {
        const asked = indexedDB.open("kept", 1);
        asked.onupgradeneeded = () => { found.push("database"); asked.result.createObjectStore("kept"); };
        asked.onsuccess = () => { asked.result.close(); done(); };
    });
    const found = [];           // the database is noted when it is new, all else when it is there
    await opened();
    const cached = await caches.keys();
    tell(JSON.stringify([found, localStorage.length, sessionStorage.length, document.cookie, name, cached.length]));
    localStorage.kept = sessionStorage.kept = name = "kept";
    document.cookie = "kept=1";
    await caches.open("kept");
    tell("kept");
})();</script>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture
def address(tmp_path):
    """Of a page that keeps something; its server stays, so that the page comes from the same place each time."""
    (tmp_path / "keeping.html").write_text(KEEPING, encoding="utf-8")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/keeping.html"
        server.shutdown()


def test_no_page_meets_what_another_has_kept(chromium, address):
    for _ in range(2):
        with chromium.page(address) as page:
            assert json.loads(page.said()) == [["database"], 0, 0, "", "", 0]
            page.events.clear()
            assert page.said() == "kept"


def test_a_chromium_that_has_ended_is_started_anew(chromium, tmp_path):
    assert in_browser(chromium, tmp_path, "", "return 2;") == 2
    chromium.process.kill()
    chromium.process.wait()
    assert in_browser(chromium, tmp_path, "", "return 3;") == 3


def test_what_goes_wrong_on_a_page_fails_and_the_next_page_is_shown(chromium, tmp_path):
    for script, fault in (("throw new Error('of the script');", "of the script"),
                          ("console.error('said', 2);", "said 2"),
                          ("setTimeout(() => { unknown(); }, 10); await wait(1000);", "unknown is not defined")):
        with pytest.raises(AssertionError, match=fault):
            in_browser(chromium, tmp_path, "", script)
    assert in_browser(chromium, tmp_path, "", "return [innerWidth, innerHeight];", width=320) == [320, 800]


def test_time_passes_at_once_where_nothing_happens(chromium, tmp_path):
    waited = in_browser(chromium, tmp_path, "", """
        const before = [Date.now(), performance.now()];
        await wait(50000);
        return [Date.now() - before[0], performance.now() - before[1]];""")
    assert all([49_999 <= each < 51_000 for each in waited])    # what a clock shows is blurred by a tenth of a ms
