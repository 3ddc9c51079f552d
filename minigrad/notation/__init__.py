"""The formulas of the table in textbook notation, for the player, for derivations and for the reference of operations.

rows.py turns the recorded formula of a row into an expression, and calls.py a call.  expressions.py writes an
expression as a line of text or as MathML, and latex.py for LaTeX; simplification.py knows identities, and evaluation.py
computes what is written.  escaping.py makes text safe for a page.  ``import minigrad`` loads none of this. """
