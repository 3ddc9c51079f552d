"""Write minigrad/stand_ins/surface.txt: the names of PyTorch that are inert.  Needs torch.

    python tools/make_stand_ins.py

What PyTorch has in the modules that are inert as a whole is recorded; of other modules, the names below.  A class is
``subclassed``, and a function is ``named``, but for those that are listed here as something else.
"""

import ast
import contextlib
import enum
import fnmatch
import importlib
import inspect
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "minigrad" / "stand_ins" / "surface.txt"
PATHS = (ROOT / "minigrad" / "_paths.py").read_text(encoding="utf-8")
LEFT_OUT = ROOT / "minigrad" / "_core" / "errors" / "left_out.txt"
PUBLISHED = ROOT / "tests" / "parity" / "packages" / "names.txt"

#: modules of which all public names are inert
WHOLE = """
torch.fx torch.fx.graph torch.fx.graph_module torch.fx.immutable_collections torch.fx.interpreter torch.fx.node
torch.fx.proxy torch.fx.traceback torch.fx.experimental torch.fx.experimental.proxy_tensor
torch.fx.experimental.symbolic_shapes torch.fx.passes torch.fx.passes.shape_prop torch.fx.passes.graph_drawer
torch.fx.operator_schemas torch.fx.subgraph_rewriter
torch._dynamo torch._dynamo.config torch._dynamo.eval_frame torch._inductor torch._inductor.config torch._export
torch.export torch.onnx torch.onnx.symbolic_helper torch.onnx.operators torch.package torch.monitor
torch.ao torch.ao.quantization torch.ao.nn torch.ao.nn.quantized torch.ao.nn.intrinsic torch.ao.nn.qat torch.ao.pruning
torch.quantization torch.nn.quantized torch.nn.intrinsic torch.nn.qat
torch.jit.annotations torch.jit.frontend
torch.distributed.rpc torch.distributed.autograd torch.distributed.optim torch.distributed.fsdp
torch.distributed.fsdp.wrap torch.distributed.fsdp.api torch.distributed.fsdp.fully_sharded_data_parallel
torch.distributed.fsdp.sharded_grad_scaler
torch.distributed.tensor torch.distributed.tensor.parallel torch.distributed.tensor.placement_types
torch.distributed.device_mesh torch.distributed.checkpoint torch.distributed.checkpoint.state_dict
torch.distributed.checkpoint.stateful torch.distributed.elastic torch.distributed.elastic.multiprocessing
torch.distributed.elastic.multiprocessing.errors torch.distributed.elastic.agent.server
torch.distributed.launcher torch.distributed.launcher.api torch.distributed.algorithms.join
torch.distributed.algorithms._checkpoint.checkpoint_wrapper torch.distributed.pipelining
torch.distributed.distributed_c10d torch.distributed._tensor torch.distributed._composable
torch.distributed._composable.fsdp torch.distributed.algorithms.ddp_comm_hooks
torch.distributed.algorithms.ddp_comm_hooks.default_hooks
torch.cuda.nvtx torch.cuda.streams torch.cuda.graphs torch.cuda.random torch.cuda.memory torch.cuda.tunable
torch.nn.parallel.scatter_gather torch.nn.parallel.comm torch.nn.parallel.replicate torch.nn.parallel.parallel_apply
torch.sparse torch.nested torch.mtia torch.utils.cpp_extension torch.utils.flop_counter torch.utils.mobile_optimizer
torch.utils.bundled_inputs torch.utils._python_dispatch
torch.nn.attention.bias torch.backends.xnnpack torch.backends.quantized torch.backends.cusparselt
torch._subclasses torch._subclasses.fake_tensor torch._higher_order_ops torch._functorch
""".split()
#: names that are inert in modules that minigrad has
PART = """
torch.jit.ScriptModule torch.jit.RecursiveScriptModule torch.jit.ScriptFunction torch.jit.TracerWarning
torch.jit.TopLevelTracedModule torch.jit.TracedModule torch.jit.CompilationUnit torch.jit.Error torch.jit.Attribute
torch.jit.Future torch.jit.save torch.jit.load torch.jit.fork torch.jit.wait torch.jit.freeze
torch.jit.optimize_for_inference torch.jit.trace_module torch.jit.script_method torch.jit.script_if_tracing
torch.jit.interface torch.jit.strict_fusion torch.jit.optimized_execution torch.jit.onednn_fusion_enabled
torch.jit.enable_onednn_fusion torch.jit.set_fusion_strategy torch.jit.last_executed_optimized_graph
torch.jit._overload torch.jit._overload_method torch.jit._script_if_tracing torch.jit._unwrap_optional
torch.jit.export_opnames torch.jit.run_frozen_optimizations
torch._C.Value torch._C.Graph torch._C.Node torch._C.Block torch._C.Type torch._C.FunctionSchema torch._C.ScriptModule
torch._C.ScriptFunction torch._C.TensorType torch._C.ListType torch._C.OptionalType torch._C.DispatchKey
torch._C._ExcludeDispatchKeyGuard torch._C.Argument torch._C.Future torch._C.PyTorchFileReader
torch._C._get_tracing_state
torch._C._log_api_usage_once torch._C._is_tracing torch._C._get_privateuse1_backend_name
torch._C._functorch torch._C._distributed_c10d torch._C._jit_set_profiling_executor
torch._C._jit_set_profiling_mode torch._C._debug_only_are_vmap_fallback_warnings_enabled
torch._C._get_tracing_state torch._C._jit_pass_inline torch._C._onnx
torch._C._len_torch_function_stack torch._C._is_torch_function_mode_enabled torch._C._jit_set_texpr_fuser_enabled
torch._C._jit_override_can_fuse_on_cpu torch._C._jit_override_can_fuse_on_gpu
torch._C._jit_set_nvfuser_enabled torch._C._debug_set_autodiff_subgraph_inlining
torch.cuda.Stream torch.cuda.Event torch.cuda.ExternalStream torch.cuda.stream torch.cuda.current_stream
torch.cuda.default_stream torch.cuda.device torch.cuda.device_of torch.cuda.CUDAGraph torch.cuda.graph
torch.cuda.StreamContext torch.cuda.OutOfMemoryError torch.cuda.CudaError torch.cuda.init torch.cuda.get_rng_state
torch.cuda.set_rng_state torch.cuda.memory_summary
torch.cuda.mem_get_info torch.cuda.memory_stats torch.cuda.ipc_collect torch.cuda.is_current_stream_capturing
torch.cuda.get_arch_list torch.cuda.set_per_process_memory_fraction torch.cuda.make_graphed_callables
torch.cuda.FloatTensor torch.cuda.HalfTensor torch.cuda.LongTensor torch.cuda.ByteTensor torch.cuda.BoolTensor
torch.cuda.DoubleTensor torch.cuda.IntTensor torch.cuda.ShortTensor torch.cuda.CharTensor torch.cuda.BFloat16Tensor
torch.Stream torch.Event torch.OutOfMemoryError torch.AcceleratorError torch.Tag torch.DispatchKey torch.FunctionSchema
torch.ScriptModule torch.ScriptFunction torch.Graph torch.Value torch.Node torch.JITException torch.CompilationUnit
torch.SymInt torch.SymFloat torch.SymBool torch.Future torch.PyTorchFileReader torch.PyTorchFileWriter
torch.float8_e4m3fn torch.float8_e5m2 torch.float8_e4m3fnuz torch.float8_e5m2fnuz torch.float8_e8m0fnu
torch.float4_e2m1fn_x2 torch.qint8 torch.quint8 torch.qint32 torch.quint4x2 torch.quint2x4 torch.complex32 torch.chalf
torch.uint1 torch.uint2 torch.uint3 torch.uint4 torch.uint5 torch.uint6 torch.uint7 torch.int1 torch.int2 torch.int3
torch.int4 torch.int5 torch.int6 torch.int7 torch.bits8 torch.bits16 torch.bits1x8 torch.bits2x4 torch.bits4x2
torch.jagged torch.sparse_coo torch.sparse_csr torch.sparse_csc torch.sparse_bsr torch.sparse_bsc
torch.storage.TypedStorage torch.TypedStorage torch.qscheme torch.per_tensor_affine torch.per_channel_affine
torch.per_tensor_symmetric
torch.per_channel_symmetric torch.per_channel_affine_float_qparams
torch.library.Library torch.library.define torch.library.impl torch.library.opcheck torch.library.get_kernel
torch.library.triton_op torch.library.wrap_triton torch.library.register_kernel
torch.library.infer_schema torch.library.fallthrough_kernel torch.library.get_ctx
torch.distributed.Backend torch.distributed.Store torch.distributed.TCPStore torch.distributed.FileStore
torch.distributed.HashStore torch.distributed.PrefixStore torch.distributed.GradBucket torch.distributed.Reducer
torch.distributed.Logger torch.distributed.ProcessGroupGloo torch.distributed.DeviceMesh
torch.distributed.init_device_mesh torch.distributed.new_subgroups torch.distributed.BuiltinCommHookType
torch.distributed.DistNetworkError torch.distributed.rendezvous
torch.xpu.device torch.xpu.set_device torch.xpu.get_device_name torch.xpu.get_device_capability
torch.xpu.get_device_properties torch.xpu.get_rng_state torch.xpu.set_rng_state torch.xpu.set_rng_state_all
torch.xpu.mem_get_info torch.xpu.current_device torch.xpu.Stream torch.xpu.Event torch.xpu.stream
torch.xpu.current_stream torch.xpu.StreamContext
torch.nn.parallel.replicate torch.nn.parallel.parallel_apply
torch.nn.parallel.scatter torch.nn.parallel.gather
torch._utils.ExceptionWrapper torch._utils._rebuild_tensor_v2 torch._utils._rebuild_parameter
torch._utils._rebuild_tensor torch._utils._flatten_dense_tensors torch._utils._unflatten_dense_tensors
torch._utils._get_available_device_type torch._utils._get_all_device_indices torch._utils.is_compiling
torch.mps.Event torch.mps.recommended_max_memory torch.mps.set_per_process_memory_fraction
""".split()

