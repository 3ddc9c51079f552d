"""Programs that grow faster than their work, each in another way: the counts must notice."""


def a_search_in_python(n):
    """For each of n a walk through all n."""
    things = list(range(n))
    return lambda: [[each for each in things if each == thing] for thing in things]


def a_search_in_c(n):
    """``in`` of a list, which the interpreter sees as one step."""
    things = list(range(n))
    return lambda: [thing in things for thing in things]


def a_copy_for_each(n):
    """A copy of all for each, as where a container lists its members to take one of them."""
    members = {str(i): i for i in range(n)}
    return lambda: [list(members.values())[i] for i in range(n)]


SEEN_BY_STEPS, SEEN_BY_INSTRUCTIONS_ALONE = ["a_search_in_python"], ["a_search_in_c", "a_copy_for_each"]
