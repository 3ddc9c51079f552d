r"""Give everything its place: a layered drawing of an acyclic graph.

Note [Layers]
-------------
After Sugiyama, Tagawa and Toda (1981), in five steps, each a function below::

    1. ranks             2. cells             3. order                   4. x            5. y

    0     a                 a                 p   q        p   q            a
         / \               / \                 \ /         |   |           / \           more room where
    1   b   c             b   c                 X    ->    |   |          b   c          a line goes
        |  /|              \ / \               / \         |   |           \ / \         far aside
    2   | / d               :   d             s   r        r   s            :   d
        |/ /                |  /                                            |  /
    3   e                   e                                               e

1. Every vertex gets a *rank* below all its predecessors; a vertex with more outgoing than incoming edges moves towards
   their targets, so that the edges are short.
2. Between any two ranks there is a row for labels.  An edge gets a *cell* in the label row below its source, and
   an edge over several ranks a cell in each row that it passes.  All edges to the same output share these cells,
   the *trunk*: their gradients are added up there anyway, and the picture stays narrow.
3. In each row the cells are sorted by the median place of their neighbours in the row above, then below, and so
   on; neighbours in a row are exchanged if that saves crossings.  The best order found is kept.
4. Each cell should be at the mean of its neighbours, trunks most of all.  Row by row, and several times over, we find
   the places nearest to these wishes that keep the order and the distances: a least-squares problem with an
   exact solution, the *pooling of adjacent violators*, in which cells that would overlap form a block.  Finally, every
   chain of cells, a path that neither forks nor joins, is drawn as straight as its neighbours allow.
5. Rows are stacked, with more room between them where a line goes far to the side.
"""

from bisect import bisect_right, insort
from dataclasses import dataclass, field
from math import inf

__all__ = ["Layout", "arrange", "crossings"]

GAP = 20            # between two boxes in a row
GAP_OF_LINES = 12   # if one of them is only a label or a line
GAP_OF_ROWS = 14


@dataclass
class Cell:
    row: int
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    line: bool = False      # no box: the label of an edge, or a place that it passes
    above: list = field(default_factory=list)
    below: list = field(default_factory=list)


@dataclass
class Layout:
    cells: list             # first one for each vertex, then labels and trunks
    rows: list              # cell numbers from left to right
    labels: list            # per edge: the cell of its label
    routes: list            # per edge: all cells on its path, from its source to its target
    width: float = 0.0
    height: float = 0.0


def arrange(sizes, edges, labels):
    """Lay out vertices of ``sizes`` (width, height); ``edges`` are (source, target, output), ``labels`` their widths
    and heights."""
    rank = ranks(len(sizes), [edge[:2] for edge in edges])
    layout = cells(sizes, edges, labels, rank)
    layout.rows = order(layout.cells)
    place_x(layout.cells, layout.rows)
    place_y(layout.cells, layout.rows)
    frame(layout)
    return layout


# ------------------------------------------------------------------------------ 1. ranks

def ranks(n, edges):
    """Longest paths from the top; then vertices with more outgoing than incoming edges move down."""
    out, into = [[] for _ in range(n)], [[] for _ in range(n)]
    for source, target in edges:
        out[source].append(target)
        into[target].append(source)
    missing = [len(sources) for sources in into]
    sorted_ = [i for i in range(n) if not missing[i]]
    rank = [0] * n
    for i in sorted_:                       # it grows during the loop, in an order in which ranks never fall
        for target in out[i]:
            missing[target] -= 1
            if not missing[target]:
                rank[target] = rank[i] + 1
                sorted_.append(target)
    moved = True
    while moved:                            # each move shortens the total length of the edges, so this ends
        moved = False
        for i in reversed(sorted_):
            if len(out[i]) > len(into[i]) and min([rank[t] for t in out[i]]) - 1 > rank[i]:
                rank[i] = min([rank[t] for t in out[i]]) - 1
                moved = True
    lowest = min(rank, default=0)
    return [r - lowest for r in rank]


# ------------------------------------------------------------------------------ 2. cells

