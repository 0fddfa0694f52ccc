"""Checks of arguments. Each raises an InputError that names the argument."""
import operator
import os
from collections.abc import Iterable, Mapping

from pysimsm.errors import InputError


def path_of(value, name, kinds="a name or a path"):
    """Returns a name or a path as str. kinds: what the argument may be, for the message."""
    path = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(path, str) or not path:
        raise InputError(f"{name} must be {kinds}, not {value!r}")
    return path


MOST = 2**64 - 1


def whole(value, name, least=0, most=MOST):
    """Returns a whole number of a range as int."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= most:
        wanted = f"from {least} to {most}" if most < MOST else f"of at least {least}"
        raise InputError(f"{name} must be a whole number {wanted}, not {value!r}")
    return number


def mapping(value, name, example):
    """Returns a mapping as a new dict; None is an empty one."""
    if value is not None and not isinstance(value, Mapping):
        raise InputError(f"{name} must be a dict such as {example}, not {value!r}")
    return dict(value or {})


def listed(value, name):
    """Returns the items of an iterable, which must not be a single text, as a list."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise InputError(f"{name} must be a list, not {value!r}")
    return list(value)
