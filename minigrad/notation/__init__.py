"""The formulas of the table as a textbook has them: for the player, and for the reference of the operations.

rows.py makes an expression of what a row has recorded, expressions.py writes one down, as a line of text or as MathML,
and escaping.py makes text safe for a page.  Nothing here computes anything, and nothing here is loaded by ``import
minigrad``. """
