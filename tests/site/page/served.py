"""A page that is served as the site is, in a browser, with a script that tells the test what it found."""

import contextlib
import functools
import http.server
import json
import queue
import subprocess
import threading
from pathlib import Path

# A Firefox shows the page that it is given, and goes on no errands of its own.
PREFERENCES = "".join(f'user_pref("{name}", false);\n' for name in (
    "app.normandy.enabled", "app.update.enabled", "browser.aboutwelcome.enabled",
    "browser.safebrowsing.downloads.remote.enabled", "browser.shell.checkDefaultBrowser",
    "browser.tabs.crashReporting.sendReport", "datareporting.healthreport.uploadEnabled",
    "datareporting.policy.dataSubmissionEnabled", "extensions.update.enabled",
    "network.captive-portal-service.enabled", "network.connectivity-service.enabled", "toolkit.telemetry.unified"))
STATIC = Path(__file__).resolve().parents[3] / "docs" / "_static"
# What the script of a page can use.
DRIVER = """
const $ = (selector) => document.querySelector(selector), $$ = (selector) => [...document.querySelectorAll(selector)];
const faults = [];
window.onerror = (message) => { faults.push(String(message)); };
async function until(what, name) {
    for (const began = performance.now(); performance.now() - began < 100000;) {
        const found = what();
        if (found) return found;
        await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error("waited for " + name + "; the page says: " + $("article").innerText.slice(-1500));
}
const labelled = (label) => $(`[aria-label^="${label}"]`);
const isOff = (button) => button.getAttribute("aria-disabled") === "true";
const idle = () => until(() => isOff($(".live-bar button")) && !isOff($(".live-run")), "the end of a run");
const outputs = () => $$(".live-output").map((each) => each.innerText);
// An editor, by the beginning of its name: its element that has the focus, and the view of CodeMirror.
const editors = () => $$("textarea.live-editor, .live-editor [contenteditable]");
const editor = (name) => until(() => editors().find((each) => each.ariaLabel.startsWith(name)), name);
const viewOf = async (name) => (await import("/_static/live-codemirror.js")).EditorView.findFromDOM(await editor(name));
const textOf = async (name) => (await viewOf(name)).state.doc.toString();
async function type(name, text) {
    const view = await viewOf(name);
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}
async function edit(name, text) {
    labelled(`Edit ${name}`).click();
    await type(`Code of ${name}`, text);
}
const press = (element, key, more = {}) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
    Object.defineProperty(event, "keyCode", { value: { Tab: 9, Enter: 13, Escape: 27 }[key] ?? key.charCodeAt(0) });
    element.dispatchEvent(event);
    return event.defaultPrevented;
};
"""
# For scripts of tests: wait for the buttons, and do something before the page is loaded again.
READY = "await until(() => document.documentElement.dataset.live, 'the buttons');"
RELOAD = """
if (!sessionStorage.reloaded) {
    sessionStorage.reloaded = "yes";
    %s
    location.reload();
    await new Promise(() => {});
}"""
SCRIPT = """<script type="module">{driver}
let result = null;
try {{ result = await (async () => {{ {script} }})(); }}
catch (problem) {{ faults.push(String(problem)); }}
await fetch("/result", {{ method: "POST", body: JSON.stringify({{ result, faults }}) }});
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The scripts of the site, the runtime beside them, and pages that a test has written."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".mjs": "text/javascript"}

    def __init__(self, *arguments, runtime, isolated, absent, answers, **keywords):
        self.runtime, self.isolated, self.absent, self.answers = runtime, isolated, absent, answers
        super().__init__(*arguments, **keywords)

    def translate_path(self, path):
        path = path.partition("?")[0]
        if path.rpartition("/")[2] == self.absent:
            return str(Path(self.directory, "absent"))
        for start, folder in (("/_static/live/", self.runtime), ("/_static/", STATIC)):
            if folder is not None and path.startswith(start):
                return str(Path(folder, path.removeprefix(start)))
        return super().translate_path(path)

    def do_POST(self):
        self.answers.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def end_headers(self):
        if self.isolated:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def cell(code, language="Python"):
    escaped = code.replace("&", "&amp;").replace("<", "&lt;")
    return f'<div class="highlight-{language} notranslate"><div class="highlight"><pre>{escaped}\n</pre></div></div>'


def page(body, script):
    return ('<!doctype html><html lang="en"><meta charset="utf-8"><link rel="stylesheet" href="/_static/live.css">'
            # as the theme, which by this alone would show what is hidden
            "<style>.highlight-Python, .sphx-glr-script-out { display: block }</style>"
            f'<script src="/_static/live.js" defer></script><body><article>{body}</article>'
            f"{SCRIPT.format(driver=DRIVER, script=script)}</body></html>")


@contextlib.contextmanager
def browsing(browser, folder, address):
    """The Chromium of the tests, or a Firefox of its own, which keeps in ``folder`` what it keeps, shows a page."""
    if not isinstance(browser, str):
        with browser.page(address):
            yield
        return
    profile = folder / "profile"
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text(PREFERENCES, encoding="utf-8")
    with subprocess.Popen([browser, "--headless", "--no-remote", "--profile", profile, address],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            yield
        finally:
            running.kill()


def in_served_page(browser, folder, body, script, *, path="index.html", runtime=None, isolated=True, absent=None,
                   limit=200):
    """What ``script``, the body of an async function, returns on a page with ``body``; one file can be absent.

    It has ``limit`` seconds.
    """
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page(body, script), encoding="utf-8")
    answers = queue.Queue()
    handler = functools.partial(Handler, directory=str(folder), runtime=runtime, isolated=isolated, absent=absent,
                                answers=answers)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with browsing(browser, folder, f"http://127.0.0.1:{server.server_address[1]}/{path}"):
            answer = answers.get(timeout=limit)
        server.shutdown()
    assert answer["faults"] == [], answer["faults"]
    return answer["result"]
