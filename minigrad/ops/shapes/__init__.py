"""The same elements under other shapes: views, joins, copies in a new arrangement, other memory.

Nothing is computed, so a gradient only has to follow each element to its place.
"""
