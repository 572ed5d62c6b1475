import { type ChildProcess, spawn } from 'node:child_process';
import { LIMIT_IN_SHELL } from './limit-mark.js';
import { OWNER_VARIABLE } from './owner-mark.js';
import { noteInRegister, type OwnedKind, ownRegister } from './register.js';

/**
 * A shell that reads what we own from a pipe. When the pipe ends, we are gone, even by kill -9,
 * and it clears up behind us: process groups, marked processes, containers, scratch folders. What is released twice was
 * released: cutting a list where nothing is found would double it.
 */
const REAPER = `
groups=' '; owners=' '; containers=' '; folders='
'
while IFS= read -r line; do
  value=\${line#* }
  case $line in
    '+group '*) groups="$groups$value " ;;
    '-group '*) case $groups in *" $value "*) groups="\${groups%% $value *} \${groups#* $value }" ;; esac ;;
    '+owner '*) owners="$owners$value " ;;
    '-owner '*) case $owners in *" $value "*) owners="\${owners%% $value *} \${owners#* $value }" ;; esac ;;
    '+container '*) containers="$containers$value " ;;
    '-container '*)
      case $containers in *" $value "*) containers="\${containers%% $value *} \${containers#* $value }" ;; esac ;;
    '+folder '*) folders="$folders$value
" ;;
    '-folder '*)
      case $folders in *"
$value
"*) folders=\${folders%%"
$value
"*}"
"\${folders#*"
$value
"} ;; esac ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
# Several looks: who was being started while we looked shows its mark only at the next one.
for look in 1 2 3 4; do
  for owner in $owners; do
    for file in $(grep -lzE "^${OWNER_VARIABLE}=(.* )?$owner( |$)" /proc/[0-9]*/environ 2>/dev/null); do
      pid=\${file#/proc/}; kill -KILL "\${pid%/environ}" 2>/dev/null
    done
    ${LIMIT_IN_SHELL.compute}
    for file in $(grep -lE "${LIMIT_IN_SHELL.pattern}" /proc/[0-9]*/limits 2>/dev/null); do
      pid=\${file#/proc/}; kill -KILL "\${pid%/limits}" 2>/dev/null
    done
  done
  [ "$owners" = ' ' ] || sleep 0.25
done
# An engine may be making a container that a killed client asked for. Nobody has one of such a name but we.
for look in 1 2 3; do
  [ "$containers" = ' ' ] || { docker rm --force --volumes $containers >/dev/null 2>&1; sleep 0.5; }
done
printf '%s\\n' "$folders" | while IFS= read -r folder; do
  [ -n "$folder" ] && rm -rf -- "$folder"
done
`;

/** The name by which a reaper is known among processes. */
export const REAPER_NAME = 'understudy-reaper';

let reaper: ChildProcess | undefined;

function writeLine(line: string): void {
  noteInRegister(line);
  if (reaper === undefined) {
    // Its own session, so that Ctrl-C in our terminal does not end it before us.
    reaper = spawn('/bin/sh', ['-c', REAPER, REAPER_NAME], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', DOCKER_HOST: process.env['DOCKER_HOST'] ?? '' },
      cwd: '/',
    });
    reaper.on('error', () => {});
    reaper.stdin?.on('error', () => {});
    reaper.unref();
    (reaper.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    const register = ownRegister();
    if (register !== undefined) reaper.stdin?.write(`+folder ${register}\n`);
  }
  reaper.stdin?.write(`${line}\n`);
}

/** From now on this is cleared up if our process ends without doing so. */
export function reapIfLeft(kind: OwnedKind, value: string | number): void {
  if (String(value).includes('\n')) return;
  writeLine(`+${kind} ${value}`);
}

/** It has been cleared up; the reaper forgets it. */
export function releaseFromReaper(kind: OwnedKind, value: string | number): void {
  if (reaper === undefined || String(value).includes('\n')) return;
  writeLine(`-${kind} ${value}`);
}
