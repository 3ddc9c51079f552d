"""Sums of products over chosen dims: einsum with one letter per dim, tensordot, inner, outer, kron.

``einsum("ij,jk->ik", a, b)`` says: for all i, k, the sum over j of a[i, j] * b[j, k].  Letters in the
output are kept, the others are summed over; a letter that is twice in one operand takes its diagonal; ``...``
stands for the dims that have no letter, and broadcasts.

The one idea: in a product of two operands a letter has one of four roles, which are the four dims of a
batch of matrix products::

    in both, kept      batch         a  becomes  (batch, left, summed)
    in a only          left          b  becomes  (batch, summed, right)
    in both, summed    summed        bmm gives   (batch, left, right)
    in b only          right

So operands are multiplied two at a time, from left to right, each time by permute, reshape and a product of matrices
(or ``*`` where nothing is summed); these are rows of the table, so the whole is differentiable.

What an equation says does not depend on sizes.  So it is read once for operands with so many dims, and what is done
then is kept: an `Equation`, and for its labels the `Pair` of each step.

Neighbours: products.py, transposing.py (the views).
"""

from functools import lru_cache

from minigrad._core.dispatch import matmul as core
from minigrad._core.dispatch.matmul import reshaped
from minigrad._core.errors import error

from ..elementwise.arithmetic import mul
from ..composites import composite
from ..reductions.totals import sum_dim
from ..shapes.reshaping import contiguous, unsafe_view
from ..shapes.slicing import diagonal
from ..shapes.transposing import permute, squeeze_dims, unsqueeze
from .products import bmm_of_two_dtypes, dot, mm, mv, times
from ..arguments import count_over, one_dim

# ------------------------------------------------------------------------------ reading the equation


def letters_of(text, what, offset):
    """The labels of one operand or of the output: letters, and ``...`` as one label."""
    labels, i = [], 0
    while i < len(text):
        if text[i] == ".":
            if text[i:i + 3] != "...":
                raise error("MG204", f"einsum(): found '.' for {what} that is not part of any ellipsis")
            if "..." in labels:
                raise error("MG204", f"einsum(): found '.' for {what} for which an ellipsis was already found")
            labels.append("...")
            i += 3
        elif text[i].isascii() and text[i].isalpha():
            labels.append(text[i])
            i += 1
        else:
            raise not_a_letter(offset + i, text[i])
    return labels


def without_ellipsis(labels, ndim, number):
    """``...`` replaced by numbers that count its dims from the right, so that they line up between operands."""
    named = len(labels) - ("..." in labels)
    if named > ndim or (named < ndim and "..." not in labels):
        raise other_number_of_dims(labels, named, ndim, number)
    if "..." not in labels:
        return labels
    at = labels.index("...")
    return labels[:at] + list(range(ndim - named, 0, -1)) + labels[at + 1:]


def parse(equation, ndims):
    """The labels of each operand and of the output; a dim under ``...`` is labelled by its number from the right."""
    equation = equation.replace(" ", "")
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(ndims):
        raise other_number_of_operands(len(ndims), len(terms), equation)
    labels, offset = [], 0
    for number, (term, ndim) in enumerate(zip(terms, ndims)):
        letters = letters_of(term, f"operand {number}", offset)
        labels.append(without_ellipsis(letters, ndim, number))
        offset += len(term) + 1
    seen = [label for each in labels for label in each]
    covered = sorted({label for label in seen if isinstance(label, int)}, reverse=True)
    if not arrow:
        once = [label for label in seen if not isinstance(label, int) and seen.count(label) == 1]
        return labels, covered + sorted(once)
    output = []
    for label in letters_of(right, "the output", len(left) + 2):
        if label == "...":
            output += covered
            continue
        if label in output:
            raise twice_in_output(label, equation)
        if label not in seen:
            raise in_no_operand(label, equation)
        output.append(label)
    return labels, output


