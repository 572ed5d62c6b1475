"""All that one test starts and makes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from .client import Understudy
from .conversation import Conversation
from .programs import PlacedAgents


@dataclass(frozen=True)
class Project:
    """The folder in which an agent or a program works."""

    folder: Path

    def read(self, path: str) -> str:
        """The text of a file."""
        return (self.folder / path).read_text(encoding="utf-8")

    def write(self, path: str, text: str) -> None:
        """Write a file, and the folders on the way."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def has(self, path: str) -> bool:
        """Whether the file is there."""
        return (self.folder / path).exists()


@dataclass(frozen=True)
class Plugin(Project):
    """A copy of a plugin that belongs to one test."""

    name: str
    commands: tuple[str, ...]


class Harness:
    """Starts conversations, makes projects, puts agents in place. All of it goes when the test ends."""

    def __init__(self, understudy: Understudy, options: dict[str, Any], folder: Path) -> None:
        self._understudy = understudy
        self._test: int = understudy.call("test.begin", **{"from": str(folder), **options})["test"]

    def start(self, *, cwd: str | os.PathLike[str] | None = None, **options: Any) -> Conversation:
        """Start a conversation as the markers say; what is given here overrides them."""
        __tracebackhide__ = True
        folder = None if cwd is None else os.fspath(cwd)
        answer = self._understudy.call("conversation.start", test=self._test, cwd=folder, **options)
        return Conversation(self._understudy, answer["conversation"], Path(answer["folder"]))

    def project(self, **description: Any) -> Project:
        """Make a project: `type`, `language`, `git`, `files`, `path`; without a word, as the markers say."""
        __tracebackhide__ = True
        answer = self._understudy.call("project.create", test=self._test, project=description or None)
        return Project(Path(answer["folder"]))

    def plugin(self, path: str | os.PathLike[str] | None = None) -> Plugin:
        """Copy a plugin, by default the first of the markers', so that the test may change it."""
        __tracebackhide__ = True
        named = None if path is None else os.fspath(path)
        answer = self._understudy.call("plugin.copy", test=self._test, path=named)
        return Plugin(Path(answer["folder"]), answer["name"], tuple(answer["commands"]))

    def place(
        self,
        agents: Sequence[str] | None = None,
        *,
        monkeypatch: pytest.MonkeyPatch | None = None,
        folder: Path | None = None,
        state: str | None = None,
    ) -> PlacedAgents:
        """Put agents in place for programs; with `monkeypatch` for the test's own process, too."""
        __tracebackhide__ = True
        answer = self._understudy.call(
            "agents.place",
            test=self._test,
            agents=None if agents is None else list(agents),
            environment=dict(os.environ),
            state=state,
        )
        if monkeypatch is not None:
            for name, value in answer["environment"].items():
                if value is None:
                    monkeypatch.delenv(name, raising=False)
                else:
                    monkeypatch.setenv(name, value)
        project = self.project().folder if folder is None else folder
        return PlacedAgents(self._understudy, answer["place"], answer.get("url"), project)

    def problems(self, failed: bool) -> list[str]:
        """What did not follow the script, and was not reported yet."""
        problems: list[str] = self._understudy.call("test.problems", test=self._test, failed=failed)["problems"]
        return problems

    def describe(self) -> str:
        """What was said and called so far."""
        text: str = self._understudy.call("test.describe", test=self._test)["text"]
        return text

    def end(self, failed: bool) -> list[str]:
        """End everything. Returns what did not follow the script, and was not reported yet."""
        problems: list[str] = self._understudy.call("test.end", test=self._test, failed=failed)["problems"]
        return problems
