"""Profiling: what listeners are told about operations, and what they record.

A thread has one listener or none (``graph/listener``).  Where there is none, an operation pays for one comparison.

- ``heard_calls``: calls, and the steps of formulas, told to the listener
- ``recorders``: two listeners: one writes down when everything began and ended, one tells a vendor's profiler
"""
