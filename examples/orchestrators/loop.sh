#!/usr/bin/env bash
# A loop around an agent: loop.sh AGENT MAX DEADLINE PROMPT_FILE
# Exit codes: 0 complete, 2 the limit was reached, 1 failed, 130 interrupted.
set -u
agent=$1 max=$2 deadline=$3 prompt=$(cat "$4")
promise=LOOP_COMPLETE

ask() {
  case $agent in
    claude) exec claude -p "$prompt" --dangerously-skip-permissions ;;
    opencode) exec opencode run "$prompt" ;;
    *) echo "loop: no such agent: $agent" >&2; exit 127 ;;
  esac
}

command -v "$agent" >/dev/null || { echo "loop: $agent is not installed" >&2; exit 1; }
answer=$(mktemp) child='' watch='' code=1
end() { kill $child $watch 2>/dev/null; wait; rm -f "$answer"; exit "$1"; }
trap 'end 130' INT TERM

for ((i = 1; i <= max; i++)); do
  ask >"$answer" </dev/null &
  child=$!
  (
    # The shell sleeps in the background, so that it can be ended.
    trap 'kill $!; exit' TERM
    sleep "$deadline" & wait
    kill "$child"
  ) >/dev/null 2>&1 &
  watch=$!
  wait "$child"
  code=$?
  kill "$watch" 2>/dev/null
  wait "$watch" 2>/dev/null
  child='' watch=''
  if ((code != 0)); then
    echo "iteration $i: $agent failed with exit code $code"
  elif [ "$(tail -n 1 "$answer")" = "$promise" ]; then
    echo "complete after $i"
    end 0
  fi
done
echo "the limit of $max iterations is reached"
((code == 0)) && end 2
end 1
