"""Positions: elements that are chosen by an index or by a mask.

A kernel first makes a table of where the elements lie, in which each index was checked; then the table is used to read,
to write or to add::

    x[[2, 0]]    ->    block_indexing    ->    index_tables: rows 2 and 0, both in bounds; read

- ``index_tables``: indices and masks as tables of places, and the loops that read and write there
- ``block_indexing``: whole blocks along some dims: ``x[i]``, index_select, embedding
- ``element_indexing``: one by one: gather, scatter, take, masks
"""
