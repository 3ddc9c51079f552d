"""From bytes to a program: each instruction spends a few bytes on what to do, to which tensor, with what.

The writer runs what it writes on the plain library, so that it knows the shape, the memory and the history of all
its tensors, and most of what it writes makes sense; the rest must be refused.  A byte of zero is the simplest choice
everywhere, and an instruction that begins with one is left out: that is how a failing program becomes short.
"""

import math

import numpy as np

from .plain import Library, Refused, Tensor, Undecided, raw
from .program import Instruction, Program, Question

__all__ = ["LENGTH", "write"]

GENE, MOST = 24, 20                  # bytes for an instruction; instructions
LENGTH = GENE * (MOST + 3)

SHAPES = ["3", "2, 3", "2, 2", "4", "", "3, 2", "1, 3", "2, 1", "2, 2, 2"]


class Writer:
    def __init__(self, data):
        self.data, self.place = data, 0
        self.lib = Library()
        self.tensors, self.instructions, self.made = {}, [], 0
        self.namespace = {"torch": self.lib, "seen": [], "Doubled": self.lib.Doubled,
                          "Exponentiated": self.lib.Exponentiated}

    # ------------------------------------------------------------------------------ drawing

    def draw(self, n):
        """A number below ``n``."""
        byte = self.data[self.place % len(self.data)]
        self.place += 1
        return byte * n // 256

    def chance(self, percent):
        return self.draw(100) >= 100 - percent

    def one_of(self, *options):
        return options[self.draw(len(options))]

    def weighted(self, options):
        """One of ``{option: weight}``."""
        wanted = self.draw(256) / 256 * sum(options.values())
        for option, weight in options.items():
            wanted -= weight
            if wanted < 0:
                return option
        return option

    def number(self):
        return self.one_of("2", "0.5", "-1.5", "3")

    def pick(self, weight=lambda t: 1):
        """The name of a tensor; what was made last comes first."""
        weights = {name: weight(t) * (2 if i < 3 else 1) for i, (name, t) in enumerate(reversed(self.tensors.items()))
                   if t.is_number}
        weights = {name: w for name, w in weights.items() if w}
        return self.weighted(weights) if weights else None

    # ------------------------------------------------------------------------------ writing down

    def name(self, letter):
        self.made += 1
        return f"{letter}{self.made - 1}"

    def say(self, text, asks=None):
        """Add an instruction, if it makes sense; a refusal often does."""
        instruction = Instruction(text, asks)
        if asks is None:
            try:
                exec(instruction.code, self.namespace)
            except Refused as why:
                # Stale views are refused wherever they are read, which soon is dull.
                if not self.chance(30 if str(why) == "stale view" else 60):
                    return False
            except (Undecided, ValueError, IndexError, TypeError):
                return False
        self.instructions.append(instruction)
        for name in sorted(instruction.makes):
            if isinstance(made := self.namespace.get(name), Tensor) and made.primal.size:
                self.tensors[name] = made
        return True

    def maybe_no_grad(self, text, percent):
        return f"with torch.no_grad():\n    {text}" if self.chance(percent) else text

    # ------------------------------------------------------------------------------ leaves

    def leaf(self, requires_grad=None):
        requires_grad = self.chance(60) if requires_grad is None else requires_grad
        shape = [int(n) for n in self.one_of(*SHAPES).split(",") if n]
        if self.tensors and self.chance(50):
            shape = list(next(iter(self.tensors.values())).shape)
        dtype = "complex128" if self.chance(12) else "float64"
        values = iter([self.value(i) + (f" + {self.value(i + 7)}j" if dtype == "complex128" else "")
                       for i in range(math.prod(shape))])
        name = self.name("x" if requires_grad else "c")
        self.say(f"{name} = torch.tensor({nested(values, shape)}, "
                 f"dtype=torch.{dtype}{', requires_grad=True' * requires_grad})")
        if requires_grad and self.chance(10):
            self.say(f"{name}.register_hook(lambda g: g * 2)")

    def value(self, i):
        """Numbers that are not near each other or zero."""
        v = math.sin(2.3 * i + 1.1 * self.made + 0.7) * 1.5
        return f"{v + math.copysign(0.2, v):.2f}"

    # ------------------------------------------------------------------------------ results

    def compute(self):
        a = self.pick(lambda t: 3 if t.requires_grad else 1)
        t, name = self.tensors[a], self.name("y")
        b = self.partner(t)
        if self.chance(40):
            text = self.binary(a, b)
        else:
            text = self.weighted(self.unary(a, t))
        made = self.say(self.maybe_no_grad(f"{name} = {text}", 4))
        if made and name in self.tensors and self.tensors[name].requires_grad and self.chance(6):
            self.say(f"{name}.register_hook(lambda g: g * 2)")

    def unary(self, a, t):
        options = {
            f"{a} * 2": 8, f"{a} * {a}": 5, f"{a}.sin()": 6, f"{a}.exp()": 3, f"{a}.tanh()": 3 * (not t.is_complex),
            f"{a} ** 2": 3, f"1 - {a}": 2, f"-{a}": 2, f"{a} / 1.5": 2, f"{a}.clone()": 3, f"{a}.sum()": 2,
        }
        if t.ndim:
            last = t.shape[0] - 1
            options |= {f"{a}.sum(0)": 2, f"{a}.mean(-1, keepdim=True)": 2, f"{a}.cumsum(0)": 2, f"{a}.flip(0)": 1,
                        f"{a}[torch.tensor([{last}, 0, {last}])]": 3, f"torch.einsum('...i->...', {a}) * 1": 1,
                        f"torch.index_select({a}, -1, torch.tensor([0, 0]))": 1}
        if t.ndim > 1:
            options |= {f"{a}.sum((0, -1), keepdim=True)": 1, f"torch.einsum('ij...->j...', {a}) * 1": 1}
        if t.ndim and not t.is_complex:
            options |= {f"torch.nn.functional.softmax({a}, -1)": 2, f"torch.logsumexp({a}, 0)": 1}
        if t.ndim and not t.is_complex and t.shape[-1] > 1:
            options |= {f"torch.var({a}, -1)": 1, f"torch.sort({a}, -1)[0]": 2, f"torch.max({a}, -1)[0]": 2}
        if not t.is_complex:
            options |= {f"{a}.sigmoid()": 2, f"{a}.prod()": 1, f"torch.where({a} > 0.1, {a}, {a} * 0.5)": 2,
                        f"{a}[{a} > 0.1]": 2}
        return options

    def binary(self, a, b):
        s, t = self.tensors[a], self.tensors[b]
        options = {f"{a} * {b}": 8, f"{a} + {b}": 10, f"{a} - {b}": 3}
        if s.ndim == t.ndim == 2 and s.primal.dtype == t.primal.dtype:
            options[f"{a} @ {b}"] = 10
        if s.ndim and s.shape == t.shape and s.primal.dtype == t.primal.dtype:
            options |= {f"torch.cat([{a}, {b}])": 3, f"torch.stack([{a}, {b}])": 3}
        if s.ndim > 1 and s.shape == t.shape and s.primal.dtype == t.primal.dtype:
            options |= {f"{a} @ {b}.transpose(-1, -2)": 3, f"torch.einsum('...ij,...kj->...ik', {a}, {b}) * 1": 2}
        if s.ndim == t.ndim == 2 and s.shape[-1] == t.shape[-1] and s.primal.dtype == t.primal.dtype:
            product = f"torch.nn.functional.linear({a}, {b}"
            options |= {f"{product})": 3, f"{product}, {b}[:, 0])": 3}
        if not s.is_complex and not t.is_complex:
            options |= {f"{a} / ({b} * {b} + 2)": 3, f"torch.where({a} > 0.1, {a}, {b})": 2}
        return self.weighted(options)

    def partner(self, t):
        """The name of a tensor that goes with ``t`` in a binary op."""
        return self.pick(lambda other: (3 if other.requires_grad else 1) * fits(other.shape, t.shape, both=True)
                         * (3 if other.shape == t.shape else 1))

    # ------------------------------------------------------------------------------ views

    def view(self):
        a = self.pick(lambda t: (2 + t.requires_grad) * (3 if t.depth == 1 else 2 if t.depth else 2)
                      * (t.ndim > 0 or 0.2))
        t = self.tensors[a]
        kind = self.weighted(self.views(a, t))
        if kind in ("several", "several sizes"):
            return self.several(a, t, kind)
        if kind == "index":
            kind = f"{a}[{self.index(t)}]"
        self.say(self.maybe_no_grad(f"{self.name('v')} = {kind}", 9))

    def views(self, a, t):
        """{the text of a view: its weight}"""
        options = {"index": 14, f"{a}.unsqueeze(0)": 2, f"{a}.detach()": 4, f"{a}.data": 1,
                   f"{a}.expand({', '.join(['2', *map(str, t.shape)])})": 2}
        if t.ndim:
            d = self.draw(t.ndim)
            n = t.shape[d]
            options |= {f"{a}.select({d}, {n - 1})": 3, f"{a}.narrow({d}, {min(1, n - 1)}, {max(1, n - 1)})": 3,
                        "several": 3, "several sizes": 1 * (n > 1)}
            if n > 1:
                options |= {f"{a}.unfold({d}, 2, 1)": 1, f"{a}.unfold({d}, 1, 2)": 1}
            if 1 in t.shape:
                one = t.shape.index(1)
                options |= {f"{a}.squeeze({one})": 4,
                            f"{a}.expand({', '.join(['3' if i == one else str(m) for i, m in enumerate(t.shape)])})": 2}
        if t.ndim > 1:
            dims = [*range(1, t.ndim), 0]
            options |= {f"{a}.transpose(0, -1)": 5, f"{a}.diagonal()": 3,
                        f"{a}.permute({', '.join(map(str, dims))})": 2, f"{a}.movedim(0, -1)": 1}
        if t.ndim == 2:
            options[f"{a}.t()"] = 3
        if t.sure and t.primal.size > 1:
            options[f"{a}.reshape({self.one_of(str(t.primal.size), f'1, {t.primal.size}')})"] = 3
            if t.is_whole:
                rest = t.primal.size // 2
                strided = self.one_of("(2,), (1,)", f"({rest},), (2,)", f"(1, {rest}), ({rest}, 1)")
                options[f"{a}.as_strided({strided})"] = 2
                options |= {
                    f"torch.view_as_complex({a})":
                        3} if not t.is_complex and t.ndim and t.shape[-1] == 2 and a[0] != "v" else {}
        if t.is_complex:
            options |= {f"{a}.real": 8, f"{a}.imag": 6, f"torch.view_as_real({a})": 5}
        return options

    def several(self, a, t, kind):
        d = self.draw(t.ndim)
        n = t.shape[d]
        if kind == "several sizes":
            count, text = 2, f"{a}.split([1, {n - 1}], {d})" if t.shape[d] > 1 else f"{a}.unbind({d})"
            count = count if n > 1 else 1
        else:
            text = self.one_of(f"{a}.unbind({d})", f"{a}.chunk(2, {d})", f"{a}.split(2, {d})")
            count = n if "unbind" in text else min(n, 2) if "chunk" in text else math.ceil(n / 2)
            count = math.ceil(n / math.ceil(n / 2)) if "chunk" in text else count
        names = ", ".join([self.name("v") for _ in range(count)])
        self.say(self.maybe_no_grad(f"{names}{',' * (count == 1)} = {text}", 6))

    def index(self, t, at_least=1):
        """A basic index: ints, slices, None and an Ellipsis."""
        parts = []
        for n in t.shape[: at_least + self.draw(t.ndim)]:
            parts.append(self.weighted({"1:" if n > 1 else "0": 4, "0": 3, f"{-1}": 2, ":1": 2, "::2": 2, ":": 2}))
        if self.chance(15) or not parts:
            parts.insert(0, "...") if len(parts) < t.ndim or not parts else parts.append("...")
        if self.chance(10):
            parts.insert(self.draw(len(parts) + 1), "None")
        return ", ".join(parts)

    # ------------------------------------------------------------------------------ writes

    def target(self):
        """The name of a tensor to write to: mostly one that may be written to, and often a view."""

        def weight(t):
            if t.overlaps_itself:
                return 0.4
            try:
                t.read()
                t.check_write([])
            except Refused:
                return 0.3
            if t.origin:
                return 0.5
            return (4, 5, 12, 10)[min(t.depth, 3)] * (0.3 if t.by_data else 1) * (1.5 if t.history.has_views else 1)

        return self.pick(weight)

    def operand(self, t, shape=None, part=False):
        """The text of something that can be broadcast to ``t``: another tensor, more often than not one that requires
        grad.

        ``part`` says that it is for a part of ``t``: then it shares no memory with it.
        """
        shape = t.shape if shape is None else shape
        name = self.pick(lambda o: (6 if o.requires_grad else 2) * fits(o.shape, shape)
                         * (t.is_complex or not o.is_complex or 0.02))
        if name is None or self.chance(12):
            return self.number() if self.chance(70) else f"torch.tensor({self.number()}, dtype=torch.float64)"
        other = self.tensors[name]
        shares = t.counter is other.counter or other.by_data or t.by_data
        if shares and (part or (other is not t and not (t.is_whole and other.is_whole and self.chance(30)))):
            return f"{name}.clone()"
        return name

    def tensor_operand(self, t):
        text = self.operand(t)
        return text if not text.lstrip("-")[0].isdigit() else f"torch.tensor({text}, dtype=torch.float64)"

    def same_dtype(self, t, shape):
        text = self.operand(t, shape)
        dtype = "complex128" if t.is_complex else "float64"
        other = self.tensors.get(text.removesuffix(".clone()"))
        return (text if other and other.primal.dtype == t.primal.dtype
                else f"torch.tensor({self.number()}, dtype=torch.{dtype})")

    def change(self, a=None):
        a = a or self.target()
        if a is None:
            return
        t = self.tensors[a]
        text = self.weighted({self.method: 46, self.augmented: 14, self.assignment: 32 * (t.ndim > 0),
                              self.function: 6})(a, t)
        self.say(self.maybe_no_grad(text, 14))

    def method(self, a, t):
        b = self.operand(t)
        options = {
            f"{a}.mul_({b})": 12, f"{a}.add_({b})": 7, f"{a}.copy_({self.tensor_operand(t)})": 5, f"{a}.zero_()": 2,
            f"{a}.fill_({self.number()})": 1,
            f"{a}.fill_({self.operand(t, ())})":
                2, f"{a}.sin_()": 4, f"{a}.exp_()": 3, f"{a}.pow_(2)": 3, f"{a}.neg_()": 1, f"{a}.div_(1.5)": 1,
            f"{a}.addcmul_({self.tensor_operand(t)}, {self.tensor_operand(t)}, value=0.5)": 3, f"{a}.mul_({a})": 2,
            f"{a}.masked_fill_({self.mask(t.shape)}, {self.operand(t, ())})": 3,
            f"{a}.sub_({self.tensor_operand(t)}, alpha=2)": 2, f"{a}.lerp_({self.same_shape(t)}, 0.25)": 2,
        }
        if not t.is_complex:
            options |= {f"{a}.sigmoid_()": 2, f"{a}.tanh_()": 2, f"{a}.clamp_(-0.7, 0.9)": 3}
        if t.ndim:
            last, row = t.shape[0] - 1, t.shape[1:]
            options[f"{a}.index_put_((torch.tensor([{last}, 0, {last}]),), {self.same_dtype(t, (3, *row))}, "
                    "accumulate=True)"] = 3
            options[f"{a}.index_put_((torch.tensor([{last}]),), {self.same_dtype(t, (1, *row))})"] = 2
        return self.weighted(options)

    def alter(self):
        """A tensor, mostly a view, that lies otherwise afterwards."""
        a = self.pick(lambda t: (t.ndim > 0) * (0.3 if t.by_data or t.history.leaf and not t.depth else 1)
                      * (3 if t.depth and t.requires_grad else 1))
        if not a:
            return
        t = self.tensors[a]
        options = {f"{a}.unsqueeze_({self.draw(t.ndim + 1)})": 2}
        if t.ndim > 1:
            options |= {f"{a}.transpose_(0, -1)": 6, f"{a}.swapaxes_(0, 1)": 4}
        if t.ndim == 2:
            options[f"{a}.t_()"] = 6
        if 1 in t.shape:
            options[f"{a}.squeeze_({t.shape.index(1)})"] = 4
        if t.sure and t.is_whole and t.primal.size > 1:
            rest = t.primal.size // 2
            options |= {f"{a}.as_strided_(({rest},), (2,))": 3, f"{a}.as_strided_(({t.primal.size},), (1,))": 1}
        self.say(self.maybe_no_grad(self.weighted(options), 60))

    def same_shape(self, t):
        """The name of a tensor of the shape and dtype of ``t``."""
        name = self.pick(lambda o: (o.shape == t.shape and o.primal.dtype == t.primal.dtype)
                         * (3 if o.requires_grad else 1))
        return name if self.tensors[name] is t or self.tensors[name].counter is not t.counter else f"{name}.clone()"

    def augmented(self, a, t):
        return f"{a} {self.one_of('*=', '+=', '-=')} {self.operand(t)}"

    def function(self, a, t):
        return f"{self.one_of('Doubled', 'Exponentiated')}.apply({a})"

    def mask(self, shape):
        """A literal mask that is true somewhere and false somewhere."""
        flags = iter([str((i + self.made) % 3 == 1 or (i == 0 and math.prod(shape) == 1))
                      for i in range(math.prod(shape))])
        return f"torch.tensor({nested(flags, shape)})"

    def mask_of(self, a, t):
        """Where ``t`` is large, if that can be told."""
        return f"{a} > 0.1" if np.abs(t.primal - 0.1).min() > 1e-6 else self.mask(t.shape)

    def assignment(self, a, t):
        """``x[index] = value`` in every form."""
        kind = self.weighted({"basic": 12, "array": 4, "arrays": 2 * (t.ndim > 1), "mask": 4, "mixed": 2 * (t.ndim > 1),
                              "augmented": 3})
        last = t.shape[0] - 1
        if kind in ("basic", "augmented"):
            index = self.index(t)
        else:
            rows = f"torch.tensor([{last}, 0])" if last else "torch.tensor([0])"
            index = {
                "array": rows,
                "arrays": f"torch.tensor([{last}]), torch.tensor([{0 if t.ndim < 2 else t.shape[1] - 1}])",
                "mask": self.mask(t.shape) if t.is_complex or self.chance(60) else self.mask_of(a, t),
                "mixed": "1:, torch.tensor([0])" if last else ":, torch.tensor([0])",
            }[kind]
        shape = t.primal[raw(eval(f"np.s_[{index}]", {**self.namespace, "np": np}))].shape
        sign = self.one_of("*=", "+=") if kind == "augmented" or self.chance(6) else "="
        value = self.operand(t, shape if "mask" != kind else shape[1:] if len(shape) > 1 else (),
                             part=kind in ("basic", "mixed", "augmented"))
        return f"{a}[{index}] {sign} {value}"

    # ------------------------------------------------------------------------------ flags, hooks, questions

    def later(self):
        """A tensor that requires grad only now."""
        a = self.pick(lambda t: (not t.requires_grad and t.depth == 0 and not t.by_data)
                      * (3 if t.history.has_views else 1))
        if a:
            self.say(f"{a}.requires_grad_()")

    def observe(self):
        a = self.pick(lambda t: 8 if t.requires_grad else 0.2)
        what = self.one_of("retain_grad()", "register_hook(lambda g: seen.append(g.clone()))", "retain_grad()",
                           "grad_fn")
        # A view whose base was written to must have noticed: else PyTorch 2.13 takes it for a leaf in retain_grad, and
        # ends the process in register_hook.
        first = f"{a}.grad_fn\n" if "(" in what and self.tensors[a].depth else ""
        if self.say(f"{first}{a}.{what}") and "retain" in what and self.chance(40):
            self.change(a)

    def leaves(self):
        return [name for name, t in self.tensors.items() if t.history.leaf and t.depth == 0]

    def summands(self):
        """The name of a tensor, or of two: they get one gradient, which may then be added to for one of them alone."""
        same = [name for name in self.leaves() if self.tensors[name].shape == next(iter(self.tensors.values())).shape]
        if len(same) > 1 and self.chance(25):
            return same[:2]
        a = self.pick(lambda t: (0.05 + t.requires_grad * 3) * (0.3 if t.history.leaf else 1)
                      * (2 if t.history.has_views else 1))
        t = self.tensors[a]
        b = self.pick(lambda o: (o is not t and o.requires_grad and o.shape == t.shape)
                      * (3 if o.history.leaf else 1)) if self.chance(35) else None
        return [a, b] if b else [a]

    def loss(self):
        """The name of a number made from tensors that require grad."""
        terms = []
        for _ in range(1 + self.draw(4)):
            a, *others = self.summands()
            b = f"({' + '.join([a, *others])})" if others else a
            b = f"torch.view_as_real({b})" if any([self.tensors[name].is_complex for name in (a, *others)]) else b
            terms.append(self.one_of(f"{b}.sin().sum()", f"({b} * {b}).sum()", f"({b} * 1.5).sum()",
                                     f"{b}.exp().sum()"))
        name = self.name("loss")
        return name if self.say(f"{name} = {' + '.join(terms)}") and name in self.tensors else None

    def another_root(self):
        """The name of a view at which the pass may begin as well."""
        return self.pick(lambda t: t.requires_grad * (t.depth > 0) * (not t.is_complex)
                         * (0.3 if t.origin else 0.5 if t.lags else 2))

    def differentiate(self, last=False):
        loss, leaves = self.loss(), self.leaves()
        if not loss or not leaves or not self.tensors[loss].requires_grad:
            return False
        if self.chance(15):
            self.change()
        names = ", ".join(leaves)
        kind = self.weighted({"grad": 5, "backward": 4, "twice": 3, "second": 3 if last else 1})
        keep = "retain_graph=True" if kind == "twice" else ""
        also = self.another_root() if kind != "second" and self.chance(30) else None
        roots, also = (loss, ()) if also is None else (f"[{loss}, {also}]", (also,))
        gradients = f"[None, torch.ones({list(self.tensors[also[0]].shape)}, dtype=torch.float64)]" if also else ""
        if kind == "backward" or (kind == "twice" and self.chance(70)):
            call = (f"torch.autograd.backward({', '.join(filter(None, [roots, gradients, keep]))})" if also
                    else f"{loss}.backward({keep})")
            self.say(call, Question("backward", loss, tuple(leaves), also))
        elif kind == "second":
            gs, s = self.name("g"), self.name("s")
            ask = Question("grad", loss, tuple(leaves))
            self.say(f"{gs} = torch.autograd.grad({loss}, [{names}], create_graph=True, allow_unused=True)", ask)
            self.say(f"{s} = sum([g.real.sum() for g in {gs} if g is not None], torch.zeros((), dtype=torch.float64))",
                     Question(
                "plumbing"))
            self.say(f"{self.name('g')} = torch.autograd.grad({s}, [{names}], allow_unused=True)",
                     Question("second", loss, tuple(leaves)))
        else:
            options = ", ".join(filter(None, [gradients, "allow_unused=True", keep]))
            self.say(f"{self.name('g')} = torch.autograd.grad({roots}, [{names}], {options})",
                     Question("grad", loss, tuple(leaves), also))
        if kind == "twice":
            if self.chance(30):
                self.change()
            self.say(f"{loss}.backward()", Question("backward", loss, tuple(leaves)))
        return True

    # ------------------------------------------------------------------------------ the whole

    def program(self):
        self.gene(0)
        self.leaf(requires_grad=True)
        self.gene(1)
        self.leaf(requires_grad=self.chance(35))
        kinds = {
            self.compute: 20, self.view: 32, self.change: 34, self.observe: 6, self.later: 4, self.leaf: 4,
            self.differentiate: 3, self.alter: 9,
        }
        for i in range(2, 2 + MOST):
            self.gene(i)
            if self.draw(256):
                self.weighted(kinds)()
        self.gene(2 + MOST)
        for _ in range(3):
            if self.differentiate(last=True):
                break
        return Program(self.instructions)

    def gene(self, i):
        self.place = GENE * i


def nested(values, shape):
    """The text of a nested list."""
    return f"[{', '.join([nested(values, shape[1:]) for _ in range(shape[0])])}]" if shape else next(values)


def fits(shape, target, both=False):
    """Whether one shape can be broadcast to the other (with ``both``, the two together)."""
    if shape == target or not shape:
        return True
    if len(shape) > len(target) and not both:
        return False
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return all([n == m or n == 1 or (both and m == 1) for n, m in pairs])


def write(data):
    """The program that these ``LENGTH`` bytes are."""
    return Writer(data).program()