#: private names that published packages import
PRIVATE = """
torch.distributed.rpc.api._require_initialized
torch._custom_ops torch._custom_ops.custom_op torch._custom_ops.impl torch._custom_ops.impl_abstract
torch._tensor_str.PRINT_OPTS torch._tensor_str._tensor_str torch._tensor_str._str_intern torch._tensor_str._add_suffixes
torch._ops.HigherOrderOperator torch._ops.OpOverload torch._ops.OpOverloadPacket
torch._higher_order_ops.associative_scan.associative_scan torch._jit_internal._copy_to_script_wrapper
torch._jit_internal.boolean_dispatch torch._jit_internal.BroadcastingList2 torch._jit_internal.export
torch._jit_internal.ignore torch._jit_internal.unused torch._jit_internal._overload
torch._prims_common.is_contiguous_or_false torch._subclasses.meta_utils.MetaConverter
torch._subclasses.functional_tensor.FunctionalTensor torch._subclasses.functional_tensor.mb_unwrap_functional_tensor
torch._C._functorch.is_batchedtensor torch._C._functorch.is_gradtrackingtensor torch._C._functorch.get_unwrapped
torch._C._functorch._add_batch_dim torch._C._functorch._remove_batch_dim torch._C._functorch.maybe_get_bdim
torch._C._functorch.is_functorch_wrapped_tensor
torch._functorch.vmap._maybe_remove_batch_dim torch._functorch.vmap._process_batched_inputs
torch._functorch.vmap._broadcast_to_and_flatten torch._functorch.vmap._create_batched_inputs
torch._functorch.vmap._unwrap_batched torch._functorch.vmap._flatten_chunks_output
torch._functorch.vmap._get_chunked_inputs torch._functorch.vmap._validate_and_get_batch_size
torch._dynamo.variables.tensor.TensorVariable torch._dynamo.variables.constant.ConstantVariable
torch._dynamo.variables.builder.wrap_fx_proxy torch._dynamo.exc.TensorifyScalarRestartAnalysis
torch._dynamo.utils.is_compile_supported torch._inductor.codecache.extract_tensor_metadata_for_cache_key
torch.jit._get_trace_graph torch.fx._symbolic_trace.Tracer torch.fx._symbolic_trace.PHWithMeta
torch.nested._internal.nested_tensor.NestedTensor torch.nested._internal.ops.extract_kwargs
torch.distributed._functional_collectives.all_reduce
torch.distributed._functional_collectives.wait_tensor
torch.distributed._functional_collectives.all_to_all_single_autograd
torch.distributed._composable.fsdp.fully_shard torch.distributed._composable.fsdp.FSDPModule
torch.distributed._tensor.DTensor torch.distributed._tensor.distribute_tensor torch.distributed._tensor.Replicate
torch.distributed._tensor.experimental.implicit_replication torch.export._trace._export
torch.distributed.tensor._utils.compute_local_shape_and_global_offset
torch.utils._python_dispatch.TorchDispatchMode torch.utils._sympy.value_ranges.ValueRanges
torch.utils._sympy.numbers.IntInfinity torch._utils._get_device_module
torch.nn.utils._per_sample_grad.call_for_per_sample_grads
""".split()

