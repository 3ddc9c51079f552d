"""Profiling: what listeners hear of operations, and what they write down.

A thread has one listener or none (``graph/listener``).  Where there is none, an operation pays for one comparison.

- ``heard_calls``: calls, and the steps of formulas, told to the listener
- ``recorders``: two listeners: one writes down when everything began and ended, one tells a vendor's profiler
"""