def cells(sizes, edges, labels, rank):
    """Rows 0, 2, 4 ... contain vertices, the rows between them labels; lines pass through both."""
    made = [Cell(2 * rank[i], *size) for i, size in enumerate(sizes)]
    trunks, joined, at_label, routes = {}, set(), [], []
    for (source, target, output), size in zip(edges, labels):
        route = [source, len(made)]
        at_label.append(len(made))
        made.append(Cell(made[source].row + 1, *size, line=True))
        for row in range(made[source].row + 2, made[target].row):
            key = (target, output, row)
            if key not in trunks:
                trunks[key] = len(made)
                made.append(Cell(row, 0.0, 0.0, line=True))
            route.append(trunks[key])
        route.append(target)
        for upper, lower in zip(route, route[1:]):
            if (upper, lower) not in joined:
                joined.add((upper, lower))
                made[upper].below.append(lower)
                made[lower].above.append(upper)
        routes.append(route)
    return Layout(made, [], at_label, routes)


# ------------------------------------------------------------------------------ 3. order

def order(made):
    """The rows, each from left to right, with few crossings."""
    rows = first_order(made)
    best, fewest = [list(row) for row in rows], crossings(made, rows)
    for sweep in range(max(4, min(24, 120_000 // (len(made) + 1)))):
        if not fewest:
            break
        downward = sweep % 2 == 0
        for row in rows[1:] if downward else rows[-2::-1]:
            sort_by_neighbours(made, rows, row, downward)
        exchange(made, rows)
        found = crossings(made, rows)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    return best


def first_order(made):
    """Depth first from the top, without recursion, so that related vertices are close to each other."""
    rows = [[] for _ in range(max([cell.row for cell in made]) + 1)]
    seen = [False] * len(made)
    for start in range(len(made)):
        if made[start].above:
            continue
        stack = [start]
        while stack:
            i = stack.pop()
            if not seen[i]:
                seen[i] = True
                rows[made[i].row].append(i)
                stack.extend(reversed(made[i].below))
    return rows


def sort_by_neighbours(made, rows, row, downward):
    """By the median of the neighbours' places; a cell without neighbours keeps its own."""
    if len(row) < 2:
        return
    other = rows[made[row[0]].row + (-1 if downward else 1)]
    place = {i: at for at, i in enumerate(other)}
    wish = {}
    for at, i in enumerate(row):
        around = sorted([place[j] for j in (made[i].above if downward else made[i].below)])
        wish[i] = median(around) if around else at
    row.sort(key=wish.get)


def median(places):
    """The median of places; of an even number, between the middle two, nearer to the side where places are denser."""
    n = len(places)
    if n % 2 or n == 2:
        return (places[n // 2] + places[(n - 1) // 2]) / 2
    left, right = places[n // 2 - 1] - places[0], places[-1] - places[n // 2]
    return (places[n // 2 - 1] * right + places[n // 2] * left) / (left + right)


def exchange(made, rows):
    """Exchange neighbours in a row while that saves crossings."""
    for row in rows:
        if len(row) < 2:
            continue
        place = {i: at for side in (-1, 1) if 0 <= made[row[0]].row + side < len(rows)
                 for at, i in enumerate(rows[made[row[0]].row + side])}
        better, rounds = True, 0
        while better and rounds < 8:
            better, rounds = False, rounds + 1
            for at in range(len(row) - 1):
                a, b = made[row[at]], made[row[at + 1]]
                saved = sum([crossed(x, y, place) - crossed(y, x, place)
                             for x, y in ((a.above, b.above), (a.below, b.below))])
                if saved > 0:
                    row[at], row[at + 1] = row[at + 1], row[at]
                    better = True


def crossed(left, right, place):
    """The number of crossings between lines of ``left`` and lines of its right neighbour ``right``."""
    return sum([place[i] > place[j] for i in left for j in right])


def crossings(made, rows):
    """The number of crossings between neighbouring rows."""
    count = 0
    for upper, lower in zip(rows, rows[1:]):
        place = {i: at for at, i in enumerate(lower)}
        before = []
        for i in upper:
            ends = sorted([place[j] for j in made[i].below])
            count += sum([len(before) - bisect_right(before, end) for end in ends])
            for end in ends:
                insort(before, end)
    return count


# ------------------------------------------------------------------------------ 4. x

def place_x(made, rows):
    apart = [[distance(made[i], made[j]) for i, j in zip(row, row[1:])] for row in rows]
    for row, gaps in zip(rows, apart):      # side by side, around 0
        at = -sum(gaps) / 2
        for i, gap in zip(row, [*gaps, 0]):
            made[i].x = at
            at += gap
    numbered = list(zip(rows, apart))
    links = chained(made)
    for sweep in range(32):
        for row, gaps in numbered if sweep % 2 == 0 else reversed(numbered):
            wishes, weights = [], []
            for i in row:
                around = made[i].below + made[i].above
                if sweep < 8:               # first one side only, which carries far; then both
                    around = (made[i].above if sweep % 2 == 0 else made[i].below) or around
                heavy = [8.0 if links.get(i) == j or links.get(j) == i else 1.0 for j in around]
                wishes.append(sum([w * made[j].x for w, j in zip(heavy, around)]) / sum(heavy) if around else made[i].x)
                weights.append(sum(heavy) or 1.0)
            for i, x in zip(row, pooled(wishes, weights, gaps)):
                made[i].x = x
    for _ in range(3):
        straighten(made, rows, links)


def distance(left, right):
    return (left.width + right.width) / 2 + (GAP_OF_LINES if left.line or right.line else GAP)


def chained(made):
    """cell -> the next one in its chain: along a trunk, or where the only edge out of a cell is the only edge into the
    next."""
    links, taken = {}, set()
    for i, cell in enumerate(made):
        for j in cell.below:
            alone = len(cell.below) == 1 and len(made[j].above) == 1
            trunk = cell.line and made[j].line and not (cell.width and len(made[j].above) > 1)
            if (alone or trunk) and j not in taken:
                links[i] = j
                taken.add(j)
    return links


def straighten(made, rows, links):
    """Put as many cells of a chain as possible in a vertical line, in the room that their neighbours leave."""
    left, right = {}, {}
    for row in rows:
        for i, j in zip(row, row[1:]):
            right[i], left[j] = j, i
    lower = set(links.values())
    for start in range(len(made)):
        if start in links and start not in lower:
            chain = [start]
            while chain[-1] in links:
                chain.append(links[chain[-1]])
            part, low, high = [], -inf, inf
            for i in chain:
                least = made[left[i]].x + distance(made[left[i]], made[i]) if i in left else -inf
                most = made[right[i]].x - distance(made[i], made[right[i]]) if i in right else inf
                if least > most:            # packed tightly, except for rounding
                    least = most = made[i].x
                if part and max(low, least) > min(high, most):
                    align(made, part, low, high)
                    part, low, high = [], -inf, inf
                part.append(i)
                low, high = max(low, least), min(high, most)
            align(made, part, low, high)


def align(made, part, low, high):
    """Move all of ``part`` to one x, the allowed one nearest to their mean."""
    x = min(max(sum([made[i].x for i in part]) / len(part), low), high)
    for i in part:
        made[i].x = x


def pooled(wishes, weights, gaps):
    """The x nearest to the wishes, in weighted squares, with ``x[i+1] - x[i] >= gaps[i]``.

    Relative to their places if all were packed tightly, this means only that the values must not decrease. A value
    smaller than the one before is pooled with it into a block, which is placed at their mean. """
    blocks, packed, at = [], [], 0.0        # a block: [mean, weight, size]
    for wish, heavy, gap in zip(wishes, weights, [*gaps, 0.0]):
        packed.append(at)
        blocks.append([wish - at, heavy, 1])
        at += gap
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, mass, size = blocks.pop()
            last = blocks[-1]
            last[0] = (last[0] * last[1] + mean * mass) / (last[1] + mass)
            last[1] += mass
            last[2] += size
    values = [mean for mean, _, size in blocks for _ in range(size)]
    return [value + start for value, start in zip(values, packed)]


# ------------------------------------------------------------------------------ 5. y

def place_y(made, rows):
    """Stack the rows; y is the middle of a cell, and all cells of a row have one middle."""
    top = 0.0
    for number, row in enumerate(rows):
        high = max([made[i].height for i in row], default=0.0)
        for i in row:
            made[i].y = top + high / 2
        aside = max([abs(made[i].x - made[j].x) for i in row for j in made[i].below], default=0.0)
        top += high + max(GAP_OF_ROWS, min(64.0, aside / 4))


def frame(layout):
    """Put the upper left corner at (0, 0)."""
    made = layout.cells
    left = min([cell.x - cell.width / 2 for cell in made])
    for cell in made:
        cell.x = round(cell.x - left, 2)
        cell.y = round(cell.y, 2)
    layout.width = max([cell.x + cell.width / 2 for cell in made])
    layout.height = max([cell.y + cell.height / 2 for cell in made])
