import { constants } from 'node:os';
import { PERL_TELLS, PERL_WAITS, RECORDS_SOCKET } from '../record/teller.js';

/**
 * A shell script that Claude Code runs in front of every command (CLAUDE_CODE_SHELL_PREFIX), with the
 * command as its one argument. Commands of tools and servers go through untouched; of a hook it keeps
 * what went in and what came out, each run in a folder of its own. Times are those of the files.
 *
 * The hook sees the same stdin, streams, exit code and signals: on a time-out the CLI ends the whole
 * process group, so the copiers and this script ignore that and report how it ended. What a hook leaves
 * running may hold its output open; like the CLI we do not wait for it.
 *
 * In a sandbox, it tells all of this instead, and also which processes are those of tools and servers: they have the
 * same parent as hooks, and could pass for one.
 */
export function recorderScript(folder: string, teller: string): string {
  return `#!/bin/sh
[ -S ${RECORDS_SOCKET} ] && tells=1
if [ -n "$tells" ]; then
  if [ -z "$CLAUDE_PROJECT_DIR" ]; then exec perl ${quoted(teller)} tool "\${SHELL:-/bin/bash}" -c "$1"; fi
  if [ -z "$CLAUDE_CODE_CHILD_SESSION" ]; then exec perl ${quoted(teller)} server /bin/sh -c "exec $1"; fi
  exec perl ${quoted(teller)} hook "$1"
fi
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

/** The same where there is somebody to be told. Perl, because a shell has no sockets. */
export const tellingScript: string = String.raw`use strict;
my ($kind, @command) = @ARGV;
TELLS
if ($kind ne 'hook') { tell_of('beside', $kind); WAITING close $told if $told; exec { $command[0] } @command; exit 127; }
$SIG{$_} = sub { } for qw(TERM INT HUP CHLD);
$SIG{PIPE} = 'IGNORE';
tell_of('command', $command[0]);
my $input = '';
while (1) { my $count = sysread STDIN, $input, 65536, length $input; last if !$count && (defined $count || $! != INTERRUPTED); }
tell_of('stdin', $input);
open my $in, '+>', undef;
for (my $done = 0; $done < length $input;) { $done += syswrite($in, $input, length($input) - $done, $done) // last; }
sysseek $in, 0, 0;
pipe my $outRead, my $outWrite;
pipe my $errRead, my $errWrite;
my $child = fork;
if (!$child) {
  open STDIN, '<&', $in;
  open STDOUT, '>&', $outWrite;
  open STDERR, '>&', $errWrite;
  $SIG{PIPE} = 'DEFAULT';
  exec '/bin/sh', '-c', $command[0];
  exit 127;
}
close $outWrite;
close $errWrite;
my %open = (fileno $outRead, [ $outRead, \*STDOUT, 'stdout' ], fileno $errRead, [ $errRead, \*STDERR, 'stderr' ]);
my ($code, $ended);
while (1) {
  if (!$ended && waitpid($child, %open ? 1 : 0) == $child) { $ended = 1; $code = $? & 127 ? 128 + ($? & 127) : $? >> 8; tell_of('exit', $code); }
  last if $ended && !%open;
  my $reading = '';
  vec($reading, $_, 1) = 1 for keys %open;
  my $found = select $reading, undef, undef, $ended ? 0 : 0.05;
  last if $ended && $found <= 0;
  next if $found <= 0;
  for my $number (grep { vec $reading, $_, 1 } keys %open) {
    my ($from, $to, $name) = @{ $open{$number} };
    my $count = sysread $from, my $bytes, 65536;
    if (!$count) { delete $open{$number} if defined $count || $! != INTERRUPTED; next; }
    tell_of($name, $bytes);
    for (my $done = 0; $done < $count;) { my $written = syswrite $to, $bytes, $count - $done, $done; next if !defined $written && $! == INTERRUPTED; $done += $written // last; }
  }
}
WAITING
exit $code;
`
  .replace('TELLS', PERL_TELLS)
  .replaceAll('WAITING', PERL_WAITS)
  .replaceAll('INTERRUPTED', String(constants.errno.EINTR));

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
