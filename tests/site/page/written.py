"""Pages of the course as sphinx-gallery writes them, with what their cells print and draw: a small project."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"

CONF = f"""
import importlib.util

spec = importlib.util.spec_from_file_location("conf_of_the_site", {str(DOCS / "conf.py")!r})
site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(site)
extensions = ["sphinx_gallery.gen_gallery"]
sphinx_gallery_conf = site.sphinx_gallery_conf | {{"examples_dirs": "scripts", "parallel": False,
                                                  "subsection_order": None}}
exclude_patterns = ["tutorials", "scripts"]
"""


def is_current(name):
    """Whether the site that was built last has this page as it is now."""
    made = DOCS / "tutorials" / f"{name}.py.md5"
    script = (ROOT / "tutorials" / f"{name}.py").read_bytes()
    return made.exists() and made.read_text("utf-8") == hashlib.md5(script, usedforsecurity=False).hexdigest()


def written(names, folder):
    """The folder that has tutorials/NAME.rst for these pages: that of the site, if it is current, or a new one."""
    if all(map(is_current, names)):
        return DOCS
    for name in names:
        script = folder / "scripts" / f"{name}.py"
        script.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tutorials" / f"{name}.py", script)
        (script.parent / "GALLERY_HEADER.rst").write_text("Part\n====\n", encoding="utf-8")
    (folder / "scripts" / "GALLERY_HEADER.rst").write_text("Pages\n=====\n", encoding="utf-8")
    (folder / "index.rst").write_text("Pages\n=====\n", encoding="utf-8")
    (folder / "conf.py").write_text(CONF, encoding="utf-8")
    # What a page reads and offers for download lies, seen from the project of the site, in ../tutorials/data.
    shutil.copytree(ROOT / "tutorials" / "data", folder.parent / "tutorials" / "data", dirs_exist_ok=True)
    done = subprocess.run([sys.executable, "-m", "sphinx", "-b", "dummy", "-q", folder, folder / "out"],
                          env=os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}, capture_output=True,
                          text=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
