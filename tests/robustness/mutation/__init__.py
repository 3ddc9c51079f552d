"""Do tests find mistakes?  Planted ones tell: small changes to the core, each of which must be noticed.

A test that passes shows little unless it is known to fail when it should.  ``planted`` lists faults that people chose,
and ``guards`` finds others by structure, in the conditions that guard the core.  ``python -m
tests.robustness.mutation`` compiles all of them into a copy of minigrad, each behind a switch, and asks its judge for
each: random programs, or some files of tests.  It says who noticed it and after how long, and fails if nobody did.
"""
