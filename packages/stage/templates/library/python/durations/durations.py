"""Durations such as "1h30m": text to seconds, and back."""

import re

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_PART = re.compile(r"(\d+)([dhms])")


def parse(text):
    """Gives the seconds of a text such as "1h30m"; ValueError when it is none."""
    seconds = 0
    position = 0
    for part in _PART.finditer(text):
        if part.start() != position:
            break
        seconds += int(part.group(1)) * UNITS[part.group(2)]
        position = part.end()
    if position == 0 or position != len(text):
        raise ValueError(f"not a duration: {text!r}")
    return seconds


def format_seconds(seconds):
    """Gives the shortest text for a number of seconds."""
    if seconds < 0:
        raise ValueError("a duration cannot be negative")
    parts = []
    for unit, size in UNITS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
