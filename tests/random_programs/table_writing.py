"""From a seed to a program of calls of the table, of everything that surrounds them, and of transforms.

The writer runs what it writes on minigrad, to know shapes and dtypes, and to keep mostly what makes sense.  It takes
nothing from there that a judge relies on, so a mistake of minigrad does no harm here.
"""

import contextlib
import random
import re
import warnings

import numpy as np

import minigrad

from tests.ops.sampling import T

from .functions import APPLIED, helpers
from .nested import Nested, Pass, Statement
from .table_calls import CALLS, USUAL, literal

__all__ = ["write_table"]

MOST_ELEMENTS, LARGEST_NUMBER = 200, 6.0
#: how many numbers the unit vectors may have for which a Jacobian of Jacobians is computed
MOST_UNITS = 2e7
FLOATS = {"float64": 60, "float32": 14, "complex128": 18, "bfloat16": 4, "float16": 4}
OTHERS = {"float64": 4, "float32": 4, "bfloat16": 1, "int64": 2}
NAMES = sorted(CALLS)
ISLANDS = {
    "with torch.no_grad():": 4,
    "with torch.enable_grad():": 2,
    "with torch.set_grad_enabled(False):": 2,
    "with torch.set_grad_enabled(True):": 1,
    "with torch.autograd.graph.saved_tensors_hooks(packed, unpacked):": 5,
    "with torch.autograd.graph.save_on_cpu():": 2,
    "with torch.inference_mode():": 1,
}
QUIET = ("no_grad", "(False)", "inference")         # islands in which nothing is recorded


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.made, self.scopes, self.features = 0, [[]], set()
        self.namespace = {**helpers(minigrad), "seen": []}
        self.tensors = {}           # {name: tensor}, what may be named here
        self.leaves, self.functions = [], {}
        self.dtype = self.weighted(FLOATS)
        self.given, self.givens = [], set()
        self.inside = 0             # how many functions this is the body of

    # ------------------------------------------------------------------------------ drawing

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def one_of(self, *options):
        return self.random.choice(options)

    def weighted(self, options):
        return self.random.choices([*options], [*options.values()])[0]

    def name(self, letter):
        self.made += 1
        return f"{letter}{self.made - 1}"

    def pick(self, wanted=lambda t: True, recent=True):
        """The name of a tensor, one of the last ones more often than not."""
        names = [name for name, t in self.tensors.items() if wanted(t)]
        if not names:
            return None
        return self.one_of(*names[-4:]) if recent and self.chance(60) else self.one_of(*names)

    # ------------------------------------------------------------------------------ writing down

    def say(self, text, keep=12, **what):
        """Add a statement, if it runs; sometimes one that is refused.  Whether it ran."""
        if what.get("leaf") is not None and not self.inside and len(self.scopes) > 1:
            return self.before_the_block(text, what)
        statement = Statement(text, **what)
        try:
            exec(statement.code, self.namespace)
        except Exception:
            if self.inside or not self.chance(keep):
                return False
            self.features.add("a refusal")
            self.scopes[-1].append(statement)
            return False
        for name in statement.made:
            made = self.namespace[name]
            if isinstance(made, minigrad.Tensor) and made.numel() <= MOST_ELEMENTS:
                self.tensors[name] = made
        self.scopes[-1].append(statement)
        return True

    def before_the_block(self, text, what):
        """Make a leaf outside all blocks, where a judge can lay hands on it."""
        scopes, self.scopes = self.scopes, self.scopes[:1]
        try:
            with minigrad.inference_mode(False), minigrad.enable_grad():
                return self.say(text, **what)
        finally:
            self.scopes = scopes

    def block(self, head, fill, context=None):
        """A statement with a body, which ``fill`` writes."""
        self.scopes.append([])
        with context or contextlib.nullcontext():
            fill()
        body = tuple(self.scopes.pop())
        if body:
            self.scopes[-1].append(Statement(head, body))
        return bool(body)

    # ------------------------------------------------------------------------------ tensors for a call

    def array(self, t, dtype):
        """Numbers for a ``T``, of few digits."""
        drawn = t.draw(np.random.default_rng(self.random.randrange(2**32)), dtype if dtype != "bfloat16" else "float32")
        if t.values is None and drawn.dtype.kind in "fc":
            drawn = drawn.round(3)
        return drawn

    def tensor(self, call, t):
        """The name of a tensor that may be given for a ``T``."""
        dtype = self.dtype if self.dtype != "complex128" or call.row.complex else "float64"
        if self.chance(5):
            dtype = self.weighted(OTHERS)
        if t.kind in ("int", "bool"):
            return self.constant(t, dtype)
        if dtype == "int64" or not self.chance(90 if self.inside else 65):
            return self.leaf(t, dtype)
        return self.bound(call, t, dtype) or self.leaf(t, dtype)

    def constant(self, t, dtype):
        text = literal(self.array(t, dtype))
        if dtype == "bfloat16" and t.kind not in ("int", "bool"):
            text = f"{text[:-1].replace('torch.float32', 'torch.bfloat16')})"
        return text

    def leaf(self, t, dtype):
        """A new tensor, of any layout."""
        name, wants = self.name("x"), self.chance(70) and dtype != "int64" and not self.inside
        array = self.array(t, dtype)
        text = literal(array, wants)
        if dtype == "bfloat16":
            text = text.replace("torch.float32", "torch.bfloat16")
        if self.inside:
            return text
        moves = t.values is None            # others are often at a kink, or hold what a formula takes for granted
        laid = self.weighted({"": 6, "t": 2, "gaps": 1, "expanded": 1})
        if laid == "t" and array.ndim > 1:
            self.say(f"{name} = {text.replace(', requires_grad=True', '')}.mT.contiguous().mT"
                     f"{'.requires_grad_()' * wants}", leaf=wants and moves)
            self.features.add("a leaf that lies by columns")
        elif laid == "gaps" and array.ndim:
            wide = np.repeat(array, 2, axis=-1)
            text = literal(wide, wants).replace("torch.float32", self.named(dtype))
            self.say(f"{name} = {text}", leaf=wants and moves)
            self.leaves += [name] * wants
            view = self.name("v")
            self.say(f"{view} = {name}[..., ::2]")
            return view
        elif laid == "expanded" and array.ndim and array.shape[0] > 1 and t.values is None and t.kind == "float":
            part = literal(array[:1], wants).replace("torch.float32", self.named(dtype))
            self.say(f"{name} = {part}", leaf=wants and moves)
            self.leaves += [name] * wants
            view = self.name("v")
            self.say(f"{view} = {name}.expand({', '.join(map(str, array.shape))})")
            self.features.add("an expanded tensor")
            return view
        else:
            self.say(f"{name} = {text}", leaf=wants and moves)
        self.leaves += [name] * wants
        return name

    def named(self, dtype):
        return f"torch.{dtype if dtype == 'bfloat16' else 'float32'}"

    def bound(self, call, t, dtype):
        """A tensor that the program has, brought into shape."""
        if t.values is not None and (call.row.kink or not np.isfinite(np.asarray(t.values, complex)).all()
                                     or not np.size(t.values)):
            return None
        size = int(np.prod(t.shape))
        fits = self.pick(lambda o: tuple(o.shape) == tuple(t.shape) and str(o.dtype) == f"torch.{dtype}")
        name = fits or self.pick(lambda o: o.numel() >= 1 and (o.is_floating_point() or o.is_complex()))
        if not name or not size:
            return None
        text, o = name, self.tensors[name]
        if str(o.dtype) != f"torch.{dtype}":
            if o.is_complex() and "complex" not in dtype:
                text = self.one_of(f"{text}.real", f"{text}.imag", f"{text}.abs()")
            if str(o.dtype) not in (f"torch.{dtype}", "torch.complex128") or "complex" in dtype or dtype != "float64":
                text = f"{text}.to(torch.{dtype})"
        if tuple(o.shape) != tuple(t.shape):
            text = self.shaped(text, o, t.shape, size)
        text = self.within(text, name, t, dtype)
        made = name
        if text != name:
            made = self.name("v")
            if not self.say(f"{made} = {text}", keep=0) or made not in self.tensors:
                return None
        if t.kind == "distinct" and np.unique(self.tensors[made].detach().float().numpy()
                                               if 'float16' in dtype else
                                               self.tensors[made].numpy(force=True)).size < size:
            return None                 # of equal elements each library picks its own
        return made

    def shaped(self, text, o, shape, size):
        """A text for these numbers in another shape."""
        inner = ", ".join(map(str, shape))
        if not shape:
            return f"{text}.sum()"
        options = {f"{literal(self.array(T(*shape), 'float64'))} * {text}.sum()": 1}
        if o.numel() == size:
            options[f"{text}.reshape({inner})" if shape else f"{text}.reshape(())"] = 6
        if o.numel() > size:
            options[f"{text}.flatten()[:{size}].reshape({inner or '()'})"] = 4
            options[f"{text}.flatten()[-{size}:].reshape({inner or '()'})"] = 2
        if o.ndim == len(shape) and all([n >= m for n, m in zip(o.shape, shape)]) and shape:
            options[f"{text}[{', '.join([f':{m}' for m in shape])}]"] = 6
        if o.ndim <= len(shape) and all([n in (m, 1) for n, m in zip(reversed(o.shape), reversed(shape))]):
            options[f"{text}.expand({inner})"] = 6
        if o.ndim > 1 and tuple(reversed(o.shape)) == tuple(shape):
            options[f"{text}.permute({', '.join(map(str, reversed(range(o.ndim))))})"] = 20
        return self.weighted(options)

    def within(self, text, name, t, dtype):
        """A text for numbers in the range that a ``T`` has."""
        o = self.tensors[name].detach()
        text = f"({text})" if " * " in text else text
        if t.values is not None:
            return f"{literal(self.array(t, dtype if dtype != 'bfloat16' else 'float32'))} * (1 + 0.01 * {text})"
        if (t.low, t.high) != USUAL or t.kind in ("positive", "unit", "nonzero"):
            low, high = (0.2, 2.0) if t.kind == "nonzero" else (t.low, t.high)
            return f"{text}.{'abs()' if 'complex' in dtype else 'sigmoid()'} * {round(high - low, 3)} + {low}"
        largest = float(o.abs().max()) if o.numel() else 0
        if not largest <= LARGEST_NUMBER:
            return f"{text} / {max(1, int(largest))}" if np.isfinite(largest) and largest < 1e6 else f"{text}.sgn()"
        return text

    # ------------------------------------------------------------------------------ statements

    def call(self):
        """A call of the table: any of its samples."""
        for _ in range(20):
            call = self.one_of(*CALLS[self.one_of(*NAMES)])
            if (self.dtype != "complex128" or call.row.complex or self.chance(5)):
                break
        inplace = bool(call.inplace) and self.chance(25)
        names = []
        for i, t in enumerate(call.tensors):
            names.append(self.tensor(call, t))
            if inplace and not i and names[0] in self.leaves and self.chance(90):
                copy = self.name("y")
                self.say(f"{copy} = {names[0]} * 1")
                names[0] = copy
            if names[-1] is None:
                return
        if not inplace and self.chance(3) and len(names) > 1:
            self.random.shuffle(names)
        if inplace and (self.inside and self.lies_outside(names[0]) or self.shares(names[0], names[1:])):
            inplace = False
        text = call.text(names, inplace)
        self.assign(text, call)

    def shares(self, name, others):
        """Whether a tensor lies in the memory of others; what a write then reads is each library's own."""
        return name not in self.tensors or any([
            np.shares_memory(self.tensors[name].numpy(force=True), self.tensors[other].numpy(force=True))
            for other in others if other in self.tensors])

    def lies_outside(self, name):
        """Whether a write in a function would change what it was given."""
        t = self.tensors.get(name)
        return t is None or any([np.shares_memory(t.numpy(force=True), other.numpy(force=True))
                                 for other in self.given if other is not t or name in self.givens])

    def assign(self, text, call=None):
        """A statement that gives a name to each result."""
        row = call.row.name if call else ""
        try:
            result = eval(text, self.namespace) if not re.search(r"_\(", text) else None
        except Exception:
            result = None
        if isinstance(result, (tuple, list)) and result and all([isinstance(y, minigrad.Tensor) for y in result]):
            names = ", ".join([self.name("y") for _ in result]) + "," * (len(result) == 1)
        else:
            names = self.name("y" if not isinstance(result, (bool, int, float, tuple, list)) else "r")
        smooth = call is None or call.row.grad and not call.row.kink
        return self.say(f"{names} = {text}", calls=row, smooth=smooth)

    def view(self):
        name = self.pick(lambda t: t.ndim > 0 and t.numel() > 1)
        if not name:
            return
        t = self.tensors[name]
        d = self.random.randrange(t.ndim)
        options = [f"{name}[{', '.join([':'] * d + ['::2'])}]", f"{name}.select({d}, -1)", f"{name}.unsqueeze({d})",
                   f"{name}.transpose(0, {d})", f"{name}[..., 1:]", f"{name}.flatten()", f"{name}[None]",
                   f"{name}.narrow({d}, 0, 1)", f"{name}.unbind({d})[0]", f"{name}.detach()", f"{name}.view(-1)",
                   f"{name}.diagonal()", f"{name}.unfold({d}, 1, 1)", f"{name}.movedim({d}, 0)"]
        options += [f"{name}.real", f"{name}.imag", f"torch.view_as_real({name})"] if t.is_complex() else []
        text = self.one_of(*options)
        self.say(f"{self.name('v')} = {text}", keep=4)

    def write(self):
        name = self.pick(lambda t: t.numel() > 0)
        if not name or name in self.leaves and not self.chance(5) or self.inside and self.lies_outside(name):
            return
        t = self.tensors[name]
        other = self.pick(lambda o: o.dtype == t.dtype and (o.shape == t.shape or not o.ndim)) or "2"
        if other in self.tensors and self.shares(name, [other]):
            other = "2"
        options = [f"{name}.mul_({other})", f"{name} += {other}", f"{name}.copy_({other})", f"{name}.neg_()",
                   f"{name}.zero_()", f"{name}.clamp_(-1, 1)", f"{name}.t_()", f"{name}.unsqueeze_(0)",
                   f"{name}.squeeze_()", f"{name}.detach_()"]
        weights = [6, 3, 3, 3, 1, 1, 1, 1, 1, 0.5]
        if t.ndim:
            options += [f"{name}[0] = {self.pick(lambda o: o.dtype == t.dtype and not o.ndim) or '0.5'}",
                        f"{name}[..., :1] *= 2", f"{name}[torch.tensor([0])] = 1.5",
                        f"{name}.transpose_(0, -1)"]
            weights += [5, 3, 2, 1]
        if other == "2":
            options, weights = options[:2] + options[3:], weights[:2] + weights[3:]
        text = self.random.choices(options, weights)[0]
        if self.say(text):
            self.features.add("a write")

    def function(self, a=None):
        """A call of a Function of the user's own."""
        kind = self.one_of(*APPLIED)
        text, results = APPLIED[kind]
        a = a or self.pick(lambda t: t.is_floating_point() and t.numel() > 0)
        if not a or kind == "Shifted" and (self.inside and self.lies_outside(a)
                                           or a in self.leaves and self.chance(90)):
            return
        b = self.pick(lambda o: o.shape == self.tensors[a].shape and o.dtype == self.tensors[a].dtype)
        names = ", ".join([self.name("y") for _ in range(results)])
        if self.say(f"{names} = {kind}.apply({text.format(a, b)})"):
            self.features |= {"a custom Function", f"the Function {kind}"}

    def hook(self):
        name = self.pick(lambda t: t.requires_grad, recent=False)
        if not name or self.inside:
            return
        text = self.weighted({
            f"{name}.register_hook(lambda g: seen.append(g.clone()))": 4,
            f"{name}.register_hook(lambda g: g * 2)": 2,
            f"{name}.retain_grad()": 4,
            f"{name}.grad_fn.register_hook(lambda into, out: seen.extend([g for g in out if g is not None]))": 2,
            f"{name}.grad_fn.register_prehook(lambda out: tuple([g * 2 for g in out]))": 1,
            f"{name}.register_post_accumulate_grad_hook(lambda t: seen.append(t.grad.clone()))": 2,
            f"torch.autograd.graph.register_multi_grad_hook([{name}], lambda gs: seen.extend(gs))": 1,
        })
        if self.say(text, keep=5):
            self.features.add("a hook")

    def island(self):
        head = self.weighted(ISLANDS)
        context = eval(head.removeprefix("with ").removesuffix(":"), self.namespace)
        quiet = any([word in head for word in QUIET])

        def fill():
            for _ in range(self.random.randrange(1, 4)):
                self.weighted({self.call: 6, self.view: 2, self.write: 1, self.function: 1})()
            if quiet and not self.inside and self.chance(20):
                self.island()

        if self.block(head, fill, context):
            self.features.add("an island where nothing is recorded" if quiet else "saved-tensor hooks"
                              if "sav" in head else "an island where all is recorded")

    def dual(self):
        """A dual level, and what becomes of a tangent in it."""
        if self.inside:
            return
        wants = self.chance(60)
        x = self.pick(lambda t: t.is_floating_point() and t.numel() > 0 and not t.is_inference()
                      and t.requires_grad >= wants)
        if not x:
            return
        self.features.add("a dual level")

        def fill():
            d, before = self.name("d"), {*self.tensors}
            if not self.say(f"{d} = torch.autograd.forward_ad.make_dual({x}, torch.ones_like({x}))"):
                return
            for _ in range(self.random.randrange(1, 4)):
                self.weighted({self.call: 6, self.view: 2, self.write: 1, self.function: 1, self.island: 1})()
            self.function(d)
            for name in [name for name in self.tensors if name not in before][-3:]:
                self.say(f"{self.name('p')}, {self.name('t')} = torch.autograd.forward_ad.unpack_dual({name})", keep=0)
                if name != d and self.tensors[name].requires_grad:
                    self.tangent_of_gradient(name, d)

        before = {*self.tensors}
        self.block("with torch.autograd.forward_ad.dual_level():", fill, minigrad.autograd.forward_ad.dual_level())
        for name in [name for name in self.tensors if name not in before]:
            if not name.startswith("x"):
                del self.tensors[name]

    def tangent_of_gradient(self, name, d):
        """A pass in the dual level: forward over reverse."""
        loss, g = self.name("loss"), self.name("g")
        if (self.say(f"{loss} = {self.number_of([name])}", keep=0)
                and self.say(f"{g}, = torch.autograd.grad({loss}, [{d}], retain_graph=True)", keep=0)):
            self.say(f"{self.name('p')}, {self.name('t')} = torch.autograd.forward_ad.unpack_dual({g})", keep=0)
            self.features.add("a pass in a dual level")

    # ------------------------------------------------------------------------------ passes

    def number_of(self, names):
        """A text for a number that depends on these tensors."""
        terms = []
        for name in names:
            t = self.tensors[name]
            term = f"torch.view_as_real({name})" if t.is_complex() else name
            terms.append(self.one_of(f"{term}.sum()", f"({term} * {term}).sum()", f"{term}.sin().sum()",
                                     f"({term} * 1.5).mean()"))
        return " + ".join(terms)

    def differentiate(self):
        candidates = [name for name, t in self.tensors.items() if t.requires_grad and t.numel() and name[0] != "x"]
        leaves = [name for name in self.leaves if name in self.tensors and self.tensors[name].requires_grad]
        if not candidates or not leaves:
            return
        chosen = self.random.sample(candidates[-8:], min(len(candidates[-8:]), self.random.randrange(1, 4)))
        loss = self.name("loss")
        if not self.say(f"{loss} = {self.number_of(chosen)}", keep=0) or not self.tensors[loss].requires_grad:
            return
        leaves = leaves if self.chance(60) else self.random.sample(leaves, self.random.randrange(1, len(leaves) + 1))
        listed = f"[{', '.join(leaves)}]"
        kind = self.weighted({"grad": 4, "backward": 3, "create": 5, "create backward": 1, "keep": 3})
        keep = ", retain_graph=True" * (kind == "keep")
        if kind == "backward" or kind == "keep" and self.chance(50):
            self.say(f"torch.autograd.backward({loss}, inputs={listed}{keep})", asks=Pass(loss, tuple(leaves)))
        elif kind == "create backward":
            self.say(f"torch.autograd.backward({loss}, inputs={listed}, create_graph=True)",
                     asks=Pass(loss, tuple(leaves)))
        else:
            g = self.name("g")
            create = ", create_graph=True" * (kind == "create")
            ran = self.say(f"{g} = torch.autograd.grad({loss}, {listed}, allow_unused=True{create}{keep})",
                           asks=Pass(loss, tuple(leaves), g))
            if ran and kind == "create":
                self.features.add("a second pass through the first")
                s, h = self.name("loss"), self.name("g")
                if self.say(f"{s} = sum([torch.view_as_real(g).sum() if g.is_complex() else (g * g).sum() for g in {g}"
                            f" if g is not None])", keep=0) and getattr(self.namespace[s], "requires_grad", False):
                    self.say(f"{h} = torch.autograd.grad({s}, {listed}, allow_unused=True)",
                             asks=Pass(s, tuple(leaves), h, order=2))
        if kind == "keep":
            self.features.add("two passes through one graph")
            if self.chance(30):
                self.write()
            self.say(f"{loss}.backward()", asks=Pass(loss, tuple(leaves)))
        self.features.add("a pass")

    # ------------------------------------------------------------------------------ transforms

    def argument(self, batched=0):
        """The name of a tensor of float64, with this many dims to map over before its own."""
        name = self.pick(lambda t: t.is_floating_point() and t.ndim >= batched and 0 < t.numel() <= 36
                         and all([n > 0 for n in t.shape]) and not t.is_inference() and str(t.dtype) == "torch.float64")
        if name and self.chance(60):
            return name
        shape = self.one_of((3,), (2, 3), (2, 2), (), (3, 2))
        shape = (2,) * batched + shape
        array = np.random.default_rng(self.random.randrange(2**32)).uniform(-1.5, 1.5, shape).round(3)
        name, wants = self.name("x"), self.chance(30)
        self.say(f"{name} = {literal(array, wants)}", leaf=wants)
        self.leaves += [name] * wants
        return name

    def defined(self, examples, as_number, letter="f"):
        """Define a function of tensors like these; its name, or None."""
        parameters = [self.name("a") for _ in examples]
        name = self.name(letter)
        outside, features = dict(self.tensors), set(self.features)
        captured = {} if self.chance(60) else dict([*outside.items()][-2:])
        self.tensors = {**captured, **dict(zip(parameters, examples))}
        self.namespace.update(zip(parameters, examples))
        self.inside += 1
        self.given, self.givens = [*self.tensors.values()], {*self.tensors}
        def fill():
            for _ in range(self.random.randrange(1, 5)):
                self.weighted({self.call: 10, self.view: 2, self.function: 2, self.island: 1,
                               self.write_inside: 1})()
            own = [n for n, t in self.tensors.items() if n not in captured and n not in parameters
                   and (t.is_floating_point() or t.is_complex()) and 0 < t.numel()]
            chosen = list(dict.fromkeys([*own[-2:], *parameters]))
            total = " + ".join([self.number_of([n]) for n in chosen])
            if as_number:
                self.scopes[-1].append(Statement(f"return {total}"))
            else:
                # Of complex results of real arguments, reverse mode has real Jacobians.
                last = [f"torch.view_as_real({n})" if self.tensors[n].is_complex() else n for n in own[-1:]]
                both = [*last, total] if self.chance(40) else last or [total]
                self.scopes[-1].append(Statement(f"return {', '.join(both)}"))

        self.block(f"def {name}({', '.join(parameters)}):", fill)
        self.inside -= 1
        self.tensors = outside
        exec(self.scopes[-1][-1].code, self.namespace)
        self.features = features | {f"in a function: {f}" for f in self.features - features}
        return name

    def write_inside(self):
        """A write to what the function itself has made."""
        made = [s for s in self.scopes[-1] if s.made and s.made[0] in self.tensors
                and not self.lies_outside(s.made[0])]
        if made:
            name = made[-1].made[0]
            self.say(self.one_of(f"{name}.mul_(1.5)", f"{name}.sin_()", f"{name} *= {name}", f"{name}[..., :1] = 0.5"))

    def transform(self):
        """A stack of transforms around a function, and its call."""
        if self.inside:
            return
        depth = self.weighted({1: 5, 2: 4, 3: 2})
        kinds = [self.weighted({"vmap": 7, "grad": 4, "grad_and_value": 1, "jacrev": 2, "jacfwd": 2, "hessian": 1,
                                "vjp": 2, "jvp": 3, "linearize": 1, "checkpoint": 2, "tangent": 1})
                 for _ in range(depth)]
        batches = kinds.count("vmap")
        names = [self.argument(batches) for _ in range(self.weighted({1: 3, 2: 3}))]
        arguments = [self.namespace[n] for n in names]
        # Outermost first: what each transform maps over, and what is left for the function.
        mapped, examples = [], [a.detach() for a in arguments]
        for kind in kinds:
            if kind != "vmap":
                mapped.append(None)
                continue
            sizes = [n for e in examples for n in e.shape]
            if not sizes:
                return
            size = self.one_of(*sizes)
            dims = [self.one_of(*[d for d, n in enumerate(e.shape) if n == size], *([None] if i else []))
                    if size in e.shape else None for i, e in enumerate(examples)]
            if all([d is None for d in dims]):
                return
            mapped.append(dims)
            examples = [e if d is None else e.select(d, 0) for e, d in zip(examples, dims)]
        order = sum([{"jacrev": 1, "jacfwd": 1, "hessian": 2}.get(kind, 0) for kind in kinds])
        if sum([e.numel() for e in examples]) ** (2 * order) > MOST_UNITS:
            return
        scalar = any([kind in ("grad", "grad_and_value") for kind in kinds])
        text = self.defined(examples, scalar or "hessian" in kinds)
        for kind, dims in reversed([*zip(kinds, mapped)]):
            text = self.wrapped(kind, dims, text, len(names))
        self.features |= {f"the transform {kind}" for kind in kinds}
        self.features.add({1: "one transform", 2: "two transforms", 3: "three transforms"}[depth])
        self.tree(f"{text}({', '.join(names)})")

    def tree(self, text):
        """A statement that gives a name to a tree of tensors."""
        name = self.name("r")
        self.say(f"{name} = {text}", keep=15)
        made = self.namespace.get(name)
        if isinstance(made, minigrad.Tensor):
            return
        for i, one in enumerate(made if isinstance(made, (tuple, list)) else ()):
            if isinstance(one, minigrad.Tensor) and one.numel() <= MOST_ELEMENTS and self.chance(40):
                self.say(f"{self.name('y')} = {name}[{i}]")

    def wrapped(self, kind, dims, f, n):
        """The text of a function: ``f`` transformed."""
        if kind == "vmap":
            shown = f"({', '.join(map(str, dims))}{',' * (n == 1)})" if self.chance(70) or None in dims else None
            if shown is None and len({*dims}) == 1:
                shown = str(dims[0])
            shown = shown or f"({', '.join(map(str, dims))},)"
            out = self.weighted({"": 6, ", out_dims=-1": 2, ", out_dims=1": 0.4})
            more = self.weighted({"": 8, ", randomness='same'": 1, ", chunk_size=2": 1})
            return f"torch.vmap({f}, in_dims={shown}{out}{more})"
        argnum = self.random.randrange(n)
        argnums = self.weighted({f", argnums={argnum}": 5, f", argnums={tuple(range(n))}": 2})
        if kind in ("grad", "grad_and_value", "jacrev", "jacfwd", "hessian"):
            return f"torch.func.{kind}({f}{argnums if n > 1 or self.chance(20) else ''})"
        a = ", ".join([self.name("b") for _ in range(n)])
        tangents = f"({', '.join([f'torch.ones_like({one})' for one in a.split(', ')])}{',' * (n == 1)})"
        primals = f"({a}{',' * (n == 1)})"
        name = self.name("f")
        head = f"def {name}({a}):"
        y, pull = self.name("y"), self.name("h")
        body = {
            "jvp": [self.one_of(f"return torch.func.jvp({f}, {primals}, {tangents})[1]",
                                f"return torch.func.jvp({f}, {primals}, {tangents})")],
            "vjp": [f"{y}, {pull} = torch.func.vjp({f}, {a})",
                    f"return {pull}(torch.utils._pytree.tree_map(lambda t: t * 0.5 + 1, {y}))"],
            "linearize": [f"{y}, {pull} = torch.func.linearize({f}, {a})",
                          f"return {pull}({tangents[1:-1].rstrip(',')})"],
            "checkpoint": [f"return torch.utils.checkpoint.checkpoint({f}, {a}, use_reentrant=False)"],
            "tangent": [f"return tangent(lambda t: {f}({', '.join(['t', *a.split(', ')[1:]])}), {a.split(', ')[0]}, "
                        f"torch.ones_like({a.split(', ')[0]}))"],
        }[kind]
        self.scopes[-1].append(Statement(head, tuple(map(Statement, body))))
        exec(self.scopes[-1][-1].code, self.namespace)
        return name

    # ------------------------------------------------------------------------------ the whole

    def program(self):
        if self.chance(3):
            self.say("torch.set_grad_enabled(True)")
        kinds = {self.call: 30, self.view: 6, self.write: 4, self.function: 4, self.hook: 4, self.island: 4,
                 self.dual: 4, self.transform: 8, self.differentiate: 3}
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for _ in range(self.random.randrange(3, 12)):
                self.weighted(kinds)()
            self.differentiate()
        return Nested(self.scopes[0], sorted(self.features))


def write_table(seed):
    """The program of this seed."""
    return Writer(seed).program()