#: what gives back what it is given, or surrounds a block
DECORATES = """
torch.jit.script_if_tracing torch.jit._script_if_tracing torch.jit._overload torch.jit._overload_method
torch.jit.script_method torch.jit.interface torch.jit.strict_fusion torch.jit.optimized_execution
torch.jit.optimize_for_inference torch.jit.freeze torch.jit._unwrap_optional torch.jit.trace_module
torch.fx.wrap torch.fx.experimental.proxy_tensor.disable_proxy_modes_tracing torch.fx.traceback.preserve_node_meta
torch.fx.traceback.annotate_fn torch.fx.traceback.annotate torch.fx.node.has_side_effect torch.fx.has_side_effect
torch._custom_ops.impl_abstract torch._jit_internal._copy_to_script_wrapper torch._jit_internal.export
torch._jit_internal.ignore torch._jit_internal.unused torch._jit_internal._overload
torch._dynamo.disable torch._dynamo.allow_in_graph torch._dynamo.disallow_in_graph torch._dynamo.optimize
torch._dynamo.assume_constant_result torch._dynamo.run torch._dynamo.forbid_in_graph torch._dynamo.nonstrict_trace
torch._dynamo.optimize_assert torch._dynamo.set_stance torch._dynamo.substitute_in_graph torch._dynamo.dont_skip_tracing
torch._dynamo.patch_dynamo_config
torch._dynamo._trace_wrapped_higher_order_op.TransformGetItemToIndex torch._dynamo.eval_frame.optimize
torch.library.register_fake torch.library.impl_abstract torch.library.register_vmap
torch.library.register_torch_dispatch torch.library.register_autocast
torch.cuda.nvtx.range torch.cuda.stream torch.cuda.device torch.cuda.device_of torch.cuda.StreamContext
torch.xpu.stream torch.xpu.device torch.xpu.StreamContext torch.distributed.elastic.multiprocessing.errors.record
torch.onnx.symbolic_helper.parse_args torch._subclasses.fake_tensor.unset_fake_temporarily
torch.package.is_from_package torch.distributed.rpc.api._require_initialized
""".split()

