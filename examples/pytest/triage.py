"""A small service: it sorts issues by their severity, with Claude Code through the Agent SDK."""
import asyncio
import json
import shutil
import sys
from dataclasses import dataclass

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ResultMessage, TextBlock, query


@dataclass
class Triage:
    severity: str
    reason: str


async def triage(issue: str, folder: str = ".") -> Triage:
    # The SDK brings its own Claude Code; the one on PATH is the one that is rehearsed.
    options = ClaudeAgentOptions(cli_path=shutil.which("claude"), cwd=folder, permission_mode="bypassPermissions")
    said = ""
    failed = False
    try:
        async for message in query(prompt=f"Triage this issue: {issue}", options=options):
            if isinstance(message, AssistantMessage):
                said += "".join(block.text for block in message.content if isinstance(block, TextBlock))
            if isinstance(message, ResultMessage):
                failed = message.is_error
    except Exception:  # The SDK raises when Claude Code ends with an error.
        failed = True
    if failed:
        return Triage("unknown", "the agent failed")
    severity, _, reason = said.partition(":")
    return Triage(severity.strip().lower(), reason.strip())


if __name__ == "__main__":
    print(json.dumps(asyncio.run(triage(sys.stdin.read())).__dict__))
