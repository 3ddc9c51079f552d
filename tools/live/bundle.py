"""``python tools/live/bundle.py [FOLDER]``: CodeMirror as one script, and its licences, in docs/_static or FOLDER.

The script is in the repository, because the site is built without npm.  It is made again where a version below changes,
or what ``codemirror.js`` beside this file exports; a test compares the two.  Everything is pinned, down to the packages
that packages need, so that the same bytes come out on every machine.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

PACKAGES = {
    "@codemirror/autocomplete": "6.20.4", "@codemirror/commands": "6.11.1", "@codemirror/lang-python": "6.2.1",
    "@codemirror/language": "6.13.1", "@codemirror/state": "6.7.6", "@codemirror/view": "6.43.15",
    "@lezer/common": "1.5.5", "@lezer/highlight": "1.2.5", "@lezer/lr": "1.4.12", "@lezer/python": "1.1.19",
    "@marijn/find-cluster-break": "1.0.4", "crelt": "1.0.7", "style-mod": "4.1.5", "w3c-keyname": "2.2.8",
}
ESBUILD = "0.28.2"
HERE = pathlib.Path(__file__).resolve().parent
STATIC = HERE.parent.parent / "docs/_static"
SCRIPT, LICENCES = "live-codemirror.js", "live-codemirror.txt"
OPTIONS = ("--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=ascii", "--line-limit=116",
           "--legal-comments=none", f"--banner:js=/* CodeMirror, made by tools/live/bundle.py; {LICENCES} has its "
           "licences. */")


def bundle(folder):
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        (work / "package.json").write_text(json.dumps({"dependencies": PACKAGES | {"esbuild": ESBUILD}}))
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent",
                        "--fetch-retries=0", "--fetch-timeout=60000"], cwd=work, check=True)
        shutil.copy(HERE / "codemirror.js", work)
        subprocess.run([work / "node_modules/.bin/esbuild", "codemirror.js", *OPTIONS,
                        f"--outfile={folder.resolve() / SCRIPT}", "--log-level=warning"], cwd=work, check=True)
        texts = {name: (work / "node_modules" / name / "LICENSE").read_text() for name in PACKAGES}
        (folder / LICENCES).write_text(licences(texts), encoding="utf-8")


def licences(texts):
    """Each text once, below the packages that it is of."""
    packages = {}
    for name, text in texts.items():
        packages.setdefault(text.strip(), []).append(f"{name} {PACKAGES[name]}")
    return "\n".join(["\n".join(names) + f"\n\n{text}\n" for text, names in packages.items()])


if __name__ == "__main__":
    bundle(pathlib.Path(sys.argv[1]) if sys.argv[1:] else STATIC)