#: questions, and marks for what is not here: the answer
ASKS = {
    "torch._C._get_tracing_state": None, "torch._C._log_api_usage_once": None, "torch._C._is_tracing": False,
    "torch._C._get_privateuse1_backend_name": "privateuseone",
    "torch._C._len_torch_function_stack": 0,
    "torch._C._functorch.is_batchedtensor": False, "torch._C._functorch.is_gradtrackingtensor": False,
    "torch._C._functorch.is_functorch_wrapped_tensor": False, "torch._dynamo.utils.is_compile_supported": False,
    "torch.onnx.register_custom_op_symbolic": None, "torch.onnx.unregister_custom_op_symbolic": None,
    "torch._dynamo.is_compiling": False, "torch._dynamo.is_dynamo_supported": False, "torch._dynamo.reset": None,
    "torch._dynamo.list_backends": [], "torch._dynamo.graph_break": None, "torch._dynamo.mark_dynamic": None,
    "torch._dynamo.mark_static": None, "torch._dynamo.maybe_mark_dynamic": None,
    "torch._dynamo.mark_static_address": None, "torch._dynamo.eval_frame.is_dynamo_supported": False,
    "torch._dynamo.external_utils.is_compiling": False, "torch._dynamo.is_inductor_supported": False,
    "torch._dynamo.eval_frame.is_inductor_supported": False,
    "torch.onnx.is_in_onnx_export": False, "torch.jit.onednn_fusion_enabled": False,
    "torch.distributed.rpc.is_available": False, "torch.fx.experimental.proxy_tensor.get_proxy_mode": None,
    "torch.fx._symbolic_trace.is_fx_tracing": False, "torch.fx._symbolic_trace.is_fx_symbolic_tracing": False,
    "torch.cuda.is_current_stream_capturing": False, "torch.cuda.get_arch_list": [], "torch.cuda.ipc_collect": None,
    "torch.cuda.memory_stats": {}, "torch.cuda.memory.memory_stats": {},
    "torch.cuda.random.get_rng_state_all": [],
    "torch.cuda.graphs.is_current_stream_capturing": False,
    "torch._utils._get_available_device_type": None, "torch._utils.is_compiling": False,
    "torch._utils._get_all_device_indices": [], "torch.xpu.empty_cache": None, "torch.xpu.synchronize": None,
    "torch.xpu.manual_seed_all": None, "torch.xpu.seed": None, "torch.xpu.seed_all": None,
    "torch.xpu.memory_allocated": 0, "torch.xpu.memory_reserved": 0, "torch.xpu.max_memory_allocated": 0,
    "torch.xpu.max_memory_reserved": 0, "torch.xpu.reset_peak_memory_stats": None,
    "torch.xpu.is_bf16_supported": False, "torch.xpu.get_rng_state_all": [],
    "torch.xpu.is_current_stream_capturing": False, "torch.xpu.is_initialized": False,
    "torch.mps.empty_cache": None, "torch.mps.current_allocated_memory": 0, "torch.mps.driver_allocated_memory": 0,
    "torch.mtia.is_available": False, "torch.mtia.device_count": 0, "torch.mtia.is_initialized": False,
    "torch.fx.experimental.symbolic_shapes.is_concrete_bool": True,
    "torch.fx.experimental.symbolic_shapes.is_concrete_int": True,
    "torch.fx.experimental.symbolic_shapes.has_free_symbols": False,
    "torch.utils._python_dispatch._get_current_dispatch_mode": None,
    "torch.utils._python_dispatch.is_traceable_wrapper_subclass": False,
    "torch._subclasses.fake_tensor.is_fake": False,
    "torch.backends.cusparselt.is_available": False,
    "torch.backends.cusparselt.version": None,
}


