"""The same elements under other shapes: views, joins, copies in a new arrangement, other memory.

Nothing is computed, so nothing but the places of the elements is to be said about a gradient.
"""
