"""Agents in place for a test and for the programs that it runs, and what was called."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .client import ExpectationFailed, Understudy
from .conversation import ToolUse, tool_uses


@dataclass(frozen=True)
class Call:
    """One start of an agent, or one request of an SDK."""

    number: int
    agent: str
    """The agent; of an SDK, the protocol that it speaks: `anthropic-messages`, `openai-chat` …"""
    command: tuple[str, ...]
    prompt: str
    text: str
    """What the agent said."""
    tools: tuple[ToolUse, ...] = ()
    outcome: str | None = None
    reason: str | None = None
    cwd: str | None = None
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    code: int | None = None
    signal: str | None = None

    def __repr__(self) -> str:
        return f"<call {self.number} of {self.agent}: {self.prompt!r} → {self.text!r}>"


@dataclass(frozen=True)
class ProgramRun:
    """A program that has ended, with its calls."""

    run: int
    code: int | None
    signal: str | None
    stdout: str
    stderr: str
    milliseconds: float
    timed_out: bool
    leftovers: tuple[str, ...]
    """Processes that it left running. They were ended."""
    calls: tuple[Call, ...]
    not_in_place: tuple[str, ...]
    """Real agents and services that it tried to reach. It did not reach them."""
    unsupported: tuple[str, ...] = ()
    """What it asked of stand-ins that only the real agents can do."""
    _of: PlacedAgents | None = field(default=None, repr=False, compare=False)

    def expect(self, **expected: Any) -> None:
        """Check this run: the fields of `expect` of a `run` step. That it ends with 0 is always checked."""
        __tracebackhide__ = True
        assert self._of is not None
        self._of.check(self.run, expected, negated=False)

    def expect_not(self, **expected: Any) -> None:
        """Check that this does not hold of its calls."""
        __tracebackhide__ = True
        assert self._of is not None
        self._of.check(self.run, expected, negated=True)


class PlacedAgents:
    """Agents and models that answer from the scenario, for the test and for programs."""

    OWN = 1

    def __init__(self, understudy: Understudy, number: int, url: str | None, folder: Path) -> None:
        self._understudy = understudy
        self._number = number
        self._folder = folder
        self.url = url
        """The address of the scripted model."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """What the test itself called so far."""
        return _calls(self._understudy.call("agents.calls", place=self._number)["calls"])

    def run(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        stdin: str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        state: str | None = None,
    ) -> ProgramRun:
        """Run a program to its end, in the project of the test unless `cwd` says otherwise. A string is for /bin/sh."""
        __tracebackhide__ = True
        answer = self._understudy.call(
            "program.run",
            place=self._number,
            command=command if isinstance(command, str) else _words(command),
            cwd=str(self._folder if cwd is None else Path(cwd).resolve()),
            stdin=stdin,
            env=None if env is None else dict(env),
            timeout_ms=None if timeout is None else max(1, int(timeout * 1000)),
            state=state,
        )
        return ProgramRun(
            **{
                **answer,
                "calls": _calls(answer["calls"]),
                "leftovers": tuple(answer["leftovers"]),
                "not_in_place": tuple(answer["not_in_place"]),
                "unsupported": tuple(answer["unsupported"]),
            },
            _of=self,
        )

    def expect(self, **expected: Any) -> None:
        """Check what the test itself called: `calls` and `call`."""
        __tracebackhide__ = True
        self.check(self.OWN, expected, negated=False)

    def check(self, run: int, expected: dict[str, Any], negated: bool) -> None:
        """Ask the harness whether this holds."""
        __tracebackhide__ = True
        verdict = self._understudy.call(
            "program.expect", **{"place": self._number, "run": run, "expect": expected, "not": negated}
        )
        if not verdict["passed"]:
            raise ExpectationFailed(verdict["text"])


def _words(command: os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    return [os.fspath(command)] if isinstance(command, os.PathLike) else [os.fspath(word) for word in command]


def _calls(calls: list[dict[str, Any]]) -> tuple[Call, ...]:
    return tuple(
        Call(**{**call, "command": tuple(call["command"]), "tools": tool_uses(call["tools"])}) for call in calls
    )
