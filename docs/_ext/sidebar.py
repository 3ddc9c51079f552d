"""The sidebar: the sections of the site, and the branch that leads to the page.

The theme would show the tree of all pages on each page, folded.  With a thousand pages that is most of the time of a
build and most of each file, so a sidebar shows only what is above the page, beside it and just below it.
"""

from functools import cache
from html import escape

from sphinx import addnodes

ARROW = '<span class="icon"><svg><use href="#svg-arrow-right"></use></svg></span>'


class Tree:
    """Where each page is in the site."""

    def __init__(self, env, root):
        self.env = env
        self.root = root
        self.parents = {root: None}
        pages = [root]
        for page in pages:                                     # grows: level by level, so the shortest way counts
            for _, child in self.children(page):
                if child not in self.parents:
                    self.parents[child] = page
                    pages.append(child)

    @cache
    def children(self, page):
        """(title, page) for each entry of the page's tables of contents; an entry may be in several."""
        found = {}
        for table in self.env.tocs[page].findall(addnodes.toctree):
            for title, child in table["entries"]:
                if child in self.env.titles:
                    found.setdefault(child, title or self.env.titles[child].astext())
        return [(title, child) for child, title in found.items()]

    def branch(self, page):
        """The pages from the root's children down to the page."""
        found = []
        while self.parents.get(page):
            found.append(page)
            page = self.parents[page]
        return found[::-1]

    def html(self, page, link):
        """The sidebar of a page, in the theme's form; ``link`` gives the address of another page."""
        return self.level(self.root, self.branch(page), link, 1)

    def level(self, page, branch, link, depth):
        items = []
        for title, child in self.children(page):
            if self.parents[child] != page:
                continue
            classes, below = [f"toctree-l{depth}"], ""
            if branch[:1] == [child]:
                classes += ["current", "current-page"] if len(branch) == 1 else ["current"]
                if below := self.level(child, branch[1:], link, depth + 1):
                    classes.append("has-children")
                    below = self.switch(title, depth) + below
            current = "current " if branch[:1] == [child] else ""
            items.append(f'<li class="{" ".join(classes)}"><a class="{current}reference internal" '
                         f'href="{escape(link(child))}">{escape(title)}</a>{below}</li>')
        return f"<ul>{''.join(items)}</ul>" if items else ""

    def switch(self, title, depth):
        """What folds a branch: a page has one branch, so one switch for each depth."""
        name = f"toctree-checkbox-{depth}"
        return (f'<input aria-label="Toggle navigation of {escape(title)}" checked class="toctree-checkbox" '
                f'id="{name}" name="{name}" role="switch" type="checkbox"/><label for="{name}">{ARROW}</label>')


def without_the_whole_tree(app, page, template, context, doctree):
    context["toctree"] = lambda **options: ""


def with_the_branch(app, page, template, context, doctree):
    if not hasattr(app, "minigrad_tree"):
        app.minigrad_tree = Tree(app.env, app.config.root_doc)
        # From all pages of a folder, another page has the same address.
        app.minigrad_address = cache(lambda folder, other: app.builder.get_relative_uri(folder + "-", other))
    folder = page.rpartition("/")[0] + "/" if "/" in page else ""
    context["furo_navigation_tree"] = app.minigrad_tree.html(
        page, lambda other: "#" if other == page else app.minigrad_address(folder, other))


def setup(app):
    app.connect("html-page-context", without_the_whole_tree, priority=400)
    app.connect("html-page-context", with_the_branch, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
