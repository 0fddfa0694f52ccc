"""Findings of `simsm check`, read from its SARIF file."""
import json
import os
from dataclasses import dataclass, field
from typing import List, Optional


@dataclass(frozen=True)
class Place:
    """A place that a finding names. what: "read", "launched", "allocated" and so on, or ""."""
    what: str
    function: str
    file: str = ""
    line: Optional[int] = None


@dataclass(frozen=True)
class Finding:
    """A mistake. kind: such as "race/shared"; level: "error", "warning" or "note"."""
    kind: str
    level: str
    message: str
    times: int = 1
    places: List[Place] = field(default_factory=list)

    @property
    def tool(self):
        """The part of the kind in front of the slash, such as "race"."""
        return self.kind.split("/")[0]

    @property
    def serious(self):
        """Whether the finding makes a check fail: notes do not."""
        return self.level != "note"


def _place(location):
    physical = location.get("physicalLocation", {})
    logical = location.get("logicalLocations", [{}])
    return Place(what=location.get("message", {}).get("text", ""),
                 function=logical[0].get("fullyQualifiedName", ""),
                 file=physical.get("artifactLocation", {}).get("uri", ""),
                 line=physical.get("region", {}).get("startLine"))


def read_findings(path):
    """Returns the findings of a SARIF file; none if there is no file, as of a program that makes no
    call of CUDA."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    return [Finding(kind=result.get("ruleId", ""), level=result.get("level", "warning"),
                    message=result.get("message", {}).get("text", ""),
                    times=result.get("occurrenceCount", 1),
                    places=[_place(location) for location in
                            result.get("locations", []) + result.get("relatedLocations", [])])
            for run in log.get("runs", []) for result in run.get("results", [])]
