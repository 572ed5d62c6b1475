"""Where the `understudy` program is."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

NPM_PACKAGE = "agent-understudy@0.1.0"
"""The version of Understudy that speaks our protocol."""

VARIABLE = "UNDERSTUDY_COMMAND"


def find_command(configured: str | None, start: Path) -> list[str]:
    """Give the command: as configured, from `node_modules` above `start`, from PATH, or by npx."""
    named = configured or os.environ.get(VARIABLE)
    if named:
        return shlex.split(named)
    for folder in (start, *start.parents):
        program = folder / "node_modules" / ".bin" / "understudy"
        if program.exists():
            return [str(program)]
    program_on_path = shutil.which("understudy")
    if program_on_path is not None:
        return [program_on_path]
    npx = shutil.which("npx")
    if npx is not None:
        return [npx, "--yes", NPM_PACKAGE]
    return []


NOT_FOUND = (
    "UNDERSTUDY_NOT_FOUND: there is neither `understudy` nor `npx` on this machine\n"
    "fix: Install Node 20.19 or later, and then `npm install --save-dev agent-understudy`; "
    f"or name the program with {VARIABLE}, or with `understudy_command` in the pytest configuration."
)
