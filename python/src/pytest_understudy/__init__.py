"""Rehearse coding agents in pytest: the real CLI, a scripted model, no key, no network."""

from .client import ExpectationFailed, Understudy, UnderstudyError
from .conversation import Command, Commit, Conversation, FileChange, Hook, Permission, ToolUse, Turn
from .harness import Harness, Plugin, Project
from .programs import Call, PlacedAgents, ProgramRun
from .tools import HarnessClient

__all__ = [
    "Call",
    "Command",
    "Commit",
    "Conversation",
    "ExpectationFailed",
    "FileChange",
    "Harness",
    "HarnessClient",
    "Hook",
    "Permission",
    "PlacedAgents",
    "Plugin",
    "ProgramRun",
    "Project",
    "ToolUse",
    "Turn",
    "Understudy",
    "UnderstudyError",
]
