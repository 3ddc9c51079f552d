"""The small scipy and sklearn of the page, compared with those that they stand in for."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
pytest.importorskip("sklearn")

import scipy.integrate
import scipy.optimize
from scipy.optimize import rosen, rosen_der, rosen_hess_prod
from sklearn.datasets import load_digits

SMALL = Path(__file__).resolve().parents[3] / "tools" / "live" / "small"


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), SMALL / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("method", "options"), [
    ("BFGS", {"gtol": 1e-8}), ("Newton-CG", {"xtol": 1e-10}), ("trust-ncg", {"gtol": 1e-8})])
def test_a_minimum_is_scipys(method, options):
    given = {"method": method, "jac": rosen_der, "options": options}
    if method != "BFGS":
        given["hessp"] = rosen_hess_prod
    start = np.array([-1.2, 1.0, 1.3, 0.7, 0.8])
    found, expected = (where.minimize(rosen, start, **given) for where in (load("scipy/optimize"), scipy.optimize))
    assert found.x == pytest.approx(expected.x, abs=1e-7)
    assert found.nit < 1.5 * expected.nit


def test_a_gradient_of_another_function_ends_with_a_message():
    found = load("scipy/optimize").minimize(lambda x: (x @ x, -x), [1.0, 2.0], jac=True)
    assert not found.success and "precision" in found.message


def test_a_method_that_is_not_there_says_so():
    with pytest.raises(NotImplementedError, match="Powell"):
        load("scipy/optimize").minimize(rosen, [0.0, 0.0], method="Powell", jac=rosen_der)


def test_a_fitted_curve_is_scipys():
    x = np.linspace(0, 4, 40)
    y = 3 * np.exp(-1.2 * x) + 0.5 + 0.1 * np.random.default_rng(0).normal(size=40)

    def curve(x, a, b, c):
        return a * np.exp(-b * x) + c

    found, covariance = load("scipy/optimize").curve_fit(curve, x, y, [1, 1, 1])
    expected, expected_covariance = scipy.optimize.curve_fit(curve, x, y, [1, 1, 1])
    assert found == pytest.approx(expected, rel=1e-6)
    assert covariance == pytest.approx(expected_covariance, rel=1e-4)


def test_a_pendulum_swings_as_in_scipy():
    times = np.linspace(0, 6, 50)
    found, expected = (where.solve_ivp(lambda t, u: [u[1], -np.sin(u[0])], (0, 6), [2, 0], t_eval=times, rtol=1e-9,
                                       atol=1e-9).y for where in (load("scipy/integrate"), scipy.integrate))
    assert found == pytest.approx(expected, abs=1e-7)


def test_the_digits_are_those_of_scikit_learn(monkeypatch):
    import sklearn

    small = load("sklearn/datasets/__init__")
    monkeypatch.setattr(small, "FILE", Path(sklearn.__file__).parent / "datasets" / "data" / "digits.csv.gz")
    found, expected = small.load_digits(), load_digits()
    for name in "data", "images", "target":
        assert np.array_equal(found.__dict__[name], expected[name])
    assert found.target.dtype == np.int64
