"""The tools of Understudy's MCP server, as functions (docs/mcp.md)."""

from __future__ import annotations

from typing import Any

from .client import Understudy


class HarnessClient:
    """Calls the tools by their names, without MCP."""

    def __init__(self, understudy: Understudy) -> None:
        self._understudy = understudy

    def call_tool(self, name: str, arguments: dict[str, Any] | None = None) -> Any:
        """Give what the tool returns. What keeps it from its job is raised as an `UnderstudyError`."""
        __tracebackhide__ = True
        return self._understudy.call("tool.call", name=name, arguments=arguments or {})
