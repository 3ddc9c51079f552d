"""The core: what runs for every operation and every edge.

Of these files a few are a story, which is read in this order, in an evening:

1. ``graph``     the data model: tensors, versions, nodes
2. ``op``        what an operation is
3. ``dispatch``  from a call to a result
4. ``symbols``   what a formula is called with when it is traced
5. ``formulas``  derivatives as programs that run on arrays
6. ``passes``    what a backward pass knows, and which nodes it will visit
7. ``engine``    the backward pass
8. ``fitting``   a gradient, in the shape and dtype of its input
9. ``views``     the history of memory that several tensors share

The others are machinery: they are looked up when the story, or a question, leads there.  docs/read.rst lists them by
what they are for.  A file knows only files that are built before it, and is told the rest at import.
"""
