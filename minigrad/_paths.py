"""Paths of modules that lie elsewhere: PyTorch's, where a file is called otherwise here, and our own from before.

What is imported under one of them is the module itself.  So a class has one identity under both paths, and files that
were saved under the old path still load.
"""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

from minigrad._core.errors.absent import absent_module, because

#: PyTorch's path -> where it is here
THEIRS = {
    "minigrad._C._nn": "minigrad.nn.modules.to_arguments",
    "minigrad.nn.attention": "minigrad.nn.functional.attention",
    "minigrad.nn.attention.flex_attention": "minigrad.nn.functional.flex_attention",
    "minigrad.nn.modules.channelshuffle": "minigrad.nn.modules.shuffling",
    "minigrad.nn.modules.container": "minigrad.nn.modules.containers",
    "minigrad.nn.modules.instancenorm": "minigrad.nn.modules.batchnorm",
    "minigrad.nn.modules.pixelshuffle": "minigrad.nn.modules.shuffling",
    "minigrad.nn.utils.init": "minigrad.nn.utils.skipping",
    "minigrad.utils.data._utils.collate": "minigrad.utils.data.collating",
    "minigrad.utils.data._utils.worker": "minigrad.utils.data.workers",
    **{f"minigrad.distributions.{name}": f"minigrad.distributions.{file}" for file, names in {
        "categories": "categorical multinomial one_hot_categorical",
        "composed": "independent mixture_same_family transformed_distribution",
        "counts": "bernoulli binomial continuous_bernoulli geometric negative_binomial poisson",
        "distribution": "exp_family",
        "gammas": "beta chi2 dirichlet exponential fishersnedecor gamma",
        "line": "cauchy generalized_pareto laplace normal studentT uniform von_mises",
        "multivariate": "lkj_cholesky lowrank_multivariate_normal multivariate_normal wishart",
        "transformed": "gumbel half_cauchy half_normal inverse_gamma kumaraswamy log_normal logistic_normal pareto "
                       "relaxed_bernoulli relaxed_categorical weibull",
    }.items() for name in names.split()},
}

#: our own from before -> where it is now
BEFORE = {
    "minigrad.archives": "minigrad.serialization.archive",
    "minigrad.arrays": "minigrad.creation.arrays",
    "minigrad.attributes": "minigrad.tensors.attributes",
    "minigrad.buffers": "minigrad.creation.buffers",
    "minigrad.conversions": "minigrad.tensors.to_python",
    "minigrad.exchange": "minigrad.numpy_interface.dlpack",
    "minigrad.frequencies": "minigrad.creation.frequencies",
    "minigrad.low_rank": "minigrad.linalg.low_rank",
    "minigrad.makers": "minigrad.serialization.constructors",
    "minigrad.memories": "minigrad.tensors.copy_and_pickle",
    "minigrad.nn.dropping": "minigrad.nn.functional.dropouts",
    "minigrad.nn.in_place": "minigrad.nn.functional.inplace_activations",
    "minigrad.nn.multi_head": "minigrad.nn.functional.multi_head_attention",
    "minigrad.nn.packed": "minigrad.nn.functional.packed_sequences",
    "minigrad.nn.pooling": "minigrad.nn.functional.fractional_pooling",
    "minigrad.nn.recurrent": "minigrad.nn.functional.rnn",
    "minigrad.nn.slopes": "minigrad.nn.functional.randomized_relu",
    "minigrad.numpy_calls": "minigrad.numpy_interface.functions",
    "minigrad.numpy_rearranged": "minigrad.numpy_interface.rearranging",
    "minigrad.numpy_statistics": "minigrad.numpy_interface.statistics",
    "minigrad.pickles": "minigrad.serialization.unpickler",
    "minigrad.printing": "minigrad.tensors.printing",
    "minigrad.random_fills": "minigrad.random.fills",
    "minigrad.random_laws": "minigrad.random.distributions",
    "minigrad.ranges": "minigrad.creation.ranges",
    "minigrad.safetensors": "minigrad.serialization.safetensors",
    "minigrad.sizes_and_devices": "minigrad.dtypes.sizes_and_devices",
    "minigrad.subclasses": "minigrad.tensors.subclasses",
    "minigrad.torch_files": "minigrad.serialization.torch_format",
    "minigrad.typed": "minigrad.creation.typed",
    "minigrad.windows": "minigrad.creation.windows",
    "minigrad._core.switches": "minigrad._core.runtime.grad_mode",
}


def below(package):
    """{name: module} of PyTorch's modules in this package that have another name here."""
    return {path.rpartition(".")[2]: import_module(place) for path, place in THEIRS.items()
            if path.rpartition(".")[0] == package}


class _Elsewhere:
    """Finds a module under its other path, and loads the module itself."""

    def find_spec(self, name, path=None, target=None):
        place = THEIRS.get(name) or BEFORE.get(name)
        if place:
            return ModuleSpec(name, self, origin=place)
        if not name.startswith("minigrad."):
            return None
        stand_ins, theirs = import_module("minigrad.stand_ins"), name.replace("minigrad", "torch", 1)
        if stand_ins.is_module(name):
            return stand_ins.spec(name)
        if because(theirs):                                     # or `from torch import contrib` would not say why
            raise absent_module(theirs)
        return None

    def create_module(self, spec):
        """None: Python makes an empty module, which nobody gets to see."""

    def exec_module(self, module):
        # What an import returns is what it finds here in the end.  The module itself is not touched: another thread may
        # be importing it.
        sys.modules[module.__name__] = import_module(module.__spec__.origin)


sys.meta_path.append(_Elsewhere())
