"""What a test says of its rehearsal, with markers and on the command line."""

from __future__ import annotations

import os
from typing import Any

import pytest

STAGES = ("sim", "scripted", "live")
FIELDS = (
    "agent",
    "stage",
    "scenario",
    "plugins",
    "checks",
    "project",
    "workflow",
    "permissions",
    "args",
    "env",
    "model",
    "timeout_ms",
    "isolation",
    "allow_unused",
    "allow_unanswered",
)

MARKERS = (
    f"understudy({', '.join(FIELDS)}): how the agent of this test is rehearsed; paths are relative to the test file",
    "agent(name, ...): the agent, such as 'claude' or 'claude@2.1.325'; several run the test once for each",
    "stage(name, ...): where it is played: sim, scripted or live; several run the test once for each",
)


def options_of(node: pytest.Item) -> dict[str, Any]:
    """The options of a test: from the outermost marker to the nearest, then the command line."""
    options: dict[str, Any] = {}
    for mark in reversed(list(node.iter_markers("understudy"))):
        unknown = sorted(set(mark.kwargs) - set(FIELDS))
        if mark.args or unknown:
            wrong = ", ".join(unknown) or "a value without a name"
            raise pytest.UsageError(f"the marker understudy cannot take {wrong}; it takes {', '.join(FIELDS)}")
        options.update(mark.kwargs)
    for name in ("agent", "stage"):
        values = marked_values(node, name)
        if len(values) == 1:
            options[name] = values[0]
        given = node.config.getoption(f"understudy_{name}")
        if given:
            options[name] = given[0] if isinstance(given, list) else given
    isolation = node.config.getoption("understudy_isolation")
    if isolation:
        options["isolation"] = isolation
    return {name: _plain(value) for name, value in options.items()}


def marked_values(node: pytest.Item | pytest.Function, name: str) -> tuple[str, ...]:
    """What the nearest marker `agent` or `stage` names."""
    mark = node.get_closest_marker(name)
    if mark is None:
        return ()
    if not mark.args or not all(isinstance(value, str) for value in mark.args):
        raise pytest.UsageError(f"the marker {name} needs a name: @pytest.mark.{name}('…')")
    if name == "stage":
        for value in mark.args:
            if value not in STAGES:
                raise pytest.UsageError(f"there is no stage {value!r}; use one of {', '.join(STAGES)}")
    return tuple(mark.args)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
