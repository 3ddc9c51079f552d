"""The derivatives of the collectives: all ranks together are one linear map, whose transpose the pass must be."""

import minigrad as torch
import minigrad.distributed as dist
from minigrad.autograd import forward_ad
from minigrad.distributed.nn import functional

dist.init_process_group("mpi")
rank, size = dist.get_rank(), dist.get_world_size()
ROOT = size - 1


def joined(outputs):
    return torch.stack([*outputs]) if isinstance(outputs, (tuple, list)) else outputs


CASES = {
    "all_reduce": lambda x: functional.all_reduce(x[0]),
    "mean": lambda x: functional.all_reduce(x[0], op=dist.ReduceOp.AVG),
    "broadcast": lambda x: functional.broadcast(x[0], ROOT),
    "reduce": lambda x: functional.reduce(x[0], ROOT),
    "all_gather": lambda x: joined(functional.all_gather(x[0])),
    "gather": lambda x: joined(functional.gather(x[0], ROOT)),
    "scatter": lambda x: functional.scatter([*x], ROOT),
    "reduce_scatter": lambda x: functional.reduce_scatter(torch.zeros_like(x[0]), [*x]),
    "all_to_all": lambda x: joined(functional.all_to_all([torch.zeros_like(each) for each in x], [*x])),
    "all_to_all_single": lambda x: functional.all_to_all_single(torch.zeros_like(x[:, 0]), x[:, 0]),
    "uneven": lambda x: functional.all_to_all_single(
        torch.zeros(sum([r + rank + 1 for r in range(size)]), dtype=x.dtype),
        torch.cat([x[s, 0, :1].expand(rank + s + 1) for s in range(size)]),
        [r + rank + 1 for r in range(size)], [rank + s + 1 for s in range(size)]),
}


def of_ranks(value):
    """The sum of a number over the ranks."""
    return functional.all_reduce(value.detach()).item()


def close(a, b, what):
    assert abs(a - b) <= 1e-10 * max(1, abs(a), abs(b)), (what, rank, a, b)


torch.manual_seed(rank)
for dtype in (torch.float64, torch.complex128):
    for name, f in CASES.items():
        x = torch.randn(size, 2, 3, dtype=dtype, requires_grad=True)
        y = f(x)
        assert not y.requires_grad or y.grad_fn is not None, name
        t, d = torch.randn_like(x), torch.randn_like(y)
        # <A t, d> = <t, A^H d>, summed over the ranks
        with torch.no_grad():
            forward = of_ranks((f(t) * d.conj()).sum().real)
        back, = torch.autograd.grad(y, x, d)
        close(forward, of_ranks((t * back.conj()).sum().real), (name, "adjoint"))
        # forward mode: the map itself
        with forward_ad.dual_level():
            tangent = forward_ad.unpack_dual(f(forward_ad.make_dual(x.detach(), t))).tangent
            assert torch.allclose(tangent, f(t).detach()), (name, "tangent")
        # twice: the loss is the sum over the ranks of |A x|^2 / 2, with gradient A^H A x, and Hessian A^H A
        y = f(x)
        gradient, = torch.autograd.grad((y * y.conj()).real.sum() / 2, x, create_graph=True)
        second, = torch.autograd.grad((gradient * t.conj()).real.sum(), x)
        with torch.no_grad():
            a_t = f(t)
        first = of_ranks((a_t * a_t.conj()).real.sum())
        close(first, of_ranks((second * t.conj()).real.sum()), (name, "second"))
        # a batch is moved in one call
        if name not in ("reduce_scatter", "all_to_all", "all_to_all_single", "uneven"):     # they copy into an argument
            several = torch.randn(5, *x.shape, dtype=dtype)
            assert torch.allclose(torch.vmap(f)(several), torch.stack([f(each) for each in several])), (name, "vmap")
        gradients = torch.func.vmap(torch.func.grad(lambda z: (f(z) * f(z).conj()).real.sum() / 2))(
            torch.stack([x.detach(), t])) if name in ("all_reduce", "broadcast", "all_gather") else None
        assert gradients is None or torch.allclose(gradients[0], gradient.detach()), (name, "vmap of grad")

x = torch.ones(2, requires_grad=True)
assert type(functional.all_reduce(x).grad_fn).__name__ == "_AllReduceBackward"
for op in (dist.ReduceOp.MAX, dist.ReduceOp.PRODUCT):
    try:
        functional.all_reduce(x, op)
        raise SystemExit(f"{op} has no derivative")
    except RuntimeError as error:
        assert error.code == "MG804", error

dist.destroy_process_group()
print(f"rank {rank} of {size} is right")
