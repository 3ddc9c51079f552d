"""The layered layout: every edge is drawn, nothing overlaps, the same picture every time."""

import itertools
import random

import pytest

from minigrad.viz.layout import Cell, arrange, chained, crossings, exchange, first_order, order, pooled, ranks

SIZE = (80.0, 30.0)


def laid_out(n, edges, label=(40.0, 14.0)):
    return arrange([SIZE] * n, [(*edge, 0) for edge in edges], [label] * len(edges))


def some_graph(seed, n=40):
    chance = random.Random(seed)
    return n, [(i, j) for j in range(1, n)
               for i in chance.sample(range(max(0, j - 9), j), min(j, chance.choice([1, 1, 1, 2, 3])))]


GRAPHS = {
    "one vertex": (1, []),
    "chain": (5, [(i, i + 1) for i in range(4)]),
    "diamond": (4, [(0, 1), (0, 2), (1, 3), (2, 3)]),
    "an edge past three": (5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]),
    "twice the same": (2, [(0, 1), (0, 1)]),
    "two parts": (5, [(0, 1), (2, 3), (2, 4)]),
    "weights of a recurrent net": (9, [(i, i + 1) for i in range(7)] + [(i, 8) for i in range(8)]),
    "two by two": (4, [(0, 3), (1, 2)]),
    **{f"random {seed}": some_graph(seed) for seed in range(12)},
}


def overlaps(layout):
    def apart(a, b):
        return abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.05 or abs(a.y - b.y) >= (a.height + b.height) / 2 - 0.05
    return [(i, j) for i, j in itertools.combinations(range(len(layout.cells)), 2)
            if layout.cells[i].width and layout.cells[j].width and not apart(layout.cells[i], layout.cells[j])]


@pytest.mark.parametrize("name", GRAPHS)
def test_every_edge_has_a_way_down_and_nothing_overlaps(name):
    n, edges = GRAPHS[name]
    layout = laid_out(n, edges)
    assert len(layout.routes) == len(layout.labels) == len(edges)
    for (source, target), label, route in zip(edges, layout.labels, layout.routes):
        assert route[0] == source and route[1] == label and route[-1] == target
        ys = [layout.cells[i].y for i in route]
        assert ys == sorted(ys) and len(set(ys)) == len(ys)
        assert all(layout.cells[j].row == layout.cells[i].row + 1 for i, j in zip(route, route[1:]))
    assert not overlaps(layout)
    assert sorted(i for row in layout.rows for i in row) == list(range(len(layout.cells)))
    for row in layout.rows:
        xs = [layout.cells[i].x for i in row]
        assert xs == sorted(xs)
    for cell in layout.cells:
        assert -0.05 <= cell.x - cell.width / 2 and cell.x + cell.width / 2 <= layout.width + 0.05
        assert -0.05 <= cell.y - cell.height / 2 and cell.y + cell.height / 2 <= layout.height + 0.05


def test_overlaps_are_seen():
    layout = laid_out(3, [(0, 1), (0, 2)])
    layout.cells[1].x = layout.cells[2].x + 10
    assert overlaps(layout) == [(1, 2)]


@pytest.mark.parametrize("name", GRAPHS)
def test_the_same_picture_every_time(name):
    assert laid_out(*GRAPHS[name]) == laid_out(*GRAPHS[name])


def test_ranks_are_below_what_leads_to_them_and_edges_are_short():
    assert ranks(4, [(0, 1), (1, 2), (0, 2), (2, 3)]) == [0, 1, 2, 3]
    assert ranks(5, [(0, 1), (1, 2), (2, 3), (4, 3)]) == [0, 1, 2, 3, 2]        # 4 begins just above 3


@pytest.mark.parametrize(
    ("name", "fewest"),
    [("chain", 0), ("diamond", 0), ("an edge past three", 0), ("two parts", 0), ("two by two", 0), (
        "weights of a recurrent net", 0)],
)
def test_graphs_that_can_be_drawn_without_crossings_are(name, fewest):
    layout = laid_out(*GRAPHS[name])
    assert crossings(layout.cells, layout.rows) == fewest