def value_of(full):
    """What PyTorch has under a dotted name."""
    module, name = None, full
    trail = []
    while module is None:
        name, _, last = name.rpartition(".")
        trail.insert(0, last)
        if not name:
            raise LookupError(full)
        with contextlib.suppress(ImportError):
            module = importlib.import_module(name)
    value = module
    for each in trail:
        value = getattr(value, each)
    return value


def is_ours(value):
    """Whether a value is PyTorch's, and not a module or a function of Python."""
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
    return isinstance(home, str) and home.startswith("torch")


def public(namespace):
    """The public names of a module that is inert as a whole: what PyTorch defines, and plain constants."""
    module = importlib.import_module(namespace)
    for name in sorted(set(dir(module)) | {*getattr(module, "__all__", ())}):
        if name.startswith("_") or not hasattr(module, name):
            continue
        value = getattr(module, name)
        if not inspect.ismodule(value) and (is_ours(value) or name in getattr(module, "__all__", ())
                                            or name.isupper() and literal(value) is not None
                                            or namespace.endswith(".config") and literal(value) is not None):
            yield name


def published():
    """Names that published packages say, in modules that are inert."""
    for line in PUBLISHED.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split()[0]


def is_private(namespace):
    return "._" in namespace


def has(namespace):
    """Whether minigrad has a module of this path, or of another name (``_paths.py``)."""
    if namespace.startswith("torch.utils.data.") or f'"{namespace.replace("torch", "minigrad", 1)}":' in PATHS:
        return True
    path = ROOT / "minigrad" / Path(*namespace.split(".")[1:])
    return path.is_dir() or path.with_suffix(".py").exists()