def from_sublists(args):
    """``einsum(a, [0, 1], b, [1, 2], [0, 2])`` as an equation and its operands."""
    def spelled(sublist):
        parts = []
        for entry in sublist:
            if entry is Ellipsis:
                parts.append("...")
            elif isinstance(entry, int) and 0 <= entry < 52:
                parts.append("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[entry])
            else:
                raise not_a_subscript(entry)
        return "".join(parts)

    operands, sublists = args[0::2], args[1::2]
    if len(args) % 2:
        operands, output = operands[:-1], "->" + spelled(args[-1])
    else:
        output = ""
    return ",".join([spelled(sublist) for sublist in sublists]) + output, operands

# ------------------------------------------------------------------------------ one operand


def find_diagonals(labels):
    """For each label that appears at two dims of one operand, these dims; and the labels of the diagonals."""
    labels, pairs = list(labels), []
    for label in [label for i, label in enumerate(labels) if label in labels[:i]]:
        first = labels.index(label)
        second = labels.index(label, first + 1)
        pairs.append((label, first, second))                # the diagonal becomes the last dim
        labels = labels[:first] + labels[first + 1:second] + labels[second + 1:] + [label]
    return tuple(pairs), tuple(labels)


def take_diagonals(tensor, pairs, number):
    for label, first, second in pairs:
        sizes = tensor.shape[first], tensor.shape[second]
        if sizes[0] != sizes[1]:
            raise no_diagonal(label, number, sizes)
        tensor = diagonal(tensor, 0, first, second)
    return tensor


def without_ones(tensors, labels):
    """Where sizes differ one of them is 1, and broadcasts: without that dim, only the other operand has the label."""
    sizes = {}
    for number, (tensor, names) in enumerate(zip(tensors, labels)):
        for label, size in zip(names, tensor.shape):
            seen = sizes.setdefault(label, size)
            if seen == 1:
                sizes[label] = size
            elif size not in (1, seen):
                raise other_size(label, size, number, seen)
    for number, (tensor, names) in enumerate(zip(tensors, labels)):
        gone = tuple([axis for axis, label in enumerate(names) if tensor.shape[axis] == 1 != sizes[label]])
        if gone:
            tensors[number] = squeeze_dims(tensor, gone)
            labels[number] = tuple([label for axis, label in enumerate(names) if axis not in gone])
    return tensors, tuple(labels)


def axes_to_sum(labels, wanted):
    """The axes whose labels are no longer needed, and the labels that remain."""
    return (tuple([axis for axis, label in enumerate(labels) if label not in wanted]),
            [label for label in labels if label in wanted])


def order_of(labels, wanted):
    """The axes in the order of these labels; None where they have it."""
    axes = tuple([labels.index(label) for label in wanted])
    return None if axes == tuple(range(len(axes))) else axes


def summed_and_ordered(tensor, gone, order):
    if gone:
        tensor = sum_dim(tensor, gone)
    return tensor if order is None else permute(tensor, order)

# ------------------------------------------------------------------------------ two operands


class Pair:
    """The product of two operands, summed over the labels that are not needed after it."""

    def __init__(self, a_labels, b_labels, wanted):
        self.a_gone, a_labels = axes_to_sum(a_labels, wanted | set(b_labels))
        self.b_gone, b_labels = axes_to_sum(b_labels, wanted | set(a_labels))
        batch = [label for label in a_labels if label in b_labels and label in wanted]
        summed = [label for label in a_labels if label in b_labels and label not in wanted]
        left = [label for label in a_labels if label not in b_labels]
        right = [label for label in b_labels if label not in a_labels]
        self.a_order = order_of(a_labels, batch + left + summed)
        self.b_order = order_of(b_labels, batch + summed + right)
        self.batch, self.left, self.summed, self.right = map(len, (batch, left, summed, right))
        self.labels = batch + left + right
        self.product = {(1, 1, 1): times if batch else mm, (1, 1, 0): None if batch else mv,
                        (0, 1, 0): None if batch else dot}.get((self.left, self.summed, self.right))

    def of(self, a, b):
        """The product; its dims are those of `labels`."""
        a = summed_and_ordered(a, self.a_gone, self.a_order)
        b = summed_and_ordered(b, self.b_gone, self.b_order)
        if not self.summed:
            return self.elementwise(a, b)
        if a.dtype is not b.dtype:
            raise bmm_of_two_dtypes("einsum", a.dtype.numpy, b.dtype.numpy)
        if self.product is not None:
            return self.product(a, b)
        batch, rows = tuple(a.shape[:self.batch]), tuple(a.shape[self.batch:self.batch + self.left])
        columns = tuple(b.shape[self.batch + self.summed:])
        n, m, k = [count_over(sizes, range(len(sizes))) for sizes in (rows, columns, a.shape[self.batch + self.left:])]
        if self.left != 1 or self.summed != 1:
            a = reshaped(a, (*batch, n, k))
        if self.right != 1 or self.summed != 1:
            b = reshaped(b, (*batch, k, m))
        product = (times if batch else mm)(a, b)
        return product if self.left == self.right == 1 else reshaped(product, batch + rows + columns)

    def elementwise(self, a, b):
        """``*``, where dims of size 1 stand for the labels that an operand does not have."""
        if self.right and (self.batch or self.left):
            a = reshaped(a, tuple(a.shape) + (1,) * self.right)
        if self.left and self.batch:
            b = reshaped(b, tuple(b.shape[:self.batch]) + (1,) * self.left + tuple(b.shape[self.batch:]))
        return mul(a, b)


# ------------------------------------------------------------------------------ all operands


@lru_cache(maxsize=256)
def contraction(labels, output):
    """The pairs, from left to right, and which axes of the last product are summed, and their order."""
    pairs, names = [], list(labels[0])
    for number in range(1, len(labels)):
        wanted = set(output).union(*labels[number + 1:])
        pairs.append(Pair(names, list(labels[number]), wanted))
        names = pairs[-1].labels
    gone, names = axes_to_sum(names, output)
    return tuple(pairs), gone, order_of(names, output)


class Equation:
    """What an equation says of operands with so many dims."""

    def __init__(self, equation, ndims):
        labels, output = parse(equation, ndims)
        found = [find_diagonals(each) for each in labels]
        self.diagonals = [(number, pairs) for number, (pairs, _) in enumerate(found) if pairs]
        self.labels = tuple([each for _, each in found])
        self.output = tuple(output)
        # The dims whose sizes must be equal: (operand, axis) of the first that has the label, and of another.
        self.alike = []
        first = {}
        for number, each in enumerate(self.labels):
            for axis, label in enumerate(each):
                if first.setdefault(label, (number, axis))[0] != number:
                    self.alike.append((*first[label], number, axis))
        self.contraction = contraction(self.labels, self.output)


read = lru_cache(maxsize=256)(Equation)


@composite(method=False, out=False)
def einsum(equation, *operands):
    """The sum of products that ``equation`` describes, one letter per dim: see the top of this module.

    Without ``->`` the output has the letters that occur once, in alphabetical order. Numbers
    may take the place of letters: ``einsum(a, [0, 1], b, [1, 2], [0, 2])``.

    >>> a = torch.tensor([[1., 2.], [3., 4.]])
    >>> torch.einsum("ij,jk->ik", a, a)
    tensor([[ 7., 10.],
            [15., 22.]])
    >>> torch.einsum("ii", a)
    tensor(5.)
    """
    if not isinstance(equation, str):
        equation, operands = from_sublists((equation,) + operands)
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    meaning = read(equation, tuple([operand.ndim for operand in operands]))
    operands = list(operands)
    for number, pairs in meaning.diagonals:
        operands[number] = take_diagonals(operands[number], pairs, number)
    pairs, gone, order = meaning.contraction
    shapes = [operand.shape for operand in operands]
    for number, axis, other, other_axis in meaning.alike:
        if shapes[number][axis] != shapes[other][other_axis]:
            operands, labels = without_ones(operands, list(meaning.labels))
            pairs, gone, order = contraction(labels, meaning.output)
            break
    result = operands[0]
    for pair, operand in zip(pairs, operands[1:]):
        result = pair.of(result, operand)
    return summed_and_ordered(result, gone, order)

# ------------------------------------------------------------------------------ products without an equation


@composite(aliases=("ger",))
def outer(self, vec2):
    """All products of an entry of one vector and an entry of the other, as a matrix.

    >>> torch.outer(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    for name, vector in (("self", self), ("vec2", vec2)):
        if vector.ndim != 1:
            raise error("MG201", f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return mul(unsqueeze(self, 1), vec2)


@composite(front=core.inner)
def inner(self, other):
    """The sums of products over the last dim of both: for vectors ``dot``, for matrices ``self @ other.T``.

    >>> torch.inner(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 1.]))
    tensor([3., 7.])
    """
    if not self.ndim or not other.ndim:
        return mul(self, other)
    if self.shape[-1] != other.shape[-1]:
        raise last_dims_differ(self.shape, other.shape)
    return core.contracted(self, other, (self.ndim - 1,), (other.ndim - 1,))


@composite(method=False, out="exact", types="Tensor Tensor Any Tensor?")
def tensordot(a, b, dims=2, out=None):
    """The sums of products over several dims at once: the last ``dims`` of a with the first of b, or two lists of dims,
    which may be the rows of a tensor.

    A dim of one element broadcasts.

    >>> torch.tensordot(torch.ones(2, 3, 4), torch.ones(4, 3, 5), dims=([1, 2], [1, 0])).shape
    torch.Size([2, 5])
    """
    if out is not None:                 # given by position; @composite takes it as a keyword
        return tensordot(a, b, dims, out=out)
    first, second = contracted_dims(a, b, dims)
    for i, j in zip(first, second):     # a dim of one element broadcasts: the other one is summed first
        if a.shape[i] == 1 != b.shape[j]:
            b = sum_dim(b, j, True, dtype=b.dtype)
        elif b.shape[j] == 1 != a.shape[i]:
            a = sum_dim(a, i, True, dtype=a.dtype)
    return core.contracted(a, b, tuple(first), tuple(second))


def contracted_dims(a, b, dims):
    """The dims of ``a`` and of ``b`` that tensordot sums over, as two lists of axes that belong together."""
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
        while isinstance(dims, list) and len(dims) == 1:
            dims, = dims
    if isinstance(dims, int):
        if dims < 0:
            raise error("MG204", f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > a.ndim or dims > b.ndim:
            raise too_many_to_contract(dims, a.shape, b.shape)
        dims = (range(a.ndim - dims, a.ndim), range(dims))
    pairs = [list(each) if hasattr(each, "__iter__") else [each] for each in dims]
    if len(pairs) != 2 or len(pairs[0]) != len(pairs[1]):
        raise error("MG204", f"both dimension lists should have same length: tensordot() was given dims={dims}")
    first = [one_dim(d, a.ndim, "tensordot") for d in pairs[0]]
    second = [one_dim(d, b.ndim, "tensordot") for d in pairs[1]]
    for i, j in zip(first, second):
        if a.shape[i] != b.shape[j] and 1 not in (a.shape[i], b.shape[j]):
            raise contracted_dims_differ(a.shape, i, b.shape, j)
    for axes in (first, second):
        if len(set(axes)) != len(axes):
            raise error("MG204", f"tensordot(): a dim appears multiple times in the list of dims {axes}")
    return first, second


@composite()
def kron(self, other):
    """The Kronecker product: every entry of ``self`` times the whole of ``other``, as blocks.

    >>> torch.kron(torch.tensor([[1., 2.]]), torch.eye(2))
    tensor([[1., 0., 2., 0.],
            [0., 1., 0., 2.]])
    """
    ndim = max(self.ndim, other.ndim)
    a = (1,) * (ndim - self.ndim) + tuple(self.shape)
    b = (1,) * (ndim - other.ndim) + tuple(other.shape)
    apart = mul(reshaped(self, tuple([size for n in a for size in (n, 1)])),
                reshaped(other, tuple([size for n in b for size in (1, n)])))
    return unsafe_view(contiguous(apart), tuple([n * m for n, m in zip(a, b)]))


# ------------------------------------------------------------------------------ errors


def not_a_letter(index, found):
    return error("MG204", f"einsum(): invalid subscript given at index {index} in the equation string, "
                          f"subscripts must be in [a-zA-Z]: found {found!r}")


def other_number_of_dims(labels, named, ndim, number):
    more = " and no ellipsis was given" if named < ndim else ""
    return error("MG201", f"einsum(): the number of subscripts in the equation ({named}) "
                          f"{'is more than' if '...' in labels else 'does not match'} the number of dimensions "
                          f"({ndim}) for operand {number}{more}")


def other_number_of_operands(given, expected, equation):
    which = "fewer" if given < expected else "more"
    return error("MG204", f"einsum(): {which} operands were provided than specified in the equation: "
                          f"{given} for {equation!r}")


def twice_in_output(label, equation):
    return error("MG204", f"einsum(): output subscript {label} appears more than once in the output of {equation!r}")


def in_no_operand(label, equation):
    return error("MG204", f"einsum(): output subscript {label} does not appear in the equation for any input "
                          f"operand: {equation!r}")


def not_a_subscript(entry):
    return error("MG204", f"einsum(): expected subscripts in sublist format to be within [0, 52), but found {entry!r}")


def no_diagonal(label, number, sizes):
    return error("MG201", f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't "
                          f"match, {sizes[1]} != {sizes[0]}")


def other_size(label, size, number, seen):
    name = label if isinstance(label, str) else "..."
    return error("MG201", f"einsum(): subscript {name} has size {size} for operand {number} which does not "
                          f"broadcast with previously seen size {seen}")


def last_dims_differ(first, second):
    return error("MG201", "inner() the last dimension must match on both input tensors but got shapes "
                          f"{list(first)} and {list(second)}")


def too_many_to_contract(dims, a, b):
    return error("MG204", f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims} for tensors of "
                          f"shapes {list(a)} and {list(b)}")


def contracted_dims_differ(a, i, b, j):
    return error("MG201", f"contracted dimensions need to match, but first has size {a[i]} in dim {i} and "
                          f"second has size {b[j]} in dim {j}: tensordot() was given tensors of shapes "
                          f"{list(a)} and {list(b)}")
