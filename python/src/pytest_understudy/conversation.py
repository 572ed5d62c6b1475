"""A conversation with an agent, and its turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from .client import ExpectationFailed, Understudy


@dataclass(frozen=True)
class ToolUse:
    """One use of a tool."""

    tool: str
    input: dict[str, Any]
    id: str = ""
    status: str | None = None
    """`ok`, `error`, `denied` or `blocked`; `None` if it has no result."""
    result: str | None = None
    agent: str | None = None
    """The subagent that used it."""


@dataclass(frozen=True)
class Command:
    """A slash command, as the CLI took it."""

    name: str
    status: str
    """`expanded`, `local` or `unknown`."""
    expansion: str | None = None
    """The text that the model got."""


@dataclass(frozen=True)
class Hook:
    """A hook that ran."""

    event: str
    name: str
    outcome: str
    blocked: bool
    exit_code: int | None = None


@dataclass(frozen=True)
class Permission:
    """A tool that asked whether it may run, and the answer."""

    tool: str
    decision: str


@dataclass(frozen=True)
class FileChange:
    """A file of the project that changed."""

    path: str
    change: str


@dataclass(frozen=True)
class Commit:
    """A commit that appeared."""

    hash: str
    message: str


@dataclass(frozen=True)
class Turn:
    """What happened between a prompt and the end of the answer."""

    number: int
    prompt: str
    text: str
    """All that the agent said to the user, in order."""
    outcome: str
    """`completed`, and nothing less, is a success."""
    ok: bool
    milliseconds: float
    reason: str | None = None
    message: str | None = None
    stage: str | None = None
    """The workflow stage at the end of the turn."""
    cost_usd: float | None = None
    usage: dict[str, int] | None = None
    tools: tuple[ToolUse, ...] = ()
    command: Command | None = None
    hooks: tuple[Hook, ...] = ()
    permissions: tuple[Permission, ...] = ()
    files: tuple[FileChange, ...] = ()
    commits: tuple[Commit, ...] = ()
    transitions: tuple[tuple[str, str], ...] = ()
    """Moves of the workflow in this turn: (from, to)."""
    _of: Conversation | None = field(default=None, repr=False, compare=False)

    def expect(self, **expected: Any) -> None:
        """Check this turn: the fields of `expect` in a rehearsal. That it completed is always checked."""
        __tracebackhide__ = True
        _conversation(self).check(self.number, expected, negated=False)

    def expect_not(self, **expected: Any) -> None:
        """Check that this does not hold."""
        __tracebackhide__ = True
        _conversation(self).check(self.number, expected, negated=True)

    def __repr__(self) -> str:
        tools = f", tools {', '.join(use.tool for use in self.tools)}" if self.tools else ""
        why = f" ({self.reason})" if self.reason else ""
        return f"<turn {self.number} {self.outcome}{why}: {self.text!r}{tools}>"


class Conversation:
    """One session with an agent."""

    def __init__(self, understudy: Understudy, number: int, folder: Path) -> None:
        self._understudy = understudy
        self._number = number
        self.folder = folder
        """The project in which the agent works."""
        self.turns: list[Turn] = []

    def send(self, text: str, timeout: float | None = None) -> Turn:
        """Say something, and wait until the agent has ended its turn. `timeout` is in seconds."""
        __tracebackhide__ = True
        milliseconds = None if timeout is None else max(1, int(timeout * 1000))
        answer = self._understudy.call(
            "conversation.send", conversation=self._number, text=text, timeout_ms=milliseconds
        )
        turn = _turn(answer, self)
        self.turns.append(turn)
        return turn

    @property
    def stage(self) -> str | None:
        """The workflow stage after the last turn."""
        return self.turns[-1].stage if self.turns else None

    @property
    def events(self) -> list[dict[str, Any]]:
        """Everything that happened, as in events.jsonl."""
        events: list[dict[str, Any]] = self._understudy.call("conversation.events", conversation=self._number)["events"]
        return events

    def cancel(self) -> None:
        """Stop the turn under way."""
        self._understudy.call("conversation.cancel", conversation=self._number)

    def end(self) -> None:
        """End the agent. The test does it by itself."""
        self._understudy.call("conversation.end", conversation=self._number)

    def expect(self, **expected: Any) -> None:
        """Check the whole conversation, as one long turn."""
        __tracebackhide__ = True
        self.check(None, expected, negated=False)

    def expect_not(self, **expected: Any) -> None:
        """Check that this does not hold of the whole conversation."""
        __tracebackhide__ = True
        self.check(None, expected, negated=True)

    def expect_at_start(self, **expected: Any) -> None:
        """Check what happened before the first prompt: hooks, plugins, mcp_servers, files, commits."""
        __tracebackhide__ = True
        self.check("start", expected, negated=False)

    def expect_at_end(self, **expected: Any) -> None:
        """Check what happened after the last turn. Call `end()` first."""
        __tracebackhide__ = True
        self.check("end", expected, negated=False)

    def check(self, of: int | Literal["start", "end"] | None, expected: dict[str, Any], negated: bool) -> None:
        """Ask the harness whether this holds."""
        __tracebackhide__ = True
        verdict = self._understudy.call(
            "conversation.expect",
            **{"conversation": self._number, "of": of, "expect": expected, "not": negated},
        )
        if not verdict["passed"]:
            raise ExpectationFailed(verdict["text"])


def tool_uses(uses: list[dict[str, Any]]) -> tuple[ToolUse, ...]:
    """The tools of an answer."""
    return tuple(ToolUse(**use) for use in uses)


def _conversation(turn: Turn) -> Conversation:
    assert turn._of is not None, "this turn belongs to no conversation"
    return turn._of


def _turn(answer: dict[str, Any], conversation: Conversation) -> Turn:
    lists: dict[str, Any] = {
        "tools": tool_uses(answer.pop("tools")),
        "hooks": tuple(Hook(**hook) for hook in answer.pop("hooks")),
        "permissions": tuple(Permission(**one) for one in answer.pop("permissions")),
        "files": tuple(FileChange(**one) for one in answer.pop("files")),
        "commits": tuple(Commit(**one) for one in answer.pop("commits")),
        "transitions": tuple((move["from"], move["to"]) for move in answer.pop("transitions")),
    }
    command = answer.pop("command", None)
    return Turn(**answer, **lists, command=None if command is None else Command(**command), _of=conversation)
