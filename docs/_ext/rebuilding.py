"""What a change reaches, where only changed pages are read: ``tools/build_site.py`` says which, in ``changed_pages``.

Sphinx writes the pages that it has read again.  Other pages may show their titles, which are in the sidebar, and lead
to their entries and labels: if any of these has changed, all pages are written.  Their headings are in the tables of
contents of the pages above them.
"""

from docutils import nodes


def only(app):
    """The sources that changed, by their paths in the repository; None if all may have."""
    return app.config.changed_pages.split(",") if app.config.changed_pages else None


def shown_of(env, page):
    """What any other page may show of a page, or link to; and its headings."""
    title = env.titles[page].astext() if page in env.titles else None
    places = sorted((domain.name, *map(str, entry)) for domain in env.domains.sorted()
                    for entry in domain.get_objects() if entry[3] == page)
    contents = env.tocs.get(page, nodes.bullet_list())
    headings = [(link["anchorname"], link.astext()) for link in contents.findall(nodes.reference)]
    return (title, env.toctree_includes.get(page), places), headings


def above(env, page):
    """The pages whose tables of contents lead to a page, over any number of others."""
    found, new = set(), {page}
    while new:
        found |= new
        new = {parent for each in new for parent in env.files_to_rebuild.get(each, ())} - found
    return found - {page}


def before_reading(app, env, pages):
    app.minigrad_shown = {page: shown_of(env, page) for page in pages} if only(app) else None


def after_reading(app, env):
    if app.minigrad_shown is None:
        return []
    changed = [(page, before, shown_of(env, page)) for page, before in app.minigrad_shown.items()]
    if any(before[0] != after[0] for _, before, after in changed):
        return sorted(env.found_docs)
    return sorted({other for page, before, after in changed if before != after for other in above(env, page)})


def setup(app):
    app.add_config_value("changed_pages", "", "", str)
    app.connect("env-before-read-docs", before_reading)
    app.connect("env-updated", after_reading)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
