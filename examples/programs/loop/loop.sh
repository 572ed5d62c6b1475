#!/usr/bin/env bash
# Lets Claude Code work on PROMPT.md until it says that it is done.
#   loop.sh [--max ITERATIONS]
set -u
# Without this, bash goes on when the agent handles Ctrl-C itself.
trap 'exit 130' INT
max=5
if [ "${1:-}" = "--max" ]; then max=$2; fi

for n in $(seq "$max"); do
  if ! out=$(claude -p "Do the next task of PROMPT.md. Say LOOP_COMPLETE when none is left." \
    --output-format stream-json --verbose --dangerously-skip-permissions < /dev/null); then
    echo "iteration $n: the agent failed" >&2
    exit 1
  fi
  # The last line is the result.
  if tail -n 1 <<< "$out" | grep -q LOOP_COMPLETE; then
    echo "finished after $n"
    exit 0
  fi
done
echo "not finished after $max" >&2
exit 2
