#!/usr/bin/env python3
"""Asks Claude Code for the severity of each issue on stdin, one per line. Waits and tries again once if it fails."""
import json
import subprocess
import sys
import time


def severity(issue: str) -> str:
    for attempt in (1, 2):
        called = subprocess.run(
            ["claude", "-p", "Answer with one word: low or high.", "--output-format", "json"],
            input=issue,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if called.returncode == 0:
            return json.loads(called.stdout)["result"].strip()
        print(f"attempt {attempt} failed", file=sys.stderr)
        time.sleep(0.1)
    raise SystemExit(f"no severity for: {issue}")


for line in sys.stdin.read().splitlines():
    print(f"{severity(line)}: {line}")