def literal(value):
    """The text of a constant that is short and has no spaces; None for anything else."""
    if type(value) in (bool, int, float, str, type(None), tuple, list, dict, set):
        text = repr(value).replace(" ", "")
        with contextlib.suppress(ValueError, SyntaxError):
            if len(text) <= 40 and ast.literal_eval(text) == value and not any(map(str.isspace, text)):
                return text
    return None


def entry(full, value):
    """(kind, what the file says of the name)."""
    name = full.rpartition(".")[2]
    if full in ASKS:
        return "asks", f"{name}={ASKS[full]!r}".replace(" ", "")
    if full in DECORATES:
        return "decorates", name
    if inspect.isclass(value):
        return "subclassed", name + base_of(value)
    if literal(value) is not None:
        return "named", f"{name}={literal(value)}"
    if callable(value) and not type(value).__module__.startswith("typing"):
        return "named", f"{name}()"
    if type(value).__module__ in ("typing", "types"):
        return "annotates", name
    return "named", name


def base_of(cls):
    """What a placeholder for a class must be made of, in brackets."""
    import torch
    if issubclass(cls, enum.Enum) and len(cls):
        return f"(Enum:{','.join(cls.__members__)})"
    if isinstance(getattr(cls, "__members__", None), dict) and cls.__members__:
        return f"(Enum:{','.join(cls.__members__)})"
    if issubclass(cls, BaseException):
        return f"({next(each.__name__ for each in cls.__mro__ if each.__module__ == 'builtins')})"
    if issubclass(cls, torch.nn.Module):
        return "(minigrad.nn.Module)"
    return ""


def classes_of_the_core():
    """The classes of PyTorch's core at the top that left_out.txt leaves out: packages annotate with them."""
    import torch
    left_out = {word for line in LEFT_OUT.read_text(encoding="utf-8").splitlines() if line.startswith(" ")
                for word in line.split()}
    for name, value in sorted(vars(torch).items()):
        if (inspect.isclass(value) and not name.startswith("_") and value.__module__ in ("torch", "torch._C")
                and any(pattern.startswith("torch.") and pattern.count(".") == 1
                        and fnmatch.fnmatchcase(f"torch.{name}", pattern) for pattern in left_out)):
            yield f"torch.{name}"


def collected():
    """{namespace: {name: (kind, text)}}."""
    names = [f"{namespace}.{name}" for namespace in WHOLE for name in public(namespace)] + PART + PRIVATE
    names += classes_of_the_core()
    names += [full for full in DECORATES + [*ASKS]]
    inert = {full.rpartition(".")[0] for full in names if full.rpartition(".")[0] in WHOLE} | {*WHOLE}
    for full in published():
        namespace = full.rpartition(".")[0]
        if (any(f"{namespace}.".startswith(f"{each}.") for each in inert)
                or is_private(namespace) and not has(namespace)):
            names.append(full)
    found = {namespace: {} for namespace in WHOLE}
    for full in sorted({*names}):
        namespace, _, name = full.rpartition(".")
        try:
            value = value_of(full)
        except (AttributeError, LookupError):
            print("PyTorch has no", full)
            continue
        if not inspect.ismodule(value):
            found.setdefault(namespace, {})[name] = entry(full, value)
        elif full not in found:
            found[full] = {}
    return found


def main():
    import torch
    lines = [f"# The names of PyTorch {torch.__version__.partition('+')[0]} that are inert here; written by "
             "tools/make_stand_ins.py.  __init__.py says what the kinds are."]
    for namespace, names in sorted(collected().items()):
        lines.append(namespace)
        for kind in ("named", "subclassed", "decorates", "annotates", "asks"):
            said = sorted(text for each, text in names.values() if each == kind)
            lines += [f" {kind} {' '.join(said)}"] if said else []
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
