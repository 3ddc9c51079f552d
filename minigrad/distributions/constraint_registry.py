"""From a constraint to a transform onto its region.

    scale = transform_to(constraints.positive)(unconstrained)

Optimizers and samplers work on all real numbers; a transform takes them to where the parameter is valid.
``biject_to`` gives one with an inverse and a Jacobian, for inference; ``transform_to`` may overparametrize, which
suits optimization: softmax for probabilities, where ``biject_to`` breaks a stick.
"""

from minigrad._core.errors import error
from minigrad.distributions import constraints, transforms
from minigrad.distributions.utils import is_number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """{class of constraints: a function that makes the transform of one}."""

    def __init__(self):
        self._registry = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Use ``factory(constraint)`` for a class of constraints, or the class of one; without it, a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise error("MG205", "Expected constraint to be either a Constraint subclass or instance, but got "
                                 f"{constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) not in self._registry:
            raise error("MG732", f"Cannot transform {type(constraint).__name__} constraints")
        return self._registry[type(constraint)](constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _register(*kinds, to=(biject_to, transform_to)):
    def registered(factory):
        for registry in to:
            for kind in kinds:
                registry.register(kind, factory)
        return factory
    return registered


@_register(constraints.real)
def _real(constraint):
    return transforms.identity_transform


@_register(constraints.positive, constraints.nonnegative)
def _above(constraint):
    return transforms.ComposeTransform([transforms.ExpTransform(),
                                        transforms.AffineTransform(constraint.lower_bound, 1)])


@_register(constraints.less_than)
def _below(constraint):
    return transforms.ComposeTransform([transforms.ExpTransform(),
                                        transforms.AffineTransform(constraint.upper_bound, -1)])


@_register(constraints.interval, constraints.half_open_interval)
def _between(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and is_number(high) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


@_register(constraints.corr_cholesky)
def _corr_cholesky(constraint):
    return transforms.CorrCholeskyTransform()


@_register(constraints.simplex, to=[biject_to])
def _sticks(constraint):
    return transforms.StickBreakingTransform()


@_register(constraints.simplex, to=[transform_to])
def _softmax(constraint):
    return transforms.SoftmaxTransform()


@_register(constraints.lower_cholesky, to=[transform_to])
def _lower_cholesky(constraint):
    return transforms.LowerCholeskyTransform()


@_register(constraints.positive_definite, constraints.positive_semidefinite, to=[transform_to])
def _positive_definite(constraint):
    return transforms.PositiveDefiniteTransform()


def _register_composed(registry):
    """The constraints that consist of others, whose transforms are looked up in the same registry."""
    registry.register(constraints.independent, lambda constraint: transforms.IndependentTransform(
        registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims))
    registry.register(constraints.cat, lambda constraint: transforms.CatTransform(
        [registry(each) for each in constraint.cseq], constraint.dim, constraint.lengths))
    registry.register(constraints.stack, lambda constraint: transforms.StackTransform(
        [registry(each) for each in constraint.cseq], constraint.dim))


_register_composed(biject_to)
_register_composed(transform_to)
