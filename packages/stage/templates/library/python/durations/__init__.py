from durations.durations import format_seconds, parse

__all__ = ["format_seconds", "parse"]
