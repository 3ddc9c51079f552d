"""Do the random programs find mistakes?  Planted ones tell: small changes to the core, each of which must be caught.

A test that passes shows little unless it is known to fail when it should.  ``planted`` lists the faults, as code to
be replaced in one function each; ``python -m tests.faults`` builds a copy of minigrad with one fault after the
other and runs programs until one fails.  It says after how many that was, and fails if 1000 were not enough.
"""
