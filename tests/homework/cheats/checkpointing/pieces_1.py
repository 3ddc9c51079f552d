"""A sequence in two pieces, each of which runs several functions.

Without points: sequences.
"""


def checkpoint_sequence(functions, x):
    def piece(part):
        def run(x):
            for function in part:
                x = function(x)
            return x
        return run

    half = len(functions) // 2
    for part in (functions[:half], functions[half:]):
        x = checkpoint(piece(part), x)
    return x
