"""Profiling: what listeners are told about operations, and what they record.

A thread has one listener or none (``graph/listener``).  Where there is none, an operation pays for one comparison.  Of
the core, this folder needs ``graph``, ``runtime`` and the loops of ``kernels`` only; it lies on the highest floor since
nothing in the core needs it.

- ``instruments``: counters that the program they count cannot reach, for the judge of homework
- ``recorders``: four listeners: one writes down when everything began and ended, one tells a vendor's profiler, one
  hands on the calls themselves, and one watches their numbers
- ``shadow_memory``: numbers with more digits beside those of arrays, for the one that watches
"""
