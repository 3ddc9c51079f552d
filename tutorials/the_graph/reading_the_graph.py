"""
Reading the graph
=================

While you compute, autograd writes down what it will need for the backward pass: the graph. It is not hidden. Every
result leads to it, and you can look at every part of it from Python. On this page we draw it, let it explain why a
``.grad`` is ``None``, ask it what keeps the memory, and in the end run it ourselves.

You need ``backward`` and ``.grad``, from :doc:`/tutorials/first_gradients/gradients_of_one_expression`.

After this page you can follow a result back to its leaves, and say what each node on the way keeps in memory.
"""

# %%
# The problem
# -----------
#
# A curve that decays: it starts at a height, falls at a rate, and ends at a floor. We measured eight points of it and
# want the three parameters. The loss is the mean square of the differences.

import math

import minigrad as torch
from minigrad.teaching import expect_error

torch.set_default_dtype(torch.float64)

times = torch.linspace(0, 3, 8)
measured = 2 * torch.exp(-1.5 * times) + 0.3

height = torch.tensor(1.0, requires_grad=True)
rate = torch.tensor(1.0, requires_grad=True)
floor = torch.tensor(0.5, requires_grad=True)

decay = torch.exp(-rate * times)
curve = height * decay + abs(floor.item())      # the floor must not be negative
loss = ((curve - measured) ** 2).mean()
loss.backward()

print("height.grad =", height.grad)
print("rate.grad   =", rate.grad)
print("floor.grad  =", floor.grad)
assert floor.grad is None

# %%
# The floor has no gradient. There was no error and no warning. You may see the mistake at once; in a program of a
# thousand lines you would not. The graph knows.
#
# Nodes and edges
# ---------------
#
# A result that has a history has a ``grad_fn``: the *node* that recorded how the result was made.

# teaches: Tensor.grad_fn, Node.name, Node.next_functions
node = loss.grad_fn
print(node.name(), "comes from", node.next_functions)

# %%
# ``name()`` names the operation. ``next_functions`` has one entry for each input of the operation, in their order. An
# entry is a pair, an *edge*: the node that the input came from, and which output of that node it was. *Next* is meant
# in the direction of backward: from the result to the parameters.
#
# The operation here was a mean, and its input came from a power. Follow the edges until there are none left:

# teaches: *Backward0, AccumulateGrad
while node.next_functions:
    node, _ = node.next_functions[0]
    print(node.name())

# %%
# Each of them has a class of its own, and all are ``torch.autograd.graph.Node``. So ``isinstance`` tells whether
# something is a node:

# teaches: graph.Node
assert isinstance(loss.grad_fn, torch.autograd.graph.Node)
assert isinstance(node, torch.autograd.graph.Node)
assert not isinstance(height.grad_fn, torch.autograd.graph.Node)        # None: it is a leaf

# %%
# The last one, ``AccumulateGrad``, is where a path ends. It stands for a leaf, a tensor that you made, and adds to
# its ``.grad``. It knows which one:

# teaches: Tensor.is_leaf
assert node.variable is height
assert height.grad_fn is None and height.is_leaf

# %%
# A leaf is not only what you made yourself. A result of constants has no history either: it has no node, and by
# convention it counts as a leaf.

print(f"{'':12}{'requires_grad':15}{'is_leaf':9}has a node")
tensors, found = {"height": height, "height * 2": height * 2, "times * 2": times * 2}, {}
for said, tensor in tensors.items():
    found[said] = tensor.requires_grad, tensor.is_leaf, tensor.grad_fn is not None
    requires_grad, is_leaf, has_node = map(str, found[said])
    print(f"{said:12}{requires_grad:15}{is_leaf:9}{has_node}")

assert found["height"] == (True, True, False)           # a parameter
assert found["height * 2"] == (True, False, True)       # a result with a history
assert found["times * 2"] == (False, True, False)       # a result without one

# %%
# Drawing it
# ----------
#
# We always took the first edge. To see all of it, go down each of them. Two paths may lead to the same node, so we
# number the nodes, and refer to one that was drawn before by its number. A leaf is recognised by its ``variable``, if
# we say what it is called. Where there is no node, the input was a constant.


def draw(root, **names):
    numbers = {}
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        indent = "    " * depth
        if node is None:
            print(f"{indent}constant")
        elif node in numbers:
            print(f"{indent}see {numbers[node]}")
        else:
            numbers[node] = len(numbers) + 1
            label = node.name().rpartition("::")[2]
            for name, tensor in names.items():
                if getattr(node, "variable", None) is tensor:
                    label = name
            print(f"{indent}{numbers[node]} {label}")
            waiting += [(n, depth + 1) for n, _ in reversed(node.next_functions)]


