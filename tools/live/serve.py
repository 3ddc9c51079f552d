"""``python tools/live/serve.py [SITE] [LIVE] [PORT]``: the site at a local address; what cells run on, in it.

A page that is opened as a file may not load WebAssembly, and any server serves these files.  This one says besides,
in two headers, that no page of another origin has a part in it: then the browser lets a page share memory with its
worker, and Stop can interrupt a cell without losing its variables.
"""

import functools
import http.server
import pathlib
import sys
import webbrowser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
#: where pages find what `make live` has built; a published site has it there as files
ADDRESS = "/_static/live/"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of the site, and under ADDRESS those of the build, if there is one."""

    protocol_version = "HTTP/1.1"
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".mjs": "text/javascript", ".js": "text/javascript", ".zip": "application/zip"}

    def __init__(self, *args, live, **keywords):
        self.live = live
        super().__init__(*args, **keywords)

    def translate_path(self, path):
        if not path.startswith(ADDRESS) or not (self.live / "live.json").exists():
            return super().translate_path(path)
        site, self.directory = self.directory, str(self.live)
        try:
            return super().translate_path("/" + path[len(ADDRESS):])
        finally:
            self.directory = site

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        # Keep it, and ask whether it is still the same.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *args):
        """Say nothing about each file."""


def server(site, live, port=0):
    """A server of both folders; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=str(site), live=pathlib.Path(live))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def main():
    given = dict(enumerate(sys.argv[1:]))
    site = pathlib.Path(given.get(0, ROOT / "docs/_build/html"))
    live = pathlib.Path(given.get(1, ROOT / ".venv/live/live"))
    try:
        serving = server(site, live, int(given.get(2, 8000)))
    except OSError:                     # another one has the port
        serving = server(site, live)
    with serving:
        address = f"http://127.0.0.1:{serving.server_address[1]}/tutorials/index.html"
        print(f"\nThe course: {address}\nCells run in the page"
              f"{'' if (live / 'live.json').exists() else ' after make live'}. Ctrl-C ends the server.", flush=True)
        webbrowser.open(address)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
