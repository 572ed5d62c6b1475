#!/bin/sh
# A program as many have one: it shells out to `claude` and uses the answer. It knows nothing of
# any stand-in. It asks for a commit message, lets the agent look at the change, and then asks for
# a shorter one in the same session.
set -eu

first=$(git diff --cached | claude -p "Write a commit message for this change" --output-format json --allowedTools "Bash(git diff:*)")
session=$(printf '%s' "$first" | sed -n 's/.*"session_id":"\([^"]*\)".*/\1/p')
message=$(printf '%s' "$first" | sed -n 's/.*"result":"\([^"]*\)".*/\1/p')

if [ "${#message}" -gt 50 ]; then
  message=$(claude -p "Shorter, please" --resume "$session" < /dev/null)
fi

printf '%s\n' "$message"