draw(loss.grad_fn, height=height, rate=rate, floor=floor)

# %%
# Read it from the outside in: the mean of the power of a difference. Its first term is the sum of a product and a
# constant. A constant! This is where the floor should be. ``floor.item()`` is a plain number of Python, and a
# number has no history. If it stays a tensor, it has one:

curve = height * decay + torch.abs(floor)
loss = ((curve - measured) ** 2).mean()
draw(loss.grad_fn, height=height, rate=rate, floor=floor)

# %%
# In this loss no node is met twice. In a square that is written as a product, one is:

draw((height * height).grad_fn, height=height)

# %%
# A picture shows it better than indented lines. ``torch.viz.graph`` makes one, without any other package. Names are
# given in a dictionary:

# sphinx_gallery_thumbnail_path = '_static/thumbnails/reading_the_graph.svg'
torch.viz.graph({"loss": loss, "height": height, "rate": rate, "floor": floor})

# %%
# Why is it None?
# ---------------
#
# There are four reasons for a ``.grad`` of ``None``. The graph shows all of them. For the third we have to know
# whether the graph leads to the tensor, so we collect all nodes below a root. (We keep a list of waiting nodes
# instead of writing a function that calls itself: a graph can be a million nodes deep, and Python's stack is not.)


# teaches: Tensor.requires_grad, Tensor.is_leaf
def nodes_below(root):
    found, waiting = {root}, [root]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in found:
                found.add(node)
                waiting.append(node)
    return found


def why_none(tensor, result):
    if not tensor.requires_grad:
        return "it does not require grad"
    if not tensor.is_leaf:
        return f"it is the result of {tensor.grad_fn.name()}, not a leaf: use retain_grad()"
    leaves = [getattr(node, "variable", None) for node in nodes_below(result.grad_fn)]
    if not any(leaf is tensor for leaf in leaves):
        return "no path leads to it: it was not used, or detach() or no_grad cut the chain"
    return "backward has not been called, or .grad has been cleared"


rate.grad = None
unused = torch.tensor(1.0, requires_grad=True)

for name, tensor in dict(times=times, decay=decay, unused=unused, rate=rate).items():
    print(f"{name}: {why_none(tensor, loss)}")

assert "not require" in why_none(times, loss)
assert "ExpBackward0" in why_none(decay, loss)
assert "no path" in why_none(unused, loss)
assert "not been called" in why_none(rate, loss)

# %%
# The question is asked so often that every tensor answers it itself, and at more length: ``floor.why_no_grad(loss)``.
# Now you know how it finds out.
#
# The second reason has a well-known disguise. This looks like a parameter, and is the result of a division:

width = torch.tensor(4.0, requires_grad=True) / 2
print("width:", why_none(width, loss))
assert not width.is_leaf

# %%
# What a node has saved
# ---------------------
#
# The derivative of :math:`e^x` needs the value of :math:`e^x`, that of :math:`\sin x` needs :math:`x`. So a node
# keeps tensors from the forward pass for the backward pass. They are its attributes whose names begin with
# ``_saved_``.


def saved(node):
    names = [name for name in dir(node) if name.startswith("_saved_")]
    values = {name: getattr(node, name) for name in names}
    return {name: v for name, v in values.items() if isinstance(v, torch.Tensor)}


