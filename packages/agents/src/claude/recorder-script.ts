/**
 * A shell script that Claude Code runs in front of every command (CLAUDE_CODE_SHELL_PREFIX), with the
 * command as its one argument. Commands of tools and servers go through untouched; of a hook it keeps
 * what went in and what came out, each run in a folder of its own. Times are those of the files.
 *
 * The hook sees the same stdin, streams, exit code and signals: on a time-out the CLI ends the whole
 * process group, so the copiers and this script ignore that and report how it ended. What a hook leaves
 * running may hold its output open; like the CLI we do not wait for it.
 */
export function recorderScript(folder: string): string {
  return `#!/bin/sh
if [ -z "$CLAUDE_PROJECT_DIR" ]; then exec "\${SHELL:-/bin/bash}" -c "$1"; fi
if [ -z "$CLAUDE_CODE_CHILD_SESSION" ]; then exec /bin/sh -c "exec $1"; fi
run=$(mktemp -d ${quoted(folder)}/run.XXXXXX) || exec /bin/sh -c "$1"
trap 'ended=1' TERM INT HUP
printf '%s' "$1" > "$run/command"
cat > "$run/stdin"
mkfifo "$run/out" "$run/err" || exec /bin/sh -c "$1" < "$run/stdin"
(trap '' TERM INT HUP; tee "$run/stdout" < "$run/out"; : > "$run/out.done") &
(trap '' TERM INT HUP; tee "$run/stderr" < "$run/err" >&2; : > "$run/err.done") &
/bin/sh -c "$1" < "$run/stdin" > "$run/out" 2> "$run/err"
code=$?
printf '%s' "$code" > "$run/exit"
tries=0
while [ ! -e "$run/out.done" ] || [ ! -e "$run/err.done" ]; do
  tries=$((tries + 1))
  [ "$tries" -gt 2008 ] && break
  [ "$tries" -gt 2000 ] && sleep 0.05
done
exit "$code"
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
