"""The formulas of the table in textbook notation, for the player and the reference of the operations.

rows.py turns the recorded formula of a row into an expression, expressions.py writes an expression as a line of text
or as MathML, and escaping.py makes text safe for a page.  Nothing here computes, and ``import minigrad`` does not load
it. """
