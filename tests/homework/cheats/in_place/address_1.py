"""Counts by the address of an array, which another one has when this is gone.

Without points: counting.
"""
COUNTS = {}


class Versioned:
    def __init__(self, array):
        self.array = array
        while array.base is not None:
            array = array.base
        self.key = id(array)

    @property
    def version(self):
        return COUNTS.get(self.key, 0)

    def write(self, index, value):
        self.array[index] = value
        COUNTS[self.key] = self.version + 1

    def view(self, index):
        return Versioned(self.array[index])

    def copy(self):
        return Versioned(self.array.copy())
