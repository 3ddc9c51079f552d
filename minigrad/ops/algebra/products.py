"""Products of vectors and matrices.

``mm``, ``bmm``, ``mv`` and ``dot`` are the four products with a derivative of their own, and ``matmul``
(the operator ``@``) chooses among them by how many dims its operands have.  ``addmm`` and its relatives
add a product to a tensor.

The one idea: a product is *multilinear*.  With <a, b> the sum of conj(a) b, the identity
<G, A B> = <G B^H, A> = <A^H G, B> gives both gradients, G B^H and A^H G, which are products again;
``adjoint`` is the ^H.  Each factor is saved only if the other one needs a gradient.

Neighbours: einsum.py writes any sum of products in terms of these, solving.py divides by matrices.
"""

import numpy as np

from minigrad._core.dispatch import matmul as core
from minigrad._core.errors import error
from minigrad._core.graph import Tensor
from minigrad._core.kernels import table as kernels
from minigrad._core.kernels.reductions.array_sums import total

from ..composites import composite, in_place
from ..exports import ROWS
from ..kinds import general, linear, multilinear
from ..shapes.broadcasting import common_shape, expand, sum_to
from ..shapes.reshaping import reshape_to
from ..shapes.transposing import permute, squeeze_kernel, transpose, unsqueeze
from ..arguments import factor, must_be_tensors, scalar_name

conj = ROWS.waiting("conj")

