"""Ways to ask for a derivative of a function f, at X, in the direction T."""

import threading

import minigrad as torch
from minigrad import func
from minigrad.autograd import forward_ad, functional, grad, set_detect_anomaly
from minigrad.autograd.graph import allow_mutation_on_saved_tensors, saved_tensors_hooks
from minigrad.utils.checkpoint import checkpoint

X = torch.tensor([0.4, -0.9, 1.3], dtype=torch.float64)
T = torch.tensor([0.7, 0.2, -0.5], dtype=torch.float64)
#: X is the first example of the batch
BATCH = torch.stack([X, X * 0.5 + 0.1, -X])


def leaf():
    return X.clone().requires_grad_()


def tangent(x):
    return forward_ad.unpack_dual(x).tangent


# ------------------------------------------------------------------------------ gradients

def by_grad(f):
    x = leaf()
    return grad(f(x), x)[0]


def by_backward(f):
    x = leaf()
    f(x).backward()
    return x.grad


def in_a_thread(f):
    found = []
    thread = threading.Thread(target=lambda: found.append(outcome(by_grad, f)))
    thread.start()
    thread.join()
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


def outcome(mode, f):
    """What the mode gives, or the exception that it raises."""
    try:
        return mode(f)
    except Exception as failure:
        return failure


def by_func_grad(f):
    return func.grad(f)(X)


def by_vjp(f):
    return func.vjp(f, X)[1](torch.tensor(1., dtype=torch.float64))[0]


def by_jacrev_of_several(f):
    return func.jacrev(lambda x: torch.stack([f(x), 2 * f(x)]))(X)[1] / 2


def mapped_gradients(f):
    return func.vmap(func.grad(f))(BATCH)[0]


def gradient_of_a_map(f):
    return func.grad(lambda b: (func.vmap(f)(b) * T).sum())(BATCH)[0] / T[0]


def recorded_gradient_of_a_map(f):
    b = BATCH.clone().requires_grad_()
    return grad((func.vmap(f)(b) * T).sum(), b)[0][0] / T[0]


def mapped_backward(f):
    x = leaf()
    y = f(x)
    return func.vmap(lambda g: grad(y, x, g, retain_graph=True)[0])(T)[0] / T[0]


GRADIENTS = [by_grad, by_backward, in_a_thread, by_func_grad, by_vjp, by_jacrev_of_several, mapped_gradients,
             gradient_of_a_map, recorded_gradient_of_a_map, mapped_backward]


# ------------------------------------------------------------------------------ slopes: the gradient times T

def of_a_dual(f):
    with forward_ad.dual_level():
        return tangent(f(forward_ad.make_dual(X.clone(), T)))


def of_a_dual_leaf(f):
    with forward_ad.dual_level():
        return tangent(f(forward_ad.make_dual(leaf(), T)))


def by_jvp(f):
    return func.jvp(f, (X,), (T,))[1]


def by_jvp_of_a_checkpoint(f):
    return func.jvp(lambda x: checkpoint(f, x, use_reentrant=False), (X,), (T,))[1]


def by_linearize(f):
    return func.linearize(f, X)[1](T)


def by_functional_jvp(f):
    return functional.jvp(f, X, T)[1]


def mapped_slopes(f):
    return func.vmap(lambda x: func.jvp(f, (x,), (T,))[1])(BATCH)[0]


def slope_of_a_map(f):
    return func.jvp(func.vmap(f), (BATCH,), (torch.stack([T, T, T]),))[1][0]


SLOPES = [of_a_dual, of_a_dual_leaf, by_jvp, by_jvp_of_a_checkpoint, by_linearize, by_functional_jvp, mapped_slopes,
          slope_of_a_map]


# ------------------------------------------------------------------------------ the Hessian times T

def second(f, x, y):
    g, = grad(y, x, create_graph=True)
    return grad(g, x, T)[0]


def by_grad_twice(f):
    x = leaf()
    return second(f, x, f(x))


def by_backward_twice(f):
    x = leaf()
    f(x).backward(create_graph=True)
    g, x.grad = x.grad, None
    (g * T).sum().backward()
    return x.grad


def under_anomaly_mode(f):
    with set_detect_anomaly(True):
        return by_grad_twice(f)


def under_hooks(f):
    x = leaf()
    with saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
        y = f(x)
    return second(f, x, y)


def where_saved_tensors_may_be_written_to(f):
    with allow_mutation_on_saved_tensors():
        return by_grad_twice(f)


def under_a_checkpoint(f):
    x = leaf()
    return second(f, x, checkpoint(f, x, use_reentrant=False))


def pass_in_a_dual_level(f):
    with forward_ad.dual_level():
        x = forward_ad.make_dual(leaf(), T)
        return tangent(grad(f(x), x)[0])


def recorded_pass_in_a_dual_level(f):
    with forward_ad.dual_level():
        x = forward_ad.make_dual(leaf(), T)
        return tangent(grad(f(x), x, create_graph=True)[0])


