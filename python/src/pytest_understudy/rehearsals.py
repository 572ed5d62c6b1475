"""Rehearsal files (`*.rehearsal.toml` and its other formats) as pytest items."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

import pytest
from _pytest._code.code import ExceptionInfo, TerminalRepr

from .client import UnderstudyError
from .session import understudy_of

ENDING = re.compile(r"\.rehearsal\.(?:toml|ya?ml|json|mjs|m?ts)$")


class RehearsalFile(pytest.File):
    """A rehearsal file. It is read when it is run: collecting starts no process."""

    def collect(self) -> Iterable[pytest.Item]:
        """One item for a file."""
        yield RehearsalItem.from_parent(self, name=ENDING.sub("", self.path.name))


class RehearsalFailed(Exception):
    """A rehearsal is red."""


class RehearsalItem(pytest.Item):
    """A rehearsal, on each of its agents."""

    def runtest(self) -> None:
        """Run it, and fail with what is red."""
        config = self.config
        result: dict[str, Any] = understudy_of(config).call(
            "rehearsal.run",
            file=str(self.path),
            agents=config.getoption("understudy_agent") or None,
            stage=config.getoption("understudy_stage"),
            isolation=config.getoption("understudy_isolation"),
        )
        entries = result["entries"]
        if entries and all(entry["status"] == "skipped" for entry in entries):
            pytest.skip("; ".join(entry.get("reason") or "no reason given" for entry in entries))
        if not result["passed"]:
            green = ("passed", "flaky", "skipped", "expected_failure")
            red = [entry["text"] for entry in entries if entry["status"] not in green]
            raise RehearsalFailed("\n\n".join(red))
        if expected := [entry for entry in entries if entry["status"] == "expected_failure"]:
            pytest.xfail("; ".join(entry["reason"] for entry in expected))

    def repr_failure(self, excinfo: ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """What is red, without the frames of this plugin."""
        if isinstance(excinfo.value, RehearsalFailed | UnderstudyError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Where it is."""
        return self.path, None, f"rehearsal {self.name}"