C_NAMES = {"bool": "bool", "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int",
           "uint64": "unsigned long", "int8": "signed char", "int16": "short int", "int32": "int",
           "int64": "long int", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float",
           "float64": "double", "complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}

ADVICE = "Convert one of them, for example with .to(torch.float64)"


def multiply(a, b):
    """``np.matmul``, but like PyTorch it refuses bools, and the product lies in order however the factors lie."""
    if a.dtype.kind == "b" and a.size and b.size:
        raise no_product_of_bools()
    return np.matmul(a, b, order="C")


def adjoint_kernel(self):
    return self.mT.conj() if self.dtype.kind == "c" else self.mT


adjoint = linear("adjoint(Tensor self)", adjoint_kernel,
                    self=lambda d: adjoint(d),
                    fast=kernels.adjoint, public=False, last_dims=2,
                    doc="The conjugate transpose of the last two dims, A^H; as a real-linear map its own transpose.")

# ------------------------------------------------------------------------------ the four products

def mm_kernel(self, mat2, op="mm"):
    if self.ndim != 2 or mat2.ndim != 2:
        raise not_matrices(op, self.shape, mat2.shape)
    if self.shape[1] != mat2.shape[0]:
        raise cannot_multiply(op, self.shape, mat2.shape)
    if self.dtype != mat2.dtype:
        raise mm_of_two_dtypes(self.dtype, mat2.dtype)
    return multiply(self, mat2)


mm = multilinear("mm(Tensor self, Tensor mat2)", mm_kernel,
                 self=lambda d, mat2: mm(d, adjoint(mat2)),
                 mat2=lambda d, self: mm(adjoint(self), d),
                 fast=kernels.mm, doc="""The product of two matrices.

>>> torch.mm(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([[1., 0.], [1., 1.]]))
tensor([[3., 2.],
        [7., 4.]])
""")


# Note [Gradients of transposed factors]
# ---------------------------------------
# In x @ W.t() the second factor lies in memory by columns, and so should its gradient: on its way back through t it is
# then a matrix by rows again, as W is, and becomes W.grad without a copy.  Of the two ways to write A^H G one gives it
# so; both are one product of the same factors, and adjoint is a view::
#
#     adjoint(A) @ G              by rows
#     adjoint(adjoint(G) @ A)     by columns
#
# Which row is called for such a product is decided where matmul and linear are taken apart (_core/dispatch/matmul.pyx).
mm_by_columns = multilinear("mm.by_columns(Tensor self, Tensor mat2)", mm_kernel, fast=kernels.mm,
                            self=lambda d, mat2: mm(d, adjoint(mat2)),
                            mat2=lambda d, self: adjoint(mm(adjoint(d), self)),
                            public=False, doc="``mm``, for a second factor that is the transpose of a matrix.")


def check_bmm(self, mat2, op):
    """Refuse tensors or arrays that ``bmm`` cannot multiply."""
    for name, batch in (("batch1", self), ("batch2", mat2)):
        if batch.ndim != 3:
            raise not_a_batch(op, name, self.shape, mat2.shape)
    if self.shape[0] != mat2.shape[0] or self.shape[2] != mat2.shape[1]:
        raise batches_differ(op, self.shape, mat2.shape)
    if self.dtype != mat2.dtype:
        raise bmm_of_two_dtypes(op, self.dtype, mat2.dtype)


def bmm_kernel(self, mat2, op="bmm"):
    check_bmm(self, mat2, op)
    return multiply(self, mat2)


bmm = multilinear("bmm(Tensor self, Tensor mat2)", bmm_kernel, fast=kernels.bmm,
                  self=lambda d, mat2: bmm(d, adjoint(mat2)),
                  mat2=lambda d, self: bmm(adjoint(self), d),
                  doc="""The products of two batches of matrices, (b, n, m) and (b, m, p), without broadcasting.

>>> torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 1)).shape
torch.Size([2, 1, 1])
""")


times = multilinear("times(Tensor self, Tensor mat2)", multiply, fast=kernels.times,
                    self=lambda d, mat2: times(d, adjoint(mat2)),
                    mat2=lambda d, self: times(adjoint(self), d),
                    node="BmmBackward0", public=False,
                    doc="The products of two batches of matrices with the same batch dims, however many.")


def mv_kernel(self, vec, op="mv"):
    if self.ndim != 2 or vec.ndim != 1:
        raise not_matrix_and_vector(op, self, vec)
    if self.shape[1] != vec.shape[0]:
        raise vector_of_another_length(op, self.shape, vec.shape)
    if self.dtype != vec.dtype:
        raise mv_of_two_dtypes(self.dtype, vec.dtype)
    return multiply(self, vec)


mv = multilinear("mv(Tensor self, Tensor vec)", mv_kernel, fast=kernels.mv,
                 self=lambda d, vec: outer_product(d, conj(vec)),
                 vec=lambda d, self: mv(adjoint(self), d),
                 doc="""The product of a matrix and a vector.

>>> torch.mv(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 1.]))
tensor([3., 7.])
""")

def outer_kernel(self, vec2, op="addr"):
    for name, vector in (("vec1", self), ("vec2", vec2)):
        if vector.ndim != 1:
            raise error("MG201", f"{op}: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return np.multiply.outer(self, vec2)


outer_product = multilinear("outer_product(Tensor self, Tensor vec2)", outer_kernel, fast=kernels.outer,
                            self=lambda d, vec2: mv(d, conj(vec2)),
                            vec2=lambda d, self: mv(transpose(d, 0, 1), conj(self)),
                            public=False,
                            shown="outer", doc="All products of an entry of one vector and an entry of the other.")


def dot_kernel(self, other, op="dot"):
    if self.ndim != 1 or other.ndim != 1:
        raise not_two_vectors(op, self.ndim, other.ndim)
    if self.dtype != other.dtype:
        raise dot_of_two_dtypes(self.dtype, other.dtype)
    if self.shape != other.shape:
        raise lengths_differ(op, self.size, other.size)
    return multiply(self, other)


dot = multilinear("dot(Tensor self, Tensor tensor)", dot_kernel, fast=kernels.dot,
                  self=lambda d, tensor: d * conj(tensor),
                  tensor=lambda d, self: d * conj(self),
                  doc="""The sum of the products of two vectors' entries, without conjugation.

>>> torch.dot(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
tensor(11.)
""")

vdot = multilinear("vdot(Tensor self, Tensor other)", lambda self, other: dot_kernel(self.conj(), other, "vdot"),
                   self=lambda d, other: conj(d) * other,
                   other=lambda d, self: d * self,
                   fast=kernels.vdot, doc="""The inner product of two vectors: the first one is conjugated.

>>> torch.vdot(torch.tensor([1j, 2]), torch.tensor([1j, 2]))
tensor(5.+0.j)
""")


vecdot = multilinear("vecdot(Tensor x, Tensor y, Dim dim)",
                     lambda x, y, dim: total(x.conj() * y, (dim,), False),
                     x=lambda d, y, dim: conj(unsqueeze(d, dim)) * y,
                     y=lambda d, x, dim: unsqueeze(d, dim) * x,
                     fast=kernels.vecdot, public=False, least_dims=1, shown="linalg.vecdot",
                     doc="The inner products of the vectors along ``dim`` of two tensors of one shape.")


@composite(out="exact", types="Tensor Tensor Dim")
def linalg_vecdot(x, y, *, dim=-1):
    """The inner products of the vectors along ``dim``: the first ones are conjugated, and both are broadcast.

    >>> torch.linalg.vecdot(torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([1., 10.]))
    tensor([21., 43.])
    """
    if not (isinstance(x, Tensor) and isinstance(y, Tensor)):
        raise must_be_tensors("linalg_vecdot", x=x, y=y)
    if x.dtype.category < 2:
        raise vecdot_of_integers(x.dtype)
    if x.dtype != y.dtype:
        raise vecdot_of_two_dtypes(x.dtype, y.dtype)
    shape = common_shape("linalg.vecdot", [tuple(x.shape), tuple(y.shape)])
    return vecdot(expand(x, shape or (1,)), expand(y, shape or (1,)), dim)

# ------------------------------------------------------------------------------ matmul

without_dim = linear("without_dim(Tensor self, Dim dim)", lambda self, dim: squeeze_kernel(self, (dim,)),
                     self=lambda d, self_shape: reshape_to(d, self_shape),
                     fast=kernels.squeeze_dim, public=False, node="SqueezeBackward4", least_dims=1,
                     doc="A product of a vector, without the dim of size 1 that made the vector a matrix. It does "
                         "not count as a view.")


@composite(out="exact", front=core.matmul, aliases=("linalg_matmul",))
def matmul(self, other):
    """The matrix product, which the operator ``@`` calls.

    Two vectors give their dot product. Beside a matrix, a vector is a row on the left and a column on
    the right. Tensors with more than two dims are batches of matrices, and broadcast.

    >>> torch.matmul(torch.tensor([1., 2.]), torch.tensor([3., 4.]))
    tensor(11.)
    >>> torch.matmul(torch.ones(5, 1, 2, 3), torch.ones(4, 3, 2)).shape
    torch.Size([5, 4, 2, 2])
    """
    if not (isinstance(self, Tensor) and isinstance(other, Tensor)):
        raise must_be_tensors("matmul", input=self, other=other)
    left, right = self.ndim, other.ndim
    if left > 2 or right > 2:
        if not left or not right:
            raise too_few_dims(left, right)
        if self.shape[-1] != other.shape[-2 if right > 1 else 0]:
            raise of_another_length(self.shape, other.shape)
        common_shape("matmul", [tuple(self.shape[:-2]), tuple(other.shape[:-2])])
    elif not left or not right:
        raise too_few_dims(left, right)
    return core.product_of(self, other)

# ------------------------------------------------------------------------------ a product added to something

scaled_back = linear("scaled_back(Tensor self, Scalar factor)",
                     lambda self, factor: self if factor == 1 else self * factor.conjugate(),
                     self=lambda d, factor: scaled_back(d, factor),
                     public=False,
                     wide=True, last_dims=0,
                     doc="The transpose of a multiplication by a number: a multiplication by its conjugate. For "
                         "the usual factor 1 it is ``self`` itself.")


def scaled(d, factor):
    """``scaled_back``; for the factor 1, which is the usual one, a formula has no such step."""
    return d if type(factor) is int and factor == 1 else scaled_back(d, factor)


def product_added_to(op, product):
    """The kernel of beta * self + alpha * product(a, b); for beta = 0 not even a nan in ``self`` matters."""
    def kernel(self, a, b, beta=1, alpha=1):
        out = product(a, b, op)
        if self.dtype != out.dtype:
            raise sum_of_two_dtypes(op, self.dtype, out.dtype)
        if op == "addr":
            check_factors(out.dtype, alpha, beta)
        alpha, beta = factor(op, alpha, out.dtype), factor(op, beta, out.dtype)
        try:
            start = np.broadcast_to(self, out.shape)
        except ValueError:
            raise beyond_the_product(op, self.shape, out.shape) from None
        if alpha != 1:
            out = out * alpha
        if beta == 0:
            return out
        return np.add(out, start if beta == 1 else start * beta, out=out)       # laid out as the product is
    return kernel


def check_factors(dtype, alpha, beta):
    """For ``addr`` neither may be of a wider category than the result; the other products truncate it."""
    for name, value in (("alpha", alpha), ("beta", beta)):
        if dtype.kind in "biu" and isinstance(value, (float, complex)):
            raise floating_factor(name, value)
        if dtype.kind != "b" and isinstance(value, bool):
            raise error("MG204", f"addr(): Boolean {name} only supported for Boolean results, but got {value}")


def into_the_sum(d, self_shape, beta):
    """The differential of beta * self + alpha * product(a, b) for ``self``."""
    return scaled(sum_to(d, self_shape), beta)


addmm = general("addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
                product_added_to("addmm", mm_kernel), plain=product_added_to("addmm", mm_kernel), fast=kernels.addmm,
                self=lambda d, self_shape, beta: into_the_sum(d, self_shape, beta), inplace=True,
                mat1=lambda d, mat2, alpha: scaled(mm(d, adjoint(mat2)), alpha),
                mat2=lambda d, mat1, alpha: scaled(mm(adjoint(mat1), d), alpha),
                doc="""
beta * self + alpha * (mat1 @ mat2), where ``self`` is broadcast, as the bias of a linear layer is.

>>> torch.addmm(torch.tensor([10., 20.]), torch.ones(1, 3), torch.ones(3, 2))
tensor([[13., 23.]])
""")

addmm_by_columns = general("addmm.by_columns(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
                           product_added_to("addmm", mm_kernel), plain=product_added_to("addmm", mm_kernel),
                           self=lambda d, self_shape, beta: into_the_sum(d, self_shape, beta), public=False,
                           fast=kernels.addmm,
                           mat1=lambda d, mat2, alpha: scaled(mm(d, adjoint(mat2)), alpha),
                           mat2=lambda d, mat1, alpha: scaled(adjoint(mm(adjoint(d), mat1)), alpha),
                           doc="``addmm``, for a second factor that is the transpose of a matrix, as in a layer.")

addmv = general("addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)",
                product_added_to("addmv", mv_kernel), plain=product_added_to("addmv", mv_kernel), fast=kernels.addmv,
                self=lambda d, self_shape, beta: into_the_sum(d, self_shape, beta), inplace=True,
                mat=lambda d, vec, alpha: scaled(outer_product(d, conj(vec)), alpha),
                vec=lambda d, mat, alpha: scaled(mv(adjoint(mat), d), alpha),
                inplace_function=True, doc="""beta * self + alpha * (mat @ vec).

>>> torch.addmv(torch.tensor([1., 1.]), torch.ones(2, 3), torch.ones(3), alpha=2)
tensor([7., 7.])
""")

baddbmm = general("baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)",
                  product_added_to("baddbmm", bmm_kernel), plain=product_added_to("baddbmm", bmm_kernel),
                  fast=kernels.baddbmm, inplace=True,
                  self=lambda d, self_shape, beta: into_the_sum(d, self_shape, beta),
                  batch1=lambda d, batch2, alpha: scaled(bmm(d, adjoint(batch2)), alpha),
                  batch2=lambda d, batch1, alpha: scaled(bmm(adjoint(batch1), d), alpha),
                  doc="""beta * self + alpha * bmm(batch1, batch2).

>>> torch.baddbmm(torch.ones(1, 1, 1), torch.ones(1, 1, 3), torch.ones(1, 3, 1))
tensor([[[4.]]])
""")

addr = general("addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)",
               product_added_to("addr", outer_kernel), plain=product_added_to("addr", outer_kernel),
               fast=kernels.addr, promote="common",
               self=lambda d, self_shape, beta: into_the_sum(d, self_shape, beta), inplace=True,
               vec1=lambda d, vec2, alpha: scaled(mv(d, conj(vec2)), alpha),
               vec2=lambda d, vec1, alpha: scaled(mv(transpose(d, 0, 1), conj(vec1)), alpha),
               doc="""beta * self + alpha * outer(vec1, vec2).

>>> torch.addr(torch.zeros(2, 2), torch.tensor([1., 2.]), torch.tensor([1., 1.]))
tensor([[1., 1.],
        [2., 2.]])
""")


@composite(out="exact")
def addbmm(self, batch1, batch2, *, beta=1, alpha=1):
    """beta * self + alpha * (the sum of all products of a batch), computed as one product of long matrices.

    >>> torch.addbmm(torch.zeros(1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1))
    tensor([[6.]])
    """
    return addmm(self, *side_by_side("addbmm", batch1, batch2), beta=beta, alpha=alpha)


@in_place("addbmm_")
def addbmm_into(self, batch1, batch2, *, beta=1, alpha=1):
    """``self`` takes the value of beta * self + alpha * (the sum of all products of a batch).

    >>> torch.ones(1, 1).addbmm_(torch.ones(2, 1, 3), torch.ones(2, 3, 1))
    tensor([[7.]])
    """
    return addmm.inplace(self, *side_by_side("addbmm_", batch1, batch2), beta=beta, alpha=alpha)


def side_by_side(op, batch1, batch2):
    """Two long matrices whose product is the sum of the products of two batches."""
    check_bmm(batch1, batch2, op)
    (b, n, k), m = batch1.shape, batch2.shape[2]
    return core.reshaped(permute(batch1, (1, 0, 2)), (n, b * k)), core.reshaped(batch2, (b * k, m))

# ------------------------------------------------------------------------------ the trace


def trace_kernel(self):
    if self.ndim != 2:
        raise trace_of_no_matrix(self.ndim)
    return total(np.diagonal(self))


def on_diagonal_kernel(self, shape):
    out = np.zeros(shape, self.dtype)
    np.fill_diagonal(out[:shape[1]], self)
    return out


on_diagonal = linear("on_diagonal(Tensor self, Sizes shape)", on_diagonal_kernel,
                     self=lambda d: trace(d),
                     public=False,
                     doc="A number on the whole diagonal of a matrix, zeros elsewhere: the transpose of ``trace``.")

trace = linear("trace(Tensor self)", trace_kernel,
               self=lambda d, self_shape: on_diagonal(d, self_shape),
               fast=kernels.trace, out=False, doc="""The sum of a matrix's diagonal.

>>> torch.trace(torch.tensor([[1., 2.], [3., 4.]]))
tensor(5.)
""")


# ------------------------------------------------------------------------------ errors


def no_product_of_bools():
    return error("MG202", '"addmm_impl_cpu_" not implemented for \'Bool\': convert the tensors to a number type first')


def not_matrices(op, left, right):
    which = "self" if len(left) != 2 else "mat2"
    return error("MG201", f"{which} must be a matrix: {op}() was given tensors of shapes {left} and "
                          f"{right}. Use matmul (the operator @) for other ranks")


def cannot_multiply(op, left, right):
    return error("MG201", f"mat1 and mat2 shapes cannot be multiplied ({left[0]}x{left[1]} and "
                          f"{right[0]}x{right[1]}) by {op}(): the columns of the first must be as many as "
                          "the rows of the second. Is a transpose (.T) missing?")


def mm_of_two_dtypes(left, right):
    return error("MG202", f"expected m1 and m2 to have the same dtype, but got: {C_NAMES[left.name]} != "
                          f"{C_NAMES[right.name]}. {ADVICE}")


def not_a_batch(op, name, left, right):
    return error("MG201", f"{name} must be a 3D tensor: {op}() was given tensors of shapes {list(left)} "
                          f"and {list(right)}. Use matmul (the operator @) to broadcast other ranks")


def batches_differ(op, left, right):
    return error("MG201", "Expected size for first two dimensions of batch2 tensor to be: "
                          f"[{left[0]}, {left[2]}] but got: [{right[0]}, {right[1]}]. "
                          f"{op}() was given tensors of shapes {list(left)} and {list(right)}")


def bmm_of_two_dtypes(op, left, right):
    return error("MG202", f"expected scalar type {scalar_name(left)} but found {scalar_name(right)}: "
                          f"{op}() multiplies tensors of one dtype. {ADVICE}")


def not_matrix_and_vector(op, matrix, vector):
    return error("MG201", f"vector + matrix @ vector expected, got {vector.ndim}, {matrix.ndim}, {vector.ndim}: {op}() "
                          f"multiplies a matrix and a vector, and was given tensors of shapes {matrix.shape} and "
                          f"{vector.shape}")


def vector_of_another_length(op, matrix, vector):
    return error("MG201", f"size mismatch, got input ({matrix[0]}), mat ({matrix[0]}x{matrix[1]}), vec "
                          f"({vector[0]}): for {op}() the vector must be as long as the matrix has columns")


def mv_of_two_dtypes(matrix, vector):
    return error("MG202", "addmv input tensors must have the same dtype, but got "
                          f"{scalar_name(matrix)} (matrix) and {scalar_name(vector)} (vector). {ADVICE}")


def not_two_vectors(op, left, right):
    return error("MG201", f"1D tensors expected, but got {left}D and {right}D tensors: {op}() multiplies "
                          "two vectors. Use matmul (the operator @) for other ranks, (a * b).sum() for the sum of "
                          "all products")


def dot_of_two_dtypes(left, right):
    return error("MG202", "dot : expected both vectors to have same dtype, but found "
                          f"{scalar_name(left)} and {scalar_name(right)}. {ADVICE}")


def lengths_differ(op, left, right):
    return error("MG201", f"inconsistent tensor size, expected tensor [{left}] and src [{right}] to have "
                          f"the same number of elements, but got {left} and {right} elements "
                          f"respectively: {op}() multiplies the entries in pairs")


def vecdot_of_integers(dtype):
    return error("MG202", "linalg.vecdot: Expected a floating point or complex tensor as input. "
                          f"Got {scalar_name(dtype.numpy)}: convert it with .double() or .float()")


def vecdot_of_two_dtypes(x, y):
    return error("MG202", "linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
                          f"{scalar_name(x.numpy)} and y of type {scalar_name(y.numpy)} instead. {ADVICE}")


def too_few_dims(left, right):
    return error("MG201", f"both arguments to matmul need to be at least 1D, but they are {left}D and {right}D. "
                          "Use * to multiply by a scalar")


def of_another_length(left, right):
    matrix = len(right) > 1
    return error("MG201", f"mat1 and mat2 shapes cannot be multiplied: matmul() of shapes {list(left)} and "
                          f"{list(right)} needs the last dim of the first ({left[-1]}) to be as long as the "
                          f"{'second-last dim of the second' if matrix else 'vector'} ({right[-2 if matrix else 0]}). "
                          "Is a transpose (.mT) missing?")


def sum_of_two_dtypes(op, added, product):
    return error("MG202", f"self and mat2 must have the same dtype, but got {scalar_name(added)} and "
                          f"{scalar_name(product)}: {op}() adds a product to a tensor of its own dtype. {ADVICE}")


def beyond_the_product(op, shape, product):
    return error("MG201", f"{op}(): the expanded size of the tensor must match the existing size: self of shape "
                          f"{list(shape)} does not broadcast to the shape of the product, {list(product)}")


def floating_factor(name, value):
    return error("MG204", f"addr(): For integral input tensors, argument {name} must not be a floating point "
                          f"number, but got {value}")


def trace_of_no_matrix(ndim):
    return error("MG201", f"trace: expected a matrix, but got tensor with dim {ndim}. "
                          "For batches write x.diagonal(dim1=-2, dim2=-1).sum(-1)")
