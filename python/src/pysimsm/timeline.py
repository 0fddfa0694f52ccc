"""Timelines (.smtl): what each warp slot of the recorded SMs did in every cycle."""
from typing import NamedTuple

from pysimsm.arguments import path_of, whole
from pysimsm.errors import InputError
from pysimsm.run import launch_dict
from pysimsm.simulator import library


class Span(NamedTuple):
    """A slot is in one state in the cycles [start, end). line: index into Timeline.lines of the instruction
    at the head of its warp."""
    slot: int
    start: int
    end: int
    state: str
    line: int


class Issue(NamedTuple):
    """An instruction that a warp issues. lanes: mask of the active ones."""
    slot: int
    cycle: int
    line: int
    lanes: int


class Warp(NamedTuple):
    """A warp that takes a slot."""
    slot: int
    cycle: int
    block: int
    warp: int


class Timeline:
    """A timeline file. It can be used in a with statement; else close() or the collector closes it."""

    def __init__(self, path):
        self._library = found = library()
        pointer, error = found.ffi.new("struct simsm_timeline **"), found.ffi.new("struct simsm_error *")
        found.check(found.lib.simsm_timeline_open(pointer, path_of(path, "the timeline").encode(), error), error)
        self._timeline = found.ffi.gc(pointer[0], found.lib.simsm_timeline_close)
        info = found.lib.simsm_timeline_info(self._timeline)
        self.gpu, self.trace = found.text(info.gpu), found.text(info.trace)
        self.program, self.command_line = found.text(info.program), found.text(info.command_line)
        self.config = found.text(info.config)
        self.launch = launch_dict(found, info.launch)
        self.cycles, self.complete, self.damage = info.cycles, info.complete, found.text(info.damage)
        self.clock_hz = 1000 * info.clock_khz
        self.sub_partitions, self.slots = info.sub_partitions, info.slots
        self.sms = [info.sm[i] for i in range(info.sm_count)]
        self.states = [found.text(info.states[i]) for i in range(info.state_count)]
        self.lines = [(found.text(info.lines[i].text), info.lines[i].line)
                      for i in range(info.line_count)]

    def close(self):
        """Closes the file; the attributes stay."""
        if self._timeline:
            self._library.ffi.release(self._timeline)
            self._timeline = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, sm, start, end):
        found = self._library
        if self._timeline is None:
            raise InputError("the timeline is closed")
        part, error = found.ffi.new("struct simsm_timeline_part *"), found.ffi.new("struct simsm_error *")
        sm = self.sms[0] if sm is None else whole(sm, "sm", most=2**32 - 1)
        end = 2**64 - 1 if end is None else whole(end, "end")
        status = found.lib.simsm_timeline_read(self._timeline, sm, whole(start, "start"), end, part, error)
        found.check(status, error)
        return found.ffi.gc(part, found.lib.simsm_timeline_part_free)

    def spans(self, sm=None, start=0, end=None):
        """Returns the list of Spans of an SM (None: the first recorded one), by slot, then by cycle."""
        part = self._read(sm, start, end)
        spans = self._library.ffi.unpack(part.spans, part.span_count) if part.span_count else []
        return [Span(s.slot, getattr(s, "from"), s.to, self.states[s.state], s.line) for s in spans]

    def issues(self, sm=None, start=0, end=None):
        """Returns the list of Issues of an SM, by slot, then by cycle."""
        part = self._read(sm, start, end)
        issues = self._library.ffi.unpack(part.issues, part.issue_count) if part.issue_count else []
        return [Issue(i.slot, i.cycle, i.line, i.lanes) for i in issues]

    def warps(self, sm=None, start=0, end=None):
        """Returns the list of Warps that held slots of an SM, by slot, then by cycle."""
        part = self._read(sm, start, end)
        warps = self._library.ffi.unpack(part.warps, part.warp_count) if part.warp_count else []
        return [Warp(w.slot, w.cycle, w.block, w.warp) for w in warps]

    def slot(self, slot, sm=None, start=0, end=None):
        """Returns the state of one slot in each cycle from `start` on, a list of names."""
        slot = whole(slot, "slot", most=self.slots - 1)
        return [span.state for span in self.spans(sm, start, end) if span.slot == slot
                for _ in range(span.end - span.start)]