x = torch.tensor([0.5, 1.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
c = torch.tensor([5.0, 6.0])

for said, y in [
    ("torch.exp(x)", torch.exp(x)),
    ("torch.sin(x)", torch.sin(x)),
    ("x + w", x + w),
    ("x * w", x * w),
    ("x * c", x * c),
    ("w / c", w / c),
    ("c / w", c / w),
]:
    parts = [f"{name} = {value.tolist()}" for name, value in saved(y.grad_fn).items()]
    print(f"{said:13}", ", ".join(parts) or "nothing")

# %%
# Each line is a formula of calculus, seen from the side of memory.
#
# - ``exp`` saves its *result*, since that is its derivative. ``sin`` saves its input.
# - A sum saves nothing: its derivative is 1, whatever the terms are.
# - A product :math:`x w` saves both factors, each for the derivative of the *other*. If the other factor is a
#   constant, nobody asks for its derivative. Then ``x`` itself need not be saved, only what it is multiplied with.
# - A quotient by a constant saves the constant alone. To divide a constant by ``w`` takes both.

# teaches: Node._saved_*
assert saved(torch.exp(x).grad_fn).keys() == {"_saved_result"}
assert saved((x + w).grad_fn) == {}
product = (x * c).grad_fn
assert product._saved_self is None and torch.equal(product._saved_other, c)

# %%
# Saving is not copying. The node of ``exp`` refers to the memory of its result, which exists anyway. It costs nothing
# as long as you have the result; but when you let go of it, the node does not.

y = torch.exp(x)
assert y.grad_fn._saved_result.data_ptr() == y.data_ptr()

# %%
# So the memory of a graph can be counted: visit all nodes, and count each piece of memory once.


# teaches: torch.rand
def saved_bytes(result):
    pieces = {}
    for node in nodes_below(result.grad_fn):
        for tensor in saved(node).values():
            pieces[tensor.data_ptr()] = tensor.nbytes
    return sum(pieces.values())


x = torch.rand(1000, requires_grad=True)

for said, y in [
    ("x * x * x * x", x * x * x * x),
    ("(x * x) * (x * x)", (x * x) * (x * x)),
    ("(x ** 2) ** 2", (x ** 2) ** 2),
    ("x ** 4", x ** 4),
]:
    print(f"{said:18}{saved_bytes(y):6} bytes")

assert saved_bytes(x * x * x * x) == 3 * saved_bytes(x ** 4) == 3 * 8000

# %%
# Four ways to write the same function. The first saves :math:`x`, :math:`x^2` and :math:`x^3`. The second computes
# :math:`x^2` twice and keeps it twice, the third only once. The last keeps :math:`x` alone.
#
# ``backward`` lets go of all that. The nodes stay as long as something refers to them, but what they saved is gone:

y = torch.sin(x)
y.sum().backward()
with expect_error(RuntimeError):
    y.grad_fn._saved_self

# %%
# The second part of an edge
# --------------------------
#
# An operation can have several outputs. They share one node, so an edge has to say which output it means:

left, right = torch.arange(4.0, requires_grad=True).split(2)
assert left.grad_fn is right.grad_fn
print("output numbers:", left.output_nr, "and", right.output_nr)
for node, number in (left * right).grad_fn.next_functions:
    print(f"    output {number} of {node.name()}")

# %%
# Such a pair, a node and an output number, is a place in the graph. ``get_gradient_edge`` gives the place of a
# tensor, even of a leaf, whose own ``grad_fn`` is ``None``.

get_gradient_edge = torch.autograd.graph.get_gradient_edge

assert get_gradient_edge(right).node is right.grad_fn
assert get_gradient_edge(right).output_nr == 1
assert get_gradient_edge(x).node.variable is x

# %%
# ``torch.autograd.grad`` takes a place instead of a tensor. So you can ask for the gradient of an intermediate result
# that you have long let go of:

y = torch.exp(torch.tensor([0.0, 1.0], requires_grad=True))
place = get_gradient_edge(y)
result = (3 * y).sum()
del y
(gradient,) = torch.autograd.grad(result, place)
print("at the place of y:", gradient)
assert gradient.tolist() == [3, 3]

# %%
# Run it yourself
# ---------------
#
# A node can be called. Give it the gradient of its output, and it returns those of its inputs.

# teaches: Node.__call__
x = torch.tensor(3.0, requires_grad=True)
y = torch.sin(x)
assert y.grad_fn(torch.tensor(1.0)).item() == math.cos(3)

# %%
# Now we have everything to do what ``backward`` does. Start with 1 at the result. Take a node, call it, and send each
# gradient along its edge. Where several arrive at one node, they are added.
#
# But a node must not run before all its gradients have arrived. Which one is next? Each node got a number when it was
# recorded. An operation that uses a result is recorded later than that result. So the waiting node with the highest
# number is safe. The nodes of leaves have the highest numbers of all, so we put them aside.


def gradients_of(result):
    waiting = {result.grad_fn: torch.ones_like(result)}
    leaves = {}
    while waiting:
        node = max(waiting, key=lambda node: node._sequence_nr())
        outgoing = node(waiting.pop(node))
        if not isinstance(outgoing, tuple):
            outgoing = (outgoing,)
        for (following, _), gradient in zip(node.next_functions, outgoing):
            if following is not None:
                place = leaves if hasattr(following, "variable") else waiting
                earlier = place.get(following, 0)
                place[following] = earlier + gradient
    return {node.variable: gradient for node, gradient in leaves.items()}


x = torch.linspace(-1, 1, 5).requires_grad_()
w = torch.linspace(0, 1, 5).requires_grad_()
y = torch.sin(x) * w
result = torch.exp(y * y - x).sum()

by_hand = gradients_of(result)
x_bar, w_bar = torch.autograd.grad(result, [x, w])
assert torch.allclose(by_hand[x], x_bar) and torch.allclose(by_hand[w], w_bar)
print("by hand:    ", by_hand[w].detach())
print("by minigrad:", w_bar)

# %%
# Here is a smaller pass as the engine runs it. Step through it: the order is that of our fourteen lines,
# except that a leaf is served as soon as its gradient is complete.

result = torch.exp(torch.sin(x) * w).sum()
torch.viz.play(result)

# %%
# Fourteen lines, then. What the engine does beyond that: nodes with several outputs, shapes that were broadcast,
# functions of yours that watch gradients on their way, and letting go of what was saved. And it is quicker.
#
# What goes wrong
# ---------------
#
# **Yesterday's graph.** Add up the loss over a loop, to print its mean at the end. The sum is a result, too, and its
# graph holds all the graphs:

total = torch.tensor(0.0)
for round_ in range(10):
    curve = height * torch.exp(-rate * times) + torch.abs(floor)
    total = total + ((curve - measured) ** 2).mean()
    nodes = len(nodes_below(total.grad_fn))
    print(f"round {round_}: {nodes} nodes, {saved_bytes(total)} bytes saved")

# %%
# The memory grows, round by round. In a program of your own, let ``torch.autograd.graph.saved_bytes`` count.
# It leaves out the parameters, which are there anyway, and says which operations keep how much. (Each piece of memory
# is counted once: the product keeps the result of ``exp``, so ``exp`` has 0.)

report = torch.autograd.graph.saved_bytes(total)
print(report)

# %%
# It has seen the loop, too. If you want the number, say so: ``total += loss.item()`` has no history.

assert len(nodes_below(total.grad_fn)) > 3 * len(nodes_below(loss.grad_fn))

# %%
# .. folded:: Three more mistakes
#
# **A node kept for later.** A node refers to the nodes below it, so if you keep one, you keep all of these, with what
# they saved. Keep names, numbers, copies. If you want to note something *on* a node, there is a dictionary for it
# that goes when the node goes:

# teaches: Node.metadata
loss.grad_fn.metadata["written in"] = "the fit"
assert loss.grad_fn.metadata == {"written in": "the fit"}

# %%
# **A graph of another run.** Each call of your function makes a new graph. A node or an edge of the old one says
# nothing about the new one:

first, second = torch.sin(x), torch.sin(x)
assert first.grad_fn is not second.grad_fn
below_first, _ = first.grad_fn.next_functions[0]
below_second, _ = second.grad_fn.next_functions[0]
assert below_first is below_second is get_gradient_edge(x).node     # only leaves stay

# %%
# **A part of a result is another result.** ``y[0]`` has a node of its own, ``SelectBackward0``, and so has each
# further ``y[0]``. A gradient that is retained for the one is not there for the other.

# teaches: torch.ones
y = torch.sin(torch.ones(2, requires_grad=True))
one, another = y[0], y[0]
assert one.grad_fn.name() == another.grad_fn.name() == "SelectBackward0"
assert one.grad_fn is not another.grad_fn

# %%
# Summary
# -------
#
# - ``grad_fn`` is the node of a result; ``next_functions`` are its edges, to the nodes of the operands.
# - A node keeps what its derivative needs, as a reference, until ``backward`` has used it.
# - A leaf has no ``grad_fn``; its place in the graph is an ``AccumulateGrad``, which knows the leaf as ``variable``.
# - A place is a node and an output number, and ``torch.autograd.grad`` takes it instead of a tensor.
#
# Exercises
# ---------
#
# Projects
# --------
#
# 1. Draw the *derivative*: take ``torch.autograd.grad(..., create_graph=True)`` of ``torch.sin(x) * x`` and draw the
#    graph of what it returns. Find :math:`x \cos x + \sin x` in it.
# 2. Extend ``gradients_of`` to nodes with several outputs, such as that of ``split``. They want one gradient for each
#    output, and ``None`` where none has arrived.
# 3. Write ``cut(tensor, result)``: if no path leads to the tensor, find the constants at which paths end. One of them
#    is where the chain was cut.
