"""Where the `understudy` program is."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from pathlib import Path

PROGRAM = "agent-understudy"
"""The name of our npm package, and of its program."""

NPM_PACKAGE = "agent-understudy@0.1.0"
"""The version of Understudy that speaks our protocol."""

VARIABLE = "UNDERSTUDY_COMMAND"


def find_command(configured: str | None, start: Path) -> list[str]:
    """Give the command: as configured, from `node_modules` above `start`, from PATH, or by npx.

    Others have a program with the name `understudy`, too: it is started only where it belongs to our package.
    """
    named = configured or os.environ.get(VARIABLE)
    if named:
        return shlex.split(named)
    for folder in (start, *start.parents):
        program = folder / "node_modules" / ".bin" / PROGRAM
        if program.exists():
            return [str(program)]
    program_on_path = shutil.which(PROGRAM)
    if program_on_path is not None:
        return [program_on_path]
    short = shutil.which("understudy")
    if short is not None and is_ours(Path(short)):
        return [short]
    npx = shutil.which("npx")
    if npx is not None:
        return [npx, "--yes", NPM_PACKAGE]
    return []


def is_ours(program: Path) -> bool:
    """Say whether a program is a link into our npm package. It is not started to find out."""
    for folder in program.resolve().parents:
        try:
            package = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return isinstance(package, dict) and package.get("name") == PROGRAM
    return False


NOT_FOUND = (
    "UNDERSTUDY_NOT_FOUND: there is neither `agent-understudy` nor `npx` on this machine\n"
    "fix: Install Node 20.19 or later, and then `npm install --save-dev agent-understudy`; "
    f"or name the program with {VARIABLE}, or with `understudy_command` in the pytest configuration."
)
