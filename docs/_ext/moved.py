"""Pages that have another address now: ``reading/_core-engine`` is ``reading/_core-backward-engine``.

docs/moved.txt has a line for each, with the old name and the new one; a name without a slash is one of ``reading/``.  A
page at the old address sends the reader on.
"""

import os.path

from pathlib import Path

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Moved to {new}</title>
<meta name="robots" content="noindex"><link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url={new}.html"></head>
<body><p>This page is now <a href="{new}.html">{new}</a>.</p></body>
</html>
"""


def moved(folder):
    """[(old name, new name)] of the pages that docs/moved.txt lists."""
    lines = Path(folder, "moved.txt").read_text(encoding="utf-8").splitlines()
    return [tuple([name if "/" in name else f"reading/{name}" for name in line.split()])
            for line in lines if line and not line.startswith("#")]


def write_pages(app, failure):
    if failure is None and app.builder.format == "html":
        for old, new in moved(app.srcdir):
            page = Path(app.outdir, f"{old}.html")
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(PAGE.format(new=os.path.relpath(new, os.path.dirname(old))), encoding="utf-8")


def setup(app):
    app.connect("build-finished", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
