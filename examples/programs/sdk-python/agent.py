"""Asks Claude Code through the Agent SDK: pip install claude-agent-sdk."""
import asyncio
import shutil

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, TextBlock, query


async def main() -> None:
    # The SDK brings its own Claude Code; the one on PATH is the one that is rehearsed.
    options = ClaudeAgentOptions(cli_path=shutil.which("claude"), permission_mode="bypassPermissions")
    async for message in query(prompt="Say hello", options=options):
        if isinstance(message, AssistantMessage):
            for block in message.content:
                if isinstance(block, TextBlock):
                    print(block.text)


asyncio.run(main())
