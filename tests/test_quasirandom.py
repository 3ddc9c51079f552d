"""Sobol sequences: the numbers of PyTorch's, and what makes them even."""

import pytest

import minigrad
from tests.checking import refuses


def engine(torch, *args, **kwargs):
    from importlib import import_module
    return import_module(f"{torch.__name__}.quasirandom").SobolEngine(*args, **kwargs)


#: dims -> the sums of 5 points, of the 14th to 16th, of 4 scrambled ones, and of all their direction numbers
SUMS = {1: (1.875, 1.4375, 1.686034665, 1346543329), 2: (3.75, 3.5, 4.556358024, 24954984956),
        7: (13.625, 10.9375, 13.948377248, 115726929881), 53: (107.375, 80.3125, 104.113432311, 875489750844),
        101: (204.625, 151.5625, 203.04727587, 1659988860396)}


@pytest.mark.parametrize("dims", SUMS)
def test_the_points_are_pytorchs(torch, dims):
    plain, scrambled = engine(torch, dims), engine(torch, dims, scramble=True, seed=3)
    first, later = plain.draw(5), plain.fast_forward(8).draw(3, dtype=torch.float64)
    assert first.dtype == torch.float32 and later.shape == (3, dims) and plain.num_generated == 16
    found = [round(x.double().sum().item(), 9) for x in (first, later, scrambled.draw(4))]
    assert (*found, scrambled.sobolstate.sum().item()) == SUMS[dims]


def test_the_scrambling_draws_from_the_default_generator(torch):
    torch.manual_seed(1)
    drawn = engine(torch, 2, True).draw(2)
    assert drawn.sum().item() == pytest.approx(2.464728177) and torch.rand(1).item() == pytest.approx(0.435080707)


def test_powers_of_2_are_balanced(torch):
    """Of 2**m points in each dim, one is in each of as many equal parts."""
    drawing = engine(torch, 101)
    points = drawing.draw_base2(6, dtype=torch.float64)
    assert (points.sort(0).values * 64 == torch.arange(64).unsqueeze(1)).all()
    with pytest.raises(ValueError, match="The balance properties of Sobol' points require n to be a power of 2. 64 p"):
        drawing.draw_base2(3)


def test_it_begins_anew_and_writes_where_it_is_told(torch):
    drawing, out = engine(torch, 3, scramble=True, seed=1), torch.empty(0)
    first = drawing.draw(4)
    assert torch.equal(drawing.reset().draw(4, out=out), first) and torch.equal(out, first)
    assert repr(drawing) == "SobolEngine(dimension=3, scramble=True, seed=1)"
    assert repr(engine(torch, 3)) == "SobolEngine(dimension=3)"


@pytest.mark.parametrize("dims", [0, 102])
def test_other_dims_are_refused(dims):
    with refuses(ValueError, "Supported range of dimensionality for SobolEngine is", "MG207"):
        minigrad.quasirandom.SobolEngine(dims)
