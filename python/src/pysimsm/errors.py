"""Exceptions of the package."""
import re


class Error(Exception):
    """simsm is missing, or a run has failed. file, line, column: where in the input, or None."""

    def __init__(self, message, file=None, line=None, column=None):
        super().__init__(message)
        self.file, self.line, self.column = file, line, column


class InputError(Error, ValueError):
    """A configuration, a trace or an argument is wrong."""


def from_text(text, status):
    """Returns the exception for what the command has written to stderr before it ended."""
    lines = [line for line in text.strip().split("\n") if not line.startswith("Try `simsm")]
    message = "\n".join(lines).removeprefix("simsm: ") or f"simsm has ended with status {status}"
    kind = InputError if status == 2 else Error
    place = re.match(r"(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? ", message)
    if not place:
        return kind(message)
    column = place["column"]
    return kind(message, place["file"], int(place["line"]), int(column) if column else None)
