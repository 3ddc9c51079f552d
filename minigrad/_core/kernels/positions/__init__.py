"""Positions: elements that are chosen by an index or by a mask.

All of them first become a table of where the elements lie, which is checked once; then they are read, written or added
to::

    x[[2, 0]]    ->    index_tables: [2, 0], in bounds    ->    block_indexing: rows 2 and 0

- ``index_tables``: indices and masks as tables of places
- ``block_indexing``: whole blocks along some dims: ``x[i]``, index_select, embedding
- ``element_indexing``: one by one: gather, scatter, take, masks
"""
