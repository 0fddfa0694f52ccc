"""Finds the simulator, and loads its library with cffi from the library's own headers."""
import difflib
import functools
import os
import re
import shutil
from pathlib import Path

from pysimsm.arguments import mapping, path_of
from pysimsm.errors import Error, InputError

HEADER = "share/simsm/simsm_cdef.h"
BUNDLED = Path(__file__).parent / "simulator"  # in wheels


def find_simsm(command=None):
    """Returns the path of the simsm command: `command`, $SIMSM, that of the wheel, or the one on the
    path."""
    wanted = command or os.environ.get("SIMSM")
    bundled = BUNDLED / "bin" / "simsm"
    if not wanted and bundled.exists():
        return str(bundled)
    found = shutil.which(wanted or "simsm")
    if not found:
        raise Error(f"there is no command '{wanted or 'simsm'}': install simsm, or name its command with "
                    "--simsm or $SIMSM")
    return found


def find_viewer():
    """Returns the path of simsm-view, which lies beside simsm, or None if there is none."""
    beside = Path(find_simsm()).resolve().parent / "simsm-view"
    return str(beside) if beside.exists() else shutil.which("simsm-view")


def _prefixes():
    """Yields the folders that may hold lib/ and share/ of an installed simsm."""
    if os.environ.get("PYSIMSM_PREFIX"):
        yield Path(os.environ["PYSIMSM_PREFIX"])
        return
    yield BUNDLED
    command = shutil.which(os.environ.get("SIMSM") or "simsm")
    if command:
        yield Path(command).resolve().parent.parent


class _Library:
    """ffi and lib of cffi, and what all calls need."""

    def __init__(self, prefix):
        import cffi  # pylint: disable=import-outside-toplevel
        found = [*prefix.glob("lib*/libsimsm.so*"), *prefix.glob("lib*/*/libsimsm.so*")]
        self.prefix, self.ffi = prefix, cffi.FFI()
        text = (prefix / HEADER).read_text(encoding="utf-8")
        text = re.sub(r"static inline .*?\n}\n", "", text, flags=re.S)
        self.ffi.cdef(text + "\nvoid free(void *);\n")
        self.lib = self.ffi.dlopen(str(found[0]))

    def text(self, pointer):
        """Returns a C text as str; NULL as None."""
        if pointer == self.ffi.NULL:
            return None
        return self.ffi.string(pointer).decode("utf-8", "replace")

    def check(self, status, error, names=None):
        """Raises the exception for a status that is not SIMSM_OK. names: replaces paths of temporary
        files in the message."""
        if status == self.lib.SIMSM_OK:
            return
        buffer = self.ffi.new("char[2048]")
        message = self.text(self.lib.simsm_error_text(error, buffer, 2048))
        file = self.text(error.file) or None
        for path, name in (names or {}).items():
            message, file = message.replace(path, name), name if file == path else file
        kind = InputError if status == self.lib.SIMSM_BAD_INPUT else Error
        raise kind(message, file, error.line or None, error.column or None)

    def config(self, name, settings=None):
        """Returns a struct simsm_config: of a file or a name, with settings such as
        {"sm.scheduler": "gto"}."""
        config, error = self.ffi.new("struct simsm_config *"), self.ffi.new("struct simsm_error *")
        self.check(self.lib.simsm_config_load(config, self.config_path(name).encode(), error), error)
        for key, value in mapping(settings, "settings", '{"sm.scheduler": "lrr"}').items():
            assignment = f"{key}={as_text(value)}"
            self.check(self.lib.simsm_config_set(config, assignment.encode(), error), error)
        self.check(self.lib.simsm_config_check(config, error), error)
        return config

    def config_path(self, name):
        """Returns the path of a configuration that came with the library, or `name`. The library would
        look for its files beside the interpreter, and say so of a name that is none."""
        name = path_of(name, "the configuration")
        own = self.prefix / "share/simsm/configs" / f"{name}.yaml"
        is_name = re.fullmatch(r"[\w-]+", name) and not os.path.exists(f"configs/{name}.yaml")
        if is_name and not own.exists() and not os.path.exists(name) and own.parent.is_dir():
            near = difflib.get_close_matches(name, [file.stem for file in own.parent.glob("*.yaml")], 1)
            raise InputError(f'there is no configuration "{name}" in ./configs or {own.parent}' +
                             (f"; the nearest name is {near[0]}" if near else ""))
        return str(own) if is_name and own.exists() else name


@functools.lru_cache(maxsize=None)
def library():
    """Returns the loaded library."""
    for prefix in _prefixes():
        if (prefix / HEADER).exists():
            return _Library(prefix)
    raise Error("the library of simsm was not found: install the wheel of pysimsm, or simsm itself with "
                "a shared library (cmake -DBUILD_SHARED_LIBS=ON), or name its prefix with $PYSIMSM_PREFIX")


def traces():
    """Returns the folder of the traces that come with simsm, a Path."""
    return library().prefix / "share/simsm/traces"


def as_text(value):
    """Returns a value as configurations and parameters spell it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(as_text, value)) + "]"
    return str(value)


def options_of(path, settings, parameters):
    """Returns settings and parameters as options of the command. Traces have parameters of their own;
    other inputs have the number of a launch."""
    options = [f"--set={key}={as_text(value)}" for key, value in settings.items()]
    for key, value in parameters.items():
        is_number = key == "launch" and not path.endswith(".trace")
        options.append(f"--launch-number={value}" if is_number else f"--param={key}={as_text(value)}")
    return options
