"""Makes PyTorch, Triton and JAX fit a simulated device; the program stays as it is.

Python imports this file at its start, as simsm run leads PYTHONPATH here. Behind the program's
`import torch`, `import triton` or `import jax`:

- with --torch-ranges, modules and operators open NVTX ranges: hooks for all modules are set, and
  operators, steps of optimisers and the nodes of the backward pass get the ranges that
  torch.autograd.profiler.emit_nvtx gives them;
- what Triton and torch.compile measure to choose a configuration is measured once;
- JAX finds the device.
"""

import atexit
import ctypes
import importlib.util
import os
import signal
import sys
import weakref

HERE = os.path.dirname(os.path.abspath(__file__))


def name_below(modules, root):
    """Names a module that no other module has called, and all in it, in `modules`."""
    modules[root] = type(root).__name__
    for path, module in root.named_modules():
        if path:
            modules.setdefault(module, f"{path.rpartition('.')[2]}: {type(module).__name__}")


def name_operators(profiler):
    """Opens ranges for operators, until the program itself asks PyTorch's profiler for something."""
    ranges = profiler.emit_nvtx()

    def stop():
        nonlocal ranges
        ended, ranges = ranges, None
        try:
            if ended and ended.entered:
                ended.__exit__(None, None, None)
        except RuntimeError:  # the ranges belong to the thread that opened them
            pass

    def behind_stop(function):
        def stop_and_call(*arguments, **named):
            stop()
            return function(*arguments, **named)

        return stop_and_call

    ranges.__enter__()
    for name in ("_prepare_profiler", "_enable_profiler"):
        setattr(profiler, name, behind_stop(getattr(profiler, name)))


def watch(torch):
    """Opens ranges for what `torch`, the imported package, does from now on."""
    from torch.nn.modules import module as hooks

    names = weakref.WeakKeyDictionary()

    # torch.compile traces the hooks, too: what it compiles to has none.
    def enter(module, _inputs):
        if torch.compiler.is_compiling():
            return
        if module not in names:
            name_below(names, module)
        torch.cuda.nvtx.range_push(names[module])

    def leave(_module, _inputs, _output):
        if not torch.compiler.is_compiling():
            torch.cuda.nvtx.range_pop()

    hooks.register_module_forward_pre_hook(enter)
    hooks.register_module_forward_hook(leave, always_call=True)
    # When the program first uses the device: not earlier, as processes fork before.
    torch.cuda._lazy_call(lambda: name_operators(torch.autograd.profiler))


def call_first(function):
    """Calls what is measured next, as a first call compiles it. Functional calls do not differ."""
    if not os.environ.get("SIMSM_FUNCTIONAL"):
        function()


def measure_once(interface, function):
    """Returns the time of a call in ms. Simulated time needs no repeats, and L2 is empty."""
    begin, end = (interface.Event(enable_timing=True) for _ in range(2))
    begin.record()
    function()
    end.record()
    interface.synchronize()
    return begin.elapsed_time(end)


def measure_for_triton(testing):
    """Makes do_bench, by which Triton chooses configurations, time one call behind a first one."""

    def do_bench(fn, warmup=0, rep=0, grad_to_none=None, quantiles=None, return_mode="mean"):
        call_first(fn)
        for tensor in grad_to_none or []:
            tensor.grad = None
        interface = testing.runtime.driver.active.get_device_interface()
        return testing._summarize_statistics([measure_once(interface, fn)], quantiles, return_mode)

    testing.do_bench = do_bench


def measure_for_inductor(benchmarking):
    """Likewise for torch.compile."""

    def benchmark_gpu(_self, function, *_arguments, return_mode="min", **_named):
        call_first(function)
        time = measure_once(benchmarking.torch.cuda, function)
        return [time] if return_mode == "all" else time

    benchmarking.InductorBenchmarker.benchmark_gpu = benchmark_gpu


def find_device_for_jax(hardware):
    """JAX looks for the files of NVIDIA's kernel driver, which are not here."""
    hardware.has_visible_nvidia_gpu = lambda: True


AFTER = {
    "jax._src.hardware_utils": find_device_for_jax,
    "triton.testing": measure_for_triton,
    "torch._inductor.runtime.benchmarking": measure_for_inductor,
}
if os.environ.get("SIMSM_TORCH_RANGES"):
    AFTER["torch"] = watch


class AfterImport:
    """A finder of modules that finds nothing itself and calls a function behind an import."""

    def find_spec(self, name, _path=None, _target=None):
        then = AFTER.pop(name, None)
        spec = importlib.util.find_spec(name) if then else None
        if not spec or not spec.loader:
            return None
        execute = spec.loader.exec_module

        def execute_and_call(module):
            execute(module)
            then(module)

        spec.loader.exec_module = execute_and_call
        return spec


def end_if_interrupted():
    """Lets a program that Ctrl-C has ended print its report; Python would end it by the signal."""
    interactive = hasattr(sys, "ps1")  # goes on after Ctrl-C
    if getattr(sys, "last_type", None) is KeyboardInterrupt and not interactive:
        sys.stdout.flush()
        sys.stderr.flush()
        ctypes.CDLL(None).exit(128 + signal.SIGINT)


def go_on():
    """Imports the sitecustomize that Python would have found without this one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    del sys.modules[__name__]
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        pass
    sys.modules.setdefault(__name__, sys.modules.get("sitecustomize"))


sys.meta_path.insert(0, AfterImport())
atexit.register(end_if_interrupted)
go_on()
