"""What of the library the tests run: lines, and the ways that conditions go, in Python, in Cython and in C.

``python -m tests.robustness.coverage`` builds a copy of the repository in build/covered whose core counts (setup.py,
``MINIGRAD_COVERED``), runs the tests there, and lists what never happened.  Those that stay are explained in
``explained/``.

Note [What is counted]

* A *line* is covered if any of it ran.
* A *condition* has two ways, true and false, and each of them counts.  In the core these are ``if``, ``while``,
  conditional expressions, and each operand of ``and`` and ``or``; in Python, where the package ``coverage`` looks on,
  whole lines: an ``if`` that went both ways, a loop that was entered and that came to its end.
* Branches that only Cython wrote are left out: whether a call has failed, whether a list is a list.
* Of the headers in C, the lines count, and the conditions of lines that have one.  A macro is one line, where it is
  used.
* All threads count, and every process that ends in one of the usual ways, by ``os._exit`` too.
"""
