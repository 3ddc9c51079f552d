"""A page in a browser, with whatever a script does there, and on paper."""

import base64
import json
import re
import zlib

DRIVER = """
window.faults = [];
window.onerror = (message) => { window.faults.push(String(message)); };
console.error = (...words) => { window.faults.push(words.join(" ")); };
function press(target, key, more) {
    target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...more})); }
function click(player, name) { player.querySelector("button[data-do=" + name + "]").click(); }
function slide(player, i) { const r = player.querySelector("input[type=range]"); r.value = i;
r.dispatchEvent(new Event("input", {bubbles: true})); }
function wait(ms) { return new Promise((done) => setTimeout(done, ms)); }
function look(player) {
    const shown = Array.from(player.querySelectorAll(".mgp-steps > li")).filter((li) => li.getClientRects().length);
    const graph = Array.from(player.querySelectorAll(".mgp-graph")).filter((g) => g.getClientRects().length);
    const states = (what) => Array.from(graph[0].querySelectorAll(what)).map((e) => e.dataset.state);
    return {
        shown: shown.length, title: shown[0].querySelector(".mgp-title").textContent,
        values: Array.from(shown[0].querySelectorAll(".mgp-value")).map((e) => e.textContent),
        at: player.querySelector("output").textContent, slider: player.querySelector("input").value,
            said: player.querySelector(".mgp-said").textContent,
        graphs: graph.length, name: player.querySelector(".mgp-name").textContent, vertices: states(".mg-vertex"),
            routes: states(".mg-route"),
        labels: Array.from(graph[0].querySelectorAll(".mg-label")).map((e) => [e.textContent, e.dataset.state,
            getComputedStyle(e).visibility]),
    };
}
"""


def in_browser(chromium, folder, body, script, **size):
    """What ``script``, the body of an async function, returns on a page with ``body``; and what went wrong on it."""
    page = (f"<!DOCTYPE html><html><head><meta charset='utf-8'></head><body><script>{DRIVER}</script>{body}<script>"
            "(async () => {const players = Array.from(document.querySelectorAll('.minigrad-player')), player = "
            f"players[0];{script}}})().catch((e) => {{ window.faults.push(String(e)); return null; }}).then((result) "
            "=> { tell(JSON.stringify({result, faults: window.faults})); });</script></body></html>")
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    with chromium.page(path.as_uri(), virtual=True, **size) as shown:
        answer = json.loads(shown.said())
    assert answer["faults"] == [], answer["faults"]
    return answer["result"]


def paper(chromium, path, query=""):
    """The PDF that Chromium prints of a page."""
    with chromium.page(path.as_uri() + query) as page:
        page.has_loaded()
        return base64.b64decode(page.ask("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])


def printed(chromium, folder, body):
    """The number of signs that are set on each sheet when a page with ``body`` is printed."""
    path = folder / "page.html"
    path.write_text(f"<!DOCTYPE html><meta charset='utf-8'>{body}", encoding="utf-8")
    pdf = paper(chromium, path)
    streams = {int(number): zlib.decompress(stream) for number, stream in re.findall(
        rb"(\d+) 0 obj\n<<[^>]*/Filter /FlateDecode[^>]*>> stream\n(.*?)\nendstream", pdf, re.DOTALL)}
    sheets = re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", pdf, re.DOTALL)
    return [sum(len(signs) // 4 for signs in re.findall(rb"<([0-9A-F]+)> Tj", streams[int(sheet)])) for sheet in sheets]
