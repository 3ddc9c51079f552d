"""The site: Sphinx with furo, tutorials by sphinx-gallery, everything executed and nothing fetched.

Build it with ``make tutorials``.  Warnings are errors.  minigrad's own extensions are in ``_ext``: mathematics as
MathML, the reference of the ops written from the table itself, and the sources of the core as pages to read.
"""

import gc
import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE / "_ext")]

import minigrad
import course
import gallery

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

project = "minigrad"
author = "the minigrad developers"
copyright = "the minigrad developers, BSD-3-Clause"
version = release = minigrad.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx_design",
    "mathml",
    "prose",
    "literate",
    "cross_references",
    "moved",
    "table_of_ops",
    "coverage",
    "formulas_as_code",
    "proved",
    "decisions",
    "drawn",
    "folded",
    "gallery",
    "course",
    "exercises",
    "teaches",
    "questions",
    "catalogue",
    "lectures",
    "plans",
    "prerequisites",
    "tutors",
    "sidebar",
    "unique_ids",
    "searching",
]
root_doc = "index"
exclude_patterns = ["_build", "_ext"]
default_role = "code"
nitpicky = False

# ------------------------------------------------------------------------------ appearance

html_theme = "furo"
html_title = "minigrad"
html_favicon = "_static/favicon.svg"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["minigrad.css", "live.css"]
html_js_files = [("reachable.js", {"defer": "defer"}), ("live.js", {"defer": "defer"})]
html_search_scorer = str(HERE / "_ext" / "scorer.js")
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b6e6e", "color-brand-content": "#0b6e6e"},
    "dark_css_variables": {"color-brand-primary": "#5cc8c0", "color-brand-content": "#5cc8c0"},
}
pygments_style = "default"
pygments_dark_style = "github-dark"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .callers"
math_number_all = False

# ------------------------------------------------------------------------------ the sources

literate_root = str(ROOT)

# ------------------------------------------------------------------------------ the reference

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autosummary_generate = True
napoleon_google_docstring = False
napoleon_use_rtype = False
# Tensor, the class, and tensor, the function, would share one file on macOS and Windows.
autosummary_filename_map = {"minigrad.Tensor": "minigrad.Tensor-class"}

# ------------------------------------------------------------------------------ the tutorials

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "tutorials"),
    "gallery_dirs": "tutorials",
    "filename_pattern": r"\.py$",
    "ignore_pattern": r"[\\/]exercises[\\/]",
    "subsection_order": [f"../tutorials/{part['folder']}" for part in course.PARTS],
    "within_subsection_order": "course.Order",
    "abort_on_example_error": True,
    "parallel": CORES,
    "reset_modules": ("matplotlib", "gallery.start_a_tutorial"),
    "image_srcset": ["2x"],
    "first_notebook_cell": gallery.FIRST_CELL,
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_signature": False,
    # These pages would load scripts from a CDN and fill the search with numbers.
    "write_computation_times": False,
    "min_reported_time": 1_000_000,
}
# The exercises of a page have the name of its script, in a folder that is not part of the gallery.
suppress_warnings = ["sphinx_gallery.duplicate_filename"]
# Figures are collected, not shown: plt.show() belongs in a tutorial, and is silent here.
warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")


def setup(app):
    """Collect garbage seldom: a document is a large tree that lives until it is written.

    The tutorials still run with Python's own thresholds, but what was there before them is not searched again.
    """
    gc.freeze()
    app.connect("env-before-read-docs", lambda app, env, names: gc.set_threshold(200_000, 100, 100))
