"""Opens NVTX ranges for PyTorch's modules and operators (simsm run --torch-ranges).

Python imports this file at its start, as PYTHONPATH leads here. When the program imports PyTorch,
hooks for all modules are set; the program stays as it is. Operators, steps of optimisers and the
nodes of the backward pass get the ranges that torch.autograd.profiler.emit_nvtx gives them.
"""

import atexit
import importlib.util
import os
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
        if ranges and ranges.entered:
            ranges.__exit__(None, None, None)
        ranges = None

    def behind_stop(function):
        def stop_and_call(*arguments, **named):
            stop()
            return function(*arguments, **named)

        return stop_and_call

    ranges.__enter__()
    atexit.register(stop)
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


class AfterTorch:
    """A finder of modules that finds nothing itself and calls watch() behind `import torch`."""

    def find_spec(self, name, _path=None, _target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def execute_and_watch(module):
                execute(module)
                watch(module)

            spec.loader.exec_module = execute_and_watch
        return spec


def go_on():
    """Imports the sitecustomize that Python would have found without this one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    del sys.modules[__name__]
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        pass
    sys.modules.setdefault(__name__, sys.modules.get("sitecustomize"))


sys.meta_path.insert(0, AfterTorch())
go_on()
