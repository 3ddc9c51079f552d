"""Checks the built site with axe: contrast, names, order, focus; in light and dark, on a wide screen and a phone.

    AXE=/path/to/axe.min.js python tools/check_accessibility.py docs/_build/html

minigrad does not bring axe: ``npm install axe-core`` anywhere, and say in ``AXE`` where its ``axe.min.js`` is.  Without
it, or without a Chromium, nothing is checked, and that is said.  One page of each kind is opened in a frame of a page
that a small server sends along with the site; that page reports what axe found back to the server.
"""

import functools
import http.server
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from browsers import OPTIONS, WHAT_TO_INSTALL, chromium

WIDTHS = (1280, 390)
THEMES = ("light", "dark")

#: One page of each kind; where a folder or a pattern is given, the first page that fits.
KINDS = {
    "home": "index.html",
    "list of tutorials": "tutorials/index.html",
    "tutorial": "tutorials/**/gradients_of_one_expression.html",
    "tutorial with figures": "tutorials/**/reading_digits.html",
    "tutorial with drawings": "tutorials/**/reading_the_graph.html",
    "tutorial with a player": "tutorials/**/watch_a_backward_pass.html",
    "list of operations": "reference/ops/index.html",
    "operations": "reference/ops/extremes.html",
    "reference": "reference/autograd.html",
    "reference with drawings": "reference/viz.html",
    "note": "notes/kinds.html",
    "note with a wide table": "notes/coverage.html",
    "source": "reading/autograd-function-__init__.html",
    "list of sources": "read.html",
    "search": "search.html?q=hook",
    "error": "errors/MG101.html",
    "changelog": "changelog.html",
}

#: How much a fault hinders somebody, in axe's words, the least first.  Faults from MATTERS on fail the check.
IMPACTS = ("minor", "moderate", "serious", "critical")
MATTERS = "moderate"

DRIVER = """<!DOCTYPE html><html lang="en"><title>axe</title><body style="margin: 0"><script>
const loaded = (element) => new Promise((done, fail) => { element.onload = done; element.onerror = fail; });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const tell = (found) => fetch("/found", {method: "POST", body: JSON.stringify(found)});
async function check(page, theme, width) {
    localStorage.setItem("theme", theme);
    const frame = document.createElement("iframe");
    frame.style = `width: ${width}px; height: 900px; border: 0`;
    frame.src = page;
    const ready = loaded(frame);
    document.body.append(frame);
    await ready;
    const script = frame.contentDocument.createElement("script");
    script.src = "/axe.min.js";
    const there = loaded(script);
    frame.contentDocument.body.append(script);
    await there;
    await pause(page.includes("?q=") ? 3000 : 300);
    const {violations} = await frame.contentWindow.axe.run(frame.contentDocument, {resultTypes: ["violations"]});
    frame.remove();
    return violations.map(({id, impact, help, nodes}) => ({id, impact, help, nodes: nodes.map((node) => ({
        html: node.html, why: [...node.any, ...node.all, ...node.none].map((each) => each.message)}))}));
}
(async () => {
    for (const [page, theme, width] of CASES) {
        try { await tell({page, theme, width, faults: await check(page, theme, width)}); }
        catch (error) { await tell({page, theme, width, error: String(error)}); }
    }
})();
</script></body></html>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, and beside it axe and the page that runs it."""

    def __init__(self, *args, axe, cases, found, **kwargs):
        self.axe, self.cases, self.found = axe, cases, found
        super().__init__(*args, **kwargs)

    def do_GET(self):
        if self.path == "/axe.min.js":
            self.answer("text/javascript", self.axe.read_bytes())
        elif self.path == "/axe.html":
            self.answer("text/html; charset=utf-8", DRIVER.replace("CASES", json.dumps(self.cases)).encode())
        else:
            super().do_GET()

    def do_POST(self):
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.answer("text/plain", b"")

    def answer(self, kind, content):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


def pages_of(site):
    """The address of a page of each kind; kinds that this site lacks are left out."""
    for place in KINDS.values():
        path, _, query = place.partition("?")
        for found in sorted(site.glob(path))[:1]:
            yield "/" + found.relative_to(site).as_posix() + ("?" + query if query else "")


def reports(site, axe, browser, cases):
    """Yield for each of ``cases`` what axe found on it."""
    found = queue.Queue()
    handler = functools.partial(Handler, directory=str(site), axe=axe, cases=cases, found=found)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = [*OPTIONS, "--window-size=1400,1000", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
        running = subprocess.Popen([browser, *options, f"http://127.0.0.1:{server.server_port}/axe.html"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in cases:
                yield found.get(timeout=120)
        finally:
            running.terminate()
            running.wait()
            server.shutdown()


def said(report):
    """The lines on one page: each fault once, with the elements that have it."""
    where = f"{report['page']} ({report['theme']}, {report['width']} px)"
    if "error" in report:
        return [f"{where}: {report['error']}"]
    lines = []
    for fault in report["faults"]:
        if IMPACTS.index(fault["impact"]) >= IMPACTS.index(MATTERS):
            lines.append(f"{where}: {fault['impact']}: {fault['help']} [{fault['id']}]")
            for node in fault["nodes"][:4]:
                lines.append(f"    {node['html'][:150]}")
                lines += [f"        {why}" for why in node["why"][:2]]
            if len(fault["nodes"]) > 4:
                lines.append(f"    and {len(fault['nodes']) - 4} more")
    return lines


def main(folder):
    site, axe, browser = Path(folder).resolve(), Path(os.environ.get("AXE", "")), chromium()
    if not axe.is_file() or browser is None:
        print("Accessibility is not checked. " + (WHAT_TO_INSTALL if axe.is_file() else
              "Set AXE to the axe.min.js of axe-core (npm install axe-core)."))
        return 0
    cases = [(page, theme, width) for page in pages_of(site) for theme in THEMES for width in WIDTHS]
    wrong = 0
    for report in reports(site, axe, browser, cases):
        if lines := said(report):
            wrong += 1
            print(*lines, sep="\n", flush=True)
    print(f"{len(cases)} views checked by axe: {f'{wrong} with faults' if wrong else 'nothing found'}")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
