"""``python serve.py [PORT]``: this folder as a web site on this machine, and for this machine alone.

It needs Python and nothing else, no network either, so a USB stick will do.  ``--check`` compares the files with
manifest.json, and says which are missing or damaged.
"""

import functools
import hashlib
import http.server
import json
import pathlib
import sys
import webbrowser

FOLDER = pathlib.Path(__file__).resolve().parent
PORT = 8000
#: what some systems know under another type, or not at all
TYPES = {".wasm": "application/wasm", ".mjs": "text/javascript", ".js": "text/javascript", ".css": "text/css",
         ".html": "text/html", ".svg": "image/svg+xml", ".json": "application/json", ".whl": "application/zip",
         ".zip": "application/zip", ".ipynb": "application/x-ipynb+json"}
#: with these, pages may share memory with their workers, and Stop interrupts a cell
HEADERS = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
           "Cache-Control": "no-cache"}


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, **TYPES}

    def end_headers(self):
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *arguments):
        """Say nothing about each file."""


def server(folder=FOLDER, port=PORT):
    """A server of the folder; another port if this one is taken."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError:
        return http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)


def faults(folder=FOLDER):
    """A line for each file that is not as the manifest says."""
    for name, known in json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["files"].items():
        path = folder / name
        if not path.is_file():
            yield f"{name} is missing"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != known["sha256"]:
            yield f"{name} is damaged"


def main(arguments):
    if arguments == ["--check"]:
        found = [*faults()]
        print(*found, sep="\n", end="\n" if found else "")
        print("Copy the folder again." if found else "All files are as they were published.")
        return 1 if found else 0
    if arguments[1:] or arguments and not arguments[0].isdigit():
        print(__doc__, file=sys.stderr)
        return 2
    with server(port=int(arguments[0]) if arguments else PORT) as serving:
        address = f"http://127.0.0.1:{serving.server_address[1]}/"
        print(f"The course: {address}\nCtrl-C ends the server.", flush=True)
        webbrowser.open(address)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
