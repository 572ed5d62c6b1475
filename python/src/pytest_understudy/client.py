"""One `understudy` process, and the JSON lines between it and us (docs/pytest.md)."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

from .find import NOT_FOUND

PROTOCOL = 1
END_SECONDS = 30


class UnderstudyError(Exception):
    """The harness could not do its job. The text has the code, the place and the fix."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ExpectationFailed(AssertionError):
    """Something is not as the test expects. The text says what, and shows the conversation."""


class Understudy:
    """A running `understudy pipe`. Calls may come from several threads."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        if not command:
            raise UnderstudyError("UNDERSTUDY_NOT_FOUND", NOT_FOUND)
        self._command = [*command, "pipe"]
        try:
            # In a session of its own, Ctrl-C reaches pytest alone: the end of stdin ends the process.
            self._process = subprocess.Popen(
                self._command,
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        except OSError as error:
            raise self._not_started(str(error)) from error
        self._lock = threading.Lock()
        self._waiting: dict[int, SimpleQueue[dict[str, Any] | None]] = {}
        self._last = 0
        self._complaints: list[str] = []
        self._listener = threading.Thread(target=self._listen, args=(self._stream("stderr"),), daemon=True)
        self._listener.start()
        self._greet()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def call(self, method: str, **params: Any) -> Any:
        """Ask, and wait for the answer. What is `None` is left out."""
        __tracebackhide__ = True
        answers: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        given = {name: value for name, value in params.items() if value is not None}
        with self._lock:
            self._last += 1
            number = self._last
            self._waiting[number] = answers
            try:
                stdin = self._stream("stdin")
                stdin.write(json.dumps({"id": number, "method": method, "params": given}, default=str) + "\n")
                stdin.flush()
            except (OSError, ValueError):
                answers.put(None)
        answer = answers.get()
        self._waiting.pop(number, None)
        if answer is None:
            raise UnderstudyError("UNDERSTUDY_ENDED", self._describe_end())
        if "error" in answer:
            raise UnderstudyError(answer["error"]["code"], answer["error"]["message"])
        return answer["result"]

    def close(self) -> None:
        """End the process, and with it everything that it started."""
        try:
            self._stream("stdin").close()
        except OSError:
            pass
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _greet(self) -> None:
        line = self._stream("stdout").readline()
        try:
            greeting = json.loads(line)
            protocol = greeting["protocol"]
        except (ValueError, KeyError, TypeError):
            self._process.kill()
            self._process.wait()
            self._listener.join(1)
            raise self._not_started(line.strip() or self._describe_end()) from None
        if protocol != PROTOCOL:
            self._process.kill()
            self._process.wait()
            raise UnderstudyError(
                "UNDERSTUDY_OTHER_PROTOCOL",
                f"UNDERSTUDY_OTHER_PROTOCOL: understudy {greeting.get('understudy')} speaks protocol {protocol}, "
                f"and this pytest-understudy speaks {PROTOCOL}\n"
                "fix: Install versions of agent-understudy and pytest-understudy that belong together.",
            )

    def _not_started(self, reason: str) -> UnderstudyError:
        return UnderstudyError(
            "UNDERSTUDY_NOT_STARTED",
            f"UNDERSTUDY_NOT_STARTED: `{' '.join(self._command)}` did not start: {reason}\n"
            "fix: Try the command in a shell; `npm install --save-dev agent-understudy` installs it.",
        )

    def _read(self) -> None:
        for line in self._stream("stdout"):
            try:
                answer = json.loads(line)
                waiting = self._waiting.get(answer["id"])
            except (ValueError, KeyError, TypeError):
                self._complaints.append(line)
                continue
            if waiting is not None:
                waiting.put(answer)
        with self._lock:
            for waiting in self._waiting.values():
                waiting.put(None)

    def _listen(self, stderr: IO[str]) -> None:
        for line in stderr:
            self._complaints.append(line)
            del self._complaints[:-50]

    def _describe_end(self) -> str:
        said = "".join(self._complaints).strip()
        return f"UNDERSTUDY_ENDED: the understudy process has ended{': ' + said if said else ''}"

    def _stream(self, name: str) -> IO[str]:
        stream: IO[str] | None = getattr(self._process, name)
        assert stream is not None
        return stream
