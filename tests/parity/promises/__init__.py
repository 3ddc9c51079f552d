"""What the documentation of ``torch.autograd`` promises, statement by statement.

The documents from which the project was created make 202 statements that a program could check.  A test is named for
the number of its statement and says it in a sentence; where PyTorch keeps its word too, the same test runs on both
libraries. ``test_list.py`` knows the statements without a test, each with the reason.
"""
