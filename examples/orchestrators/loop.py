#!/usr/bin/env python3
"""A loop around an agent that reads its events, keeps its state in a file, and can continue."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

STATE = Path(".loop.json")


def words(agent: str, prompt: str) -> list[str]:
    if agent == "claude":
        flags = ["--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"]
        return ["claude", "-p", prompt, *flags]
    return ["opencode", "run", prompt]


def answer_of(agent: str, output: str) -> str:
    if agent != "claude":
        return output
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except json.JSONDecodeError:
            continue
        if event.get("type") == "result" and not event.get("is_error"):
            return str(event.get("result", ""))
    return ""


def ask(agent: str, prompt: str, deadline: float) -> str | None:
    """The answer, or nothing if the agent failed."""
    try:
        ran = subprocess.run(words(agent, prompt), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=deadline)
    except subprocess.TimeoutExpired:
        print(f"{agent} did not end within {deadline} s", file=sys.stderr)
        return None
    return answer_of(agent, ran.stdout.decode("utf-8", "replace")) if ran.returncode == 0 else None


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--agent", default="claude")
    parser.add_argument("--max", type=int, default=10)
    parser.add_argument("--deadline", type=float, default=600)
    parser.add_argument("--promise", default="LOOP_COMPLETE")
    parser.add_argument("--prompt")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    prompt = json.loads(STATE.read_text())["prompt"] if options.resume else options.prompt
    STATE.write_text(json.dumps({"prompt": prompt, "status": "running"}))
    status = "failed"
    try:
        for _ in range(options.max):
            answer = ask(options.agent, prompt, options.deadline)
            status = "failed" if answer is None else "limit"
            if answer is not None and answer.strip().splitlines()[-1:] == [options.promise]:
                status = "complete"
                break
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        status = "failed"
    except KeyboardInterrupt:
        status = "interrupted"
    STATE.write_text(json.dumps({"prompt": prompt, "status": status}))
    return 0 if status == "complete" else 1


if __name__ == "__main__":
    sys.exit(main())
