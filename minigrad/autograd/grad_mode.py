"""Switch recording off and on, for a block of code or for a function.

    with torch.no_grad():            # a block
        weight -= 0.1 * weight.grad

    @torch.no_grad()                 # a function: the same for each call
    def evaluate(model, x): ...

    torch.set_grad_enabled(False)    # from here on, in this thread

One idea: the modes are two flags per thread (kept in `minigrad._core.runtime.thread_state`), and everything here sets
them, remembers their old values, and restores them, even when the block raises. Dispatch reads the flags once
per operation: under `no_grad` the result of an operation has no `grad_fn`, whatever its inputs are. What a block
does when it begins and ends is in `minigrad._core.runtime.grad_mode`.

    =================  ===============  ====================================================
    inside             recording        results
    =================  ===============  ====================================================
    `no_grad`          off              ordinary tensors; may be used in recorded code later
    `enable_grad`      on               ordinary tensors
    `inference_mode`   off              inference tensors: no version counter, never recorded
    =================  ===============  ====================================================

The modes do not affect the *creation* of tensors: `torch.zeros(3, requires_grad=True)` requires grad
under `no_grad` too.
"""

import functools
from _thread import _local           # the same as threading.local, without the rest of threading

from minigrad._core.errors import error, warn
from minigrad._core.runtime.grad_mode import Inferring, Recorded, Setting, Unrecorded, made_in_c
from minigrad._core.runtime.scopes import Undo
from minigrad._core.runtime.thread_state import set_grad_enabled as _set_grad

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled",
           "enforce_grad_layout_policy"]

_CO_GENERATOR = 0x20  # the flag that the compiler sets on a function containing `yield`


class _Mode:
    """A context manager whose instances also decorate functions.

    Each call of a decorated function enters a fresh copy (`clone`), so recursive calls and threads do not interfere.
    """

    def __call__(self, orig_func):
        if isinstance(orig_func, type):
            warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning,
            )
            return _around_calls(self.clone, lambda *args, **kwargs: orig_func(*args, **kwargs))
        code = getattr(_innermost(orig_func), "__code__", None)
        if code is not None and code.co_flags & _CO_GENERATOR:
            return _around_generator(self.clone, orig_func)
        return _around_calls(self.clone, orig_func)

    def clone(self):
        """Return a fresh copy, ready to be entered."""
        return type(self)()


