"""What a change reaches, where only changed pages are read: ``tools/build_site.py`` says which, in ``changed_pages``.

Sphinx writes the pages that it has read again.  Other pages may show their titles, which are in the sidebar, and lead
to their entries and labels: if any of these has changed, all pages are written.  Their headings are in the tables of
contents of the pages above them.

Few pages are read and written by one process: each process that helps hands back the whole environment, which takes
longer than they do.
"""

from docutils import nodes

#: so many pages are worth other processes
FEW = 20


def only(app):
    """The sources that changed, by their paths in the repository; None if all may have."""
    return app.config.changed_pages.split(",") if app.config.changed_pages else None


def forget_runs_with_another(digest, folder):
    """Have all tutorials run again where the records of their runs are of another library than the one of `digest`.

    The digest is written before they run, so that a build that is interrupted loses none of its runs.
    """
    known = folder / "package.sha256"
    if not known.exists() or known.read_text() != digest:
        for record in folder.rglob("*.md5"):
            record.unlink()
        folder.mkdir(exist_ok=True)
        known.write_text(digest)


def shown_of(env, pages):
    """{page: (what any other page may show of it, or link to; its headings)}"""
    places = {page: [] for page in pages}
    for domain in env.domains.sorted():
        for entry in domain.get_objects():
            if entry[3] in places:
                places[entry[3]].append((domain.name, *map(str, entry)))
    found = {}
    for page in pages:
        title = env.titles[page].astext() if page in env.titles else None
        contents = env.tocs.get(page, nodes.bullet_list())
        headings = [(link["anchorname"], link.astext()) for link in contents.findall(nodes.reference)]
        found[page] = (title, env.toctree_includes.get(page), sorted(places[page])), headings
    return found


def above(env, page):
    """The pages whose tables of contents lead to a page, over any number of others."""
    found, new = set(), {page}
    while new:
        found |= new
        new = {parent for each in new for parent in env.files_to_rebuild.get(each, ())} - found
    return found - {page}


def before_reading(app, env, pages):
    app.minigrad_shown = shown_of(env, pages) if only(app) else None
    app.minigrad_processes = app.parallel
    if app.minigrad_shown is not None and len(pages) < FEW:
        app.parallel = 1


def after_reading(app, env):
    if app.minigrad_shown is None:
        return []
    before, after = app.minigrad_shown, shown_of(env, app.minigrad_shown)
    written = {other for page in after if before[page] != after[page] for other in above(env, page)}
    if any(before[page][0] != after[page][0] for page in after):
        written = env.found_docs
    if len(written) >= FEW:
        app.parallel = app.minigrad_processes
    return sorted(written)


def setup(app):
    app.add_config_value("changed_pages", "", "", str)
    app.connect("env-before-read-docs", before_reading)
    app.connect("env-updated", after_reading)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
