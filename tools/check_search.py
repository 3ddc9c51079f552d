"""Asks the search of the built site what people ask, and compares what it finds first.

    python tools/check_search.py docs/_build/html

Asked are the queries of ``searches.toml``, each of which must find its page first, and the names of all objects, the
codes and titles of errors and what students believe, of which 95 % must.  No search may load more than a megabyte.
Without a Chromium, or on a site that was built without Pagefind, nothing is asked, and that is said.
"""

import functools
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading
import tomllib
from pathlib import Path

from browsers import OPTIONS, WHAT_TO_INSTALL, chromium

MOST_BYTES = 1_000_000          # of one search, on a server that compresses nothing
SHARE = 0.95

DRIVER = """<!DOCTYPE html><html lang="en"><title>search</title><script type="module">
const tell = (found) => fetch("/found", { method: "POST", body: JSON.stringify(found) });
try {
    const { named, sources, told } = await import("/_static/search.js");
    const [names, pagefind] = await sources();
    const found = [];
    for (const query of QUERIES) {
        const first = named(query, names);
        found.push((first.length ? first : await told(query, pagefind)).map(({ page }) => page));
    }
    await tell({ found });
} catch (error) { await tell({ error: String(error) }); }
</script></html>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, and beside it a page that asks; ``sent`` counts the bytes of the site that were sent."""

    def __init__(self, *args, queries, found, sent, **kwargs):
        self.queries, self.found, self.sent = queries, found, sent
        super().__init__(*args, **kwargs)

    def do_GET(self):
        if self.path == "/ask.html":
            content = DRIVER.replace("QUERIES", json.dumps(self.queries)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
        else:
            super().do_GET()

    def copyfile(self, source, outputfile):
        content = source.read()
        self.sent.append(len(content))
        outputfile.write(content)

    def do_POST(self):
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


def asked(site, browser, queries):
    """(the pages that each of the queries finds, the best first; the bytes that were loaded)."""
    found, sent = queue.Queue(), []
    handler = functools.partial(Handler, directory=str(site), queries=queries, found=found, sent=sent)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = [*OPTIONS, "--remote-debugging-port=0", f"--user-data-dir={folder}"]
        running = subprocess.Popen([browser, *options, f"http://127.0.0.1:{server.server_port}/ask.html"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            answer = found.get(timeout=300)
        finally:
            running.terminate()
            running.wait()
            server.shutdown()
    if "error" in answer:
        raise SystemExit(f"The search failed: {answer['error']}")
    return answer["found"], sum(sent)


def typed():
    """[query, the page that should come first], of searches.toml."""
    given = tomllib.loads(Path(__file__).with_name("searches.toml").read_text(encoding="utf-8"))
    return [(query, [page]) for part in given.values() for query, page in part.items()]


def missed(queries, found):
    """A line for each query that finds another page first."""
    return [f"{query!r} finds {', '.join(pages[:3]) or 'nothing'}; wanted first: {' or '.join(wanted)}"
            for (query, wanted), pages in zip(queries, found) if not pages or pages[0] not in wanted]


def of_the_site(names):
    """[query, the pages that may come first], for all that the site has a name for."""
    titles = {}
    for code, title, _ in names["errors"]:
        titles.setdefault(title, []).append(f"errors/{code}")
        yield code, [f"errors/{code}"]
    yield from titles.items()
    objects = {}
    for page, found in names["objects"].items():
        for name in found:
            objects.setdefault(f"torch.{name}", []).append(page)
    yield from objects.items()
    for page, text in names["beliefs"]:
        yield text, [page]


def main(folder):
    site, browser = Path(folder).resolve(), chromium()
    if browser is None or not (site / "pagefind" / "pagefind.js").exists():
        print("The search is not checked. " + (WHAT_TO_INSTALL if browser is None else
              "The site was built without Pagefind (pip install pagefind pagefind-bin)."))
        return 0
    queries = [*typed()]
    others = [*of_the_site(json.loads((site / "_static" / "search-names.json").read_text(encoding="utf-8")))]
    found, _ = asked(site, browser, [query for query, _ in [*queries, *others]])
    of_typed, of_others = missed(queries, found), missed(others, found[len(queries):])
    most = max(asked(site, browser, [query])[1] for query in ("retain_graph", "gradient", "how do I write in place"))
    for line in [*of_typed, *of_others[:20]]:
        print(line)
    print(f"Search: {len(of_typed)} of {len(queries)} queries find another page first, and {len(of_others)} of "
          f"{len(others)} names, titles and beliefs. A search loads {most / 1e6:.2f} MB.")
    return int(bool(of_typed) or len(of_others) > (1 - SHARE) * len(others) or most > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
