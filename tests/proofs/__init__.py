"""Proofs of the table: derivatives as identities of formulas, adjoints as exact transposes.

``python -m tests.proofs`` proves what can be proved; docs/notes/trust.rst says what that means.
"""