def test_a_tree_has_no_crossings():
    layout = laid_out(31, [((i - 1) // 2, i) for i in range(1, 31)][::-1])
    assert crossings(layout.cells, layout.rows) == 0


def test_what_cannot_be_drawn_without_crossings():
    """K(3, 3) in two rows: each pair above with each pair below crosses once, 9 in all."""
    made = [Cell(i // 3, 1, 1) for i in range(6)]
    for i in range(3):
        for j in range(3, 6):
            made[i].below.append(j)
            made[j].above.append(i)
    assert crossings(made, order(made)) == 9


def test_crossings_are_counted():
    made = [Cell(i // 2, 1, 1) for i in range(4)]
    made[0].below, made[1].below = [3], [2]
    assert crossings(made, [[0, 1], [2, 3]]) == 1 and crossings(made, [[0, 1], [3, 2]]) == 0


@pytest.mark.parametrize("seed", range(6))
def test_the_order_saves_crossings(seed):
    n, edges = some_graph(seed)
    layout = laid_out(n, edges)
    assert crossings(layout.cells, layout.rows) < crossings(layout.cells, first_order(layout.cells))


def test_neighbours_are_exchanged_where_that_saves_crossings():
    made = [Cell(i // 2, 1, 1) for i in range(4)]
    for i, j in ((0, 3), (1, 2)):
        made[i].below, made[j].above = [j], [i]
    rows = [[0, 1], [2, 3]]
    exchange(made, rows)
    assert crossings(made, rows) == 0
    before = [list(row) for row in rows]
    exchange(made, rows)
    assert rows == before


def test_edges_to_one_target_share_a_trunk():
    n, edges = GRAPHS["weights of a recurrent net"]
    layout = laid_out(n, edges)
    assert all(sum(cell.row == row for cell in layout.cells if cell.line and not cell.width) <= 1
               for row in range(len(layout.rows)))
    apart = arrange([SIZE] * n, [(*edge, i) for i, edge in enumerate(edges)], [(40.0, 14.0)] * len(edges))
    assert len(apart.cells) > len(layout.cells)         # different outputs, different tensors


def test_chains_and_long_edges_are_straight():
    layout = laid_out(*GRAPHS["an edge past three"])
    assert len({layout.cells[i].x for i in layout.routes[1][:-1]}) == 1
    trunk = layout.routes[-1][1:-1]
    assert len({layout.cells[i].x for i in trunk}) == 1
    assert len({layout.cells[i].x for i in range(1, 4)}) == 1


def test_chains():
    layout = laid_out(3, [(0, 1), (1, 2)])
    assert chained(layout.cells) == {0: 3, 3: 1, 1: 4, 4: 2}


def test_pooling_finds_the_nearest_places():
    assert pooled([0.0, 10.0], [1, 1], [5.0]) == [0.0, 10.0]
    assert pooled([0.0, 0.0], [1, 1], [4.0]) == [-2.0, 2.0]
    assert pooled([0.0, 0.0], [3, 1], [4.0]) == [-1.0, 3.0]
    chance = random.Random(0)
    for _ in range(20):
        wishes, weights, gaps = [[chance.uniform(0, 9) for _ in range(k)] for k in (5, 5, 4)]
        x = pooled(wishes, weights, gaps)
        assert all(b - a >= gap - 1e-9 for a, b, gap in zip(x, x[1:], gaps))
        best = sum(w * (a - d) ** 2 for w, a, d in zip(weights, x, wishes))
        for _ in range(50):                             # nothing near that is allowed is better
            near = [a + chance.uniform(-0.1, 0.1) for a in x]
            if all(b - a >= gap for a, b, gap in zip(near, near[1:], gaps)):
                assert sum(w * (a - d) ** 2 for w, a, d in zip(weights, near, wishes)) >= best - 1e-9
