"""Each id is in a page once.

The theme puts a table and a formula into a container of their own, which gets all attributes of what it contains, the
ids too.  A link would lead to the one that comes first, and a screen reader may take either.
"""

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform


class NoIdsOfContents(SphinxPostTransform):
    """After the theme's transform, which has the priority 500."""

    formats = ("html",)
    default_priority = 510

    def run(self, **options):
        for container in self.document.findall(nodes.container):
            if {"table-wrapper", "math-wrapper"} & {*container["classes"]}:
                container["ids"] = []


def setup(app):
    app.add_post_transform(NoIdsOfContents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
