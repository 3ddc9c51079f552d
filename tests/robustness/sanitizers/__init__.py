"""The core under sanitizers: a copy that is built to be watched, and the tests that go through it.

``make checked`` builds the copy in build/checked (setup.py, ``MINIGRAD_CHECKED``): every None where an object must be
raises, AddressSanitizer looks at each access to memory, UBSan at each step that C leaves undefined, and nothing that
has died is kept for the next one.  First ``planted`` is run, whose mistakes must all be caught; then the tests of the
core, of autograd and of func, and a share of the attacks of ``tests.robustness.races``.
"""