def pass_in_a_dual_level_under_hooks(f):
    with forward_ad.dual_level():
        x = forward_ad.make_dual(leaf(), T)
        with saved_tensors_hooks(lambda t: t.clone(), lambda t: t):
            y = f(x)
        return tangent(grad(y, x)[0])


def pass_through_a_tangent(f):
    x = leaf()
    with forward_ad.dual_level():
        return grad(tangent(f(forward_ad.make_dual(x, T))), x)[0]


def pass_through_a_tangent_later(f):
    x = leaf()
    with forward_ad.dual_level():
        t = tangent(f(forward_ad.make_dual(x, T)))
    return grad(t, x)[0]


def jvp_of_grad(f):
    return func.jvp(func.grad(f), (X,), (T,))[1]


def grad_of_jvp(f):
    return func.grad(lambda x: func.jvp(f, (x,), (T,))[1])(X)


def grad_of_grad(f):
    return func.grad(lambda x: (func.grad(f)(x) * T).sum())(X)


def grad_in_a_dual_level(f):
    with forward_ad.dual_level():
        return tangent(func.grad(f)(forward_ad.make_dual(X, T)))


def map_of_grad_in_a_dual_level(f):
    with forward_ad.dual_level():
        return tangent(func.vmap(func.grad(f))(forward_ad.make_dual(BATCH, torch.stack([T, T, T]))))[0]


def grad_of_a_leaf_outside(f):
    x = leaf()
    return grad(func.grad(f)(x), x, T)[0]


def jvp_of_a_leaf_outside(f):
    x = leaf()
    return grad(func.jvp(f, (x,), (T,))[1], x)[0]


def by_hvp(f):
    return functional.hvp(f, X, T)[1]


def by_vhp(f):
    return functional.vhp(f, X, T)[1]


def jacrev_of_grad(f):
    return func.jacrev(func.grad(f))(X) @ T


def by_hessian(f):
    return func.hessian(f)(X) @ T


def jacrev_of_jacfwd(f):
    return func.jacrev(func.jacfwd(f))(X) @ T


def jacfwd_of_jacfwd(f):
    return func.jacfwd(func.jacfwd(f))(X) @ T


def mapped_hessians(f):
    return func.vmap(func.hessian(f))(BATCH)[0] @ T


def by_functional_hessian(f):
    return functional.hessian(f, X) @ T


def by_vectorized_forward_hessian(f):
    return functional.hessian(f, X, vectorize=True, outer_jacobian_strategy="forward-mode") @ T


def batched_second_pass(f):
    x = leaf()
    g, = grad(f(x), x, create_graph=True)
    return grad(g, x, torch.eye(3, dtype=torch.float64), is_grads_batched=True)[0] @ T


PRODUCTS = [by_grad_twice, by_backward_twice, under_anomaly_mode, under_hooks,
            where_saved_tensors_may_be_written_to, under_a_checkpoint, pass_in_a_dual_level,
            recorded_pass_in_a_dual_level, pass_in_a_dual_level_under_hooks, pass_through_a_tangent,
            pass_through_a_tangent_later, jvp_of_grad, grad_of_jvp, grad_of_grad, grad_in_a_dual_level,
            map_of_grad_in_a_dual_level, grad_of_a_leaf_outside, jvp_of_a_leaf_outside, by_hvp, by_vhp, jacrev_of_grad,
            by_hessian, jacrev_of_jacfwd, jacfwd_of_jacfwd, mapped_hessians, by_functional_hessian,
            by_vectorized_forward_hessian, batched_second_pass]


# ------------------------------------------------------------------------------ curvatures: T times the Hessian times T

def jvp_of_jvp(f):
    return func.jvp(lambda x: func.jvp(f, (x,), (T,))[1], (X,), (T,))[1]


def mapped_curvatures(f):
    return func.vmap(lambda x: func.jvp(lambda a: func.jvp(f, (a,), (T,))[1], (x,), (T,))[1])(BATCH)[0]


CURVATURES = [jvp_of_jvp, mapped_curvatures]


# ------------------------------------------------------------------------------ third derivatives, along T and T

def by_grad_three_times(f):
    x = leaf()
    g, = grad(f(x), x, create_graph=True)
    h, = grad(g, x, T, create_graph=True)
    return grad(h, x, T)[0]


def grad_of_jvp_of_jvp(f):
    return func.grad(lambda x: func.jvp(lambda a: func.jvp(f, (a,), (T,))[1], (x,), (T,))[1])(X)


def jvp_of_jvp_of_grad(f):
    return func.jvp(lambda x: func.jvp(func.grad(f), (x,), (T,))[1], (X,), (T,))[1]


def jvp_of_grad_of_jvp(f):
    return func.jvp(func.grad(lambda x: func.jvp(f, (x,), (T,))[1]), (X,), (T,))[1]


def grad_of_grad_of_grad(f):
    return func.grad(lambda x: (func.grad(lambda a: (func.grad(f)(a) * T).sum())(x) * T).sum())(X)


THIRDS = [by_grad_three_times, grad_of_jvp_of_jvp, jvp_of_jvp_of_grad, jvp_of_grad_of_jvp, grad_of_grad_of_grad]