def _innermost(function):
    """The function whose body will run, behind methods and partials."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif hasattr(function, "__func__"):
            function = function.__func__
        else:
            return function


def _around_calls(make_mode, function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with make_mode():
            return function(*args, **kwargs)

    return wrapper


def _around_generator(make_mode, function):
    """Wrap a generator function: the mode holds while its body runs, not while the caller runs.

    A plain `with` inside a generator would leak the mode into the caller at each `yield`; here the mode is
    entered for each step of the body and left before the value is yielded.
    """

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        generator = function(*args, **kwargs)
        step, argument = generator.send, None
        try:
            while True:
                with make_mode():
                    value = step(argument)
                try:
                    step, argument = generator.send, (yield value)
                except GeneratorExit:
                    with make_mode():
                        generator.close()
                    raise
                except BaseException as exception:  # the caller's throw() goes to the body
                    step, argument = generator.throw, exception
        except StopIteration as stop:
            return stop.value

    return wrapper


class _PlainMode(_Mode):
    """A mode without parameters: `@no_grad` decorates as well as `@no_grad()`."""

    def __new__(cls, orig_func=None):
        mode = super().__new__(cls)
        return mode if orig_func is None else mode(orig_func)


@made_in_c
class no_grad(_PlainMode, Unrecorded):
    """Do not record: results have no `grad_fn` and `requires_grad=False`.

    Use it for evaluation and for updating parameters. It stops only the recording for backward, not forward mode.
    It affects this thread only.

    >>> x = torch.tensor([1.], requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    >>> @torch.no_grad()
    ... def doubler(x):
    ...     return x * 2
    >>> doubler(x).requires_grad
    False

    See also: `enable_grad`, `set_grad_enabled`, `inference_mode`, `Tensor.detach`.
    """


@made_in_c
class enable_grad(_PlainMode, Recorded):
    """Record again, inside a block where recording was switched off.

    >>> x = torch.tensor([1.], requires_grad=True)
    >>> with torch.no_grad():
    ...     with torch.enable_grad():
    ...         y = x * 2
    >>> y.requires_grad
    True
    >>> y.backward()
    >>> x.grad
    tensor([2.])

    Inside `inference_mode` it switches the flag on, but results stay inference tensors.
    """


@made_in_c
class set_grad_enabled(_Mode, Setting):
    """Switch recording on or off by a condition: as a function, a context manager or a decorator.

    As a function it takes effect at once and for good; in a `with` it lasts until the end of the block.

    >>> x = torch.tensor([1.], requires_grad=True)
    >>> is_train = False
    >>> with torch.set_grad_enabled(is_train):
    ...     y = x * 2
    >>> y.requires_grad
    False
    >>> _ = torch.set_grad_enabled(False)
    >>> (x * 2).requires_grad
    False
    >>> _ = torch.set_grad_enabled(True)
    >>> (x * 2).requires_grad
    True
    """

    def __init__(self, mode):
        if mode is not True and mode is not False:
            raise error("MG205", f"set_grad_enabled(): argument 'mode' must be bool, not {type(mode).__name__}")
        self.mode = mode
        self.prev = _set_grad(mode)

    def __call__(self, orig_func):
        _set_grad(self.prev)  # as a decorator it affects the calls, not the code below the definition
        return super().__call__(orig_func)

    def clone(self):
        """Return a fresh copy; it takes effect at once."""
        return type(self)(self.mode)

    def __repr__(self):
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


@made_in_c
class inference_mode(_Mode, Inferring):
    """Neither record nor count versions: the cheapest mode, for results that never take part in autograd.

    Tensors made inside are *inference tensors*: they may be read anywhere, but they have no version counter, and
    a recorded operation refuses to save them for backward. `inference_mode(False)` leaves the mode for a block,
    in which operations are recorded.

    >>> x = torch.ones(1, 2, 3, requires_grad=True)
    >>> with torch.inference_mode():
    ...     y = x * x
    >>> y.requires_grad, y.is_inference()
    (False, True)

    See also: `no_grad`, which allows the results in recorded code later.
    """

    def __new__(cls, mode=True):
        if mode is True or mode is False:
            return super().__new__(cls)
        return cls()(mode)  # @inference_mode without parentheses

    def __init__(self, mode=True):
        self.mode = mode

    def clone(self):
        """Return a fresh copy, ready to be entered."""
        return type(self)(self.mode)


# ------------------------------------------------------------------------------ switches without effect

_thread = _local()


class _Switch(_Mode, Undo):
    """A switch of the thread: permanent as a function, and until the end of the block in a `with`."""

    def __init__(self, mode):
        if mode is not True and mode is not False:
            raise error("MG205", f"{type(self).__name__}(): the argument must be bool, not {type(mode).__name__}")
        self.mode = mode
        self.prev = self.now()
        self.put(mode)

    @classmethod
    def now(cls):
        return getattr(_thread, cls.__name__, True)

    @classmethod
    def put(cls, mode):
        setattr(_thread, cls.__name__, mode)

    def __call__(self, orig_func):
        self.put(self.prev)  # as a decorator it affects the calls
        return super().__call__(orig_func)

    def _changes(self):
        self.put(self.mode)
        return [(vars(_thread), type(self).__name__, self.prev)]

    def clone(self):
        return type(self)(self.mode)


class set_multithreading_enabled(_Switch):
    """Allow a backward pass to use threads of its own: remembered for this thread, but without effect here.

    PyTorch's engine has a thread for each device.  On the CPU, and so always here, a pass runs in the thread that
    called it.

    >>> with torch.autograd.set_multithreading_enabled(False):
    ...     torch.autograd.is_multithreading_enabled()
    False
    >>> torch.autograd.is_multithreading_enabled()
    True
    """

    def __init__(self, mode):
        super().__init__(mode)


def is_multithreading_enabled():
    """The setting of :class:`set_multithreading_enabled` for this thread; True by default.

    >>> torch.autograd.is_multithreading_enabled()
    True
    """
    return set_multithreading_enabled.now()


class enforce_grad_layout_policy(_Switch):
    """Lay ``.grad`` out like its leaf: remembered for this thread, but without effect here.

    With ``enable=False`` PyTorch may keep a gradient without copying it into the leaf's layout; here ``.grad`` always
    has the strides that :doc:`/notes/layouts` promises.

    >>> x = torch.ones(2, 3).t().requires_grad_()
    >>> with torch.autograd.enforce_grad_layout_policy(False):
    ...     (x * 2).sum().backward()
    >>> x.grad.stride() == x.stride()
    True
    """

    def __init__(self, enable=True):
        super().__init__(enable)
