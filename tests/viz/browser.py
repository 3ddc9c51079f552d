"""A page in a browser, with whatever a script does there, and on paper."""

import html
import json
import re
import subprocess
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


def in_browser(chromium, folder, body, script, *flags):
    """What ``script``, the body of an async function, returns on a page with ``body``; and what went wrong on it."""
    page = (f"<!DOCTYPE html><html><head><meta charset='utf-8'></head><body><script>{DRIVER}</script>{body}<pre "
            "id='out'></pre><script>(async () => {const players = "
            f"Array.from(document.querySelectorAll('.minigrad-player')), player = players[0];{script}}})().catch((e) "
            "=> { window.faults.push(String(e)); return null; }).then((result) => "
            "{document.getElementById('out').textContent = JSON.stringify({result, faults: window.faults}); "
            "});</script></body></html>")
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
               f"--user-data-dir={folder / 'profile'}", "--window-size=1000,800", "--virtual-time-budget=60000", *flags]
    run = subprocess.run([chromium, *options, "--dump-dom", path.as_uri()],
                         capture_output=True, text=True, encoding="utf-8", timeout=120)
    found = re.search(r'<pre id="out">(.*?)</pre>', run.stdout, re.DOTALL)
    assert found and found[1], run.stdout[-2000:] + run.stderr[-2000:]
    answer = json.loads(html.unescape(found[1]))
    assert answer["faults"] == [], answer["faults"]
    return answer["result"]


def printed(chromium, folder, body):
    """The number of signs that are set on each sheet when a page with ``body`` is printed."""
    (folder / "page.html").write_text(f"<!DOCTYPE html><meta charset='utf-8'>{body}", encoding="utf-8")
    pdf = folder / "page.pdf"
    subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
                    "--no-pdf-header-footer", f"--print-to-pdf={pdf}", (folder / "page.html").as_uri()],
                   capture_output=True, timeout=120, check=True)
    streams = {int(number): zlib.decompress(stream) for number, stream in re.findall(
        rb"(\d+) 0 obj\n<<[^>]*/Filter /FlateDecode[^>]*>> stream\n(.*?)\nendstream", pdf.read_bytes(), re.DOTALL)}
    sheets = re.findall(rb"/Type /Page\n.*?/Contents (\d+) 0 R", pdf.read_bytes(), re.DOTALL)
    return [sum(len(signs) // 4 for signs in re.findall(rb"<([0-9A-F]+)> Tj", streams[int(sheet)])) for sheet in sheets]
