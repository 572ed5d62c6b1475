import { constants as files } from 'node:fs';
import { constants } from 'node:os';
import { OTHER, PERL_TELLS, PERL_WAITS, tellingWords } from '@understudy/agents';
import { ENDING_NAME } from '@understudy/kit';

/**
 * The recorder of real CLIs, in Perl: it starts in a few milliseconds, where Node takes thirty, and unlike a shell it
 * can distinguish an exit code from a signal. It stands between a program and the CLI, and changes nothing that either of them
 * can see:
 *
 * - A terminal is handed on. Anything else is copied, and everything was copied when it ends: `claude -p > file` is
 *   complete when the next command of a script reads the file.
 * - Standard output and standard error that are one pipe stay one pipe, so that their order is kept.
 * - Signals are handed on once: the CLI is in a group of its own, unless there is a terminal, which signals a group.
 *   If the recorder is killed, Linux kills the CLI.
 * - It ends as the CLI did: with its code, or by its signal.
 * - The key of the model server gets the number of the step and the call, so that each request names its call.
 *
 * Its arguments: the program's name, the words with which it asks its model, whether it then reads its standard input,
 * how many words its command has, the command, and the arguments of the call.
 */
export function recorderScript(): string {
  const prctl = process.platform === 'linux' ? { x64: 157, arm64: 167 }[process.arch as string] : undefined;
  return Object.entries({
    PRCTL: prctl ?? 0,
    // Perl would load a module for each of these.
    AGAIN: constants.errno.EAGAIN,
    NONBLOCK: files.O_NONBLOCK,
    TELLING: tellingWords.join(' '),
    OTHER,
    ENDING: ENDING_NAME,
    TELLS: PERL_TELLS,
    WAITING: PERL_WAITS,
  }).reduce((script, [word, value]) => script.replaceAll(word, String(value)), SCRIPT);
}

const SCRIPT = String.raw`use strict;
my ($name, $asking, $reads, @command) = @ARGV;
my $own = shift @command;
my @words = @command[$own .. $#command];
my $calls = $ENV{UNDERSTUDY_CALLS} // '';
if ($calls eq '') { exec { $command[0] } @command; exit 127; }

sub has { my ($list) = @_; for my $word (@words) { return 1 if index(" $list ", " $word ") >= 0; } return 0; }
my $asks = has($asking) || ((-t STDIN || $asking eq '*') && !has('TELLING'));
my $prefix = $asks ? '' : 'OTHER';
my $number = 1;
if (opendir my $folder, $calls) {
  for (readdir $folder) { $number = $1 + 1 if /^\Q$prefix\E(\d+)$/ && $1 >= $number; }
}
until (mkdir "$calls/$prefix$number") {
  if (!-d "$calls/$prefix$number") { exec { $command[0] } @command; exit 127; }
  $number++;
}
my $call = "$calls/$prefix$number";
my $parent = getppid;
my $who = '';
if (open my $file, '<', "/proc/$parent/cmdline") { local $/; $who = <$file> // ''; $who =~ s/\0/ /g; $who =~ s/ $//; }
my $cwd = readlink("/proc/$$/cwd") // $ENV{PWD} // '';
my $key = $ENV{UNDERSTUDY_MODEL_KEY} // '';
my $step = $ENV{UNDERSTUDY_STEP} // 1;
if ($key ne '' && $asks) {
  $key =~ s/\.\d+\.\d+$//;
  for my $variable (keys %ENV) { $ENV{$variable} =~ s/\Q$key\E(?:\.\d+\.\d+)?/$key.$step.$number/g; }
}

my $terminal = -t STDIN || -t STDOUT || -t STDERR;
my $copiesInput = $asks && $reads && !-t STDIN && !-c STDIN;
my @one = stat STDOUT;
my @two = stat STDERR;
my $together = @one && @two && $one[0] == $two[0] && $one[1] == $two[1];
my ($inRead, $inWrite, $outRead, $outWrite, $errRead, $errWrite);
pipe $inRead, $inWrite if $copiesInput;
pipe $outRead, $outWrite if !-t STDOUT;
pipe $errRead, $errWrite if !-t STDERR && !$together;

TELLS
# What it keeps: told where there is somebody to be told, else a file. That a call began is a file in any case.
sub record { my ($name) = @_; return $name if $told; open my $file, '>', "$call/$name" or return; binmode $file; return $file; }
sub keep { my ($record, $bytes) = @_; if ($told) { tell_of($record, $bytes); } else { print {$record} $bytes; } }
sub over { my ($record) = @_; close $record if !$told; }
my $start = join '', map { "$_\0" } $$, $parent, $who, $cwd, $name, @words;
if ($told) { tell_of('call', "$calls\0$prefix$number"); tell_of('start', $start); }
if (open my $file, '>', "$call/start") { binmode $file; print {$file} $start; close $file; }

my $child = fork;
if (!defined $child) { exec { $command[0] } @command; exit 127; }
if ($child == 0) {
  setpgrp 0, 0 if !$terminal;
  syscall PRCTL, 1, 9 if PRCTL;
  if ($inRead) { open STDIN, '<&', $inRead; }
  if ($outWrite) { open STDOUT, '>&', $outWrite; }
  if ($together && $outWrite) { open STDERR, '>&', $outWrite; }
  if ($errWrite) { open STDERR, '>&', $errWrite; }
  close $_ for grep { $_ } $inRead, $inWrite, $outRead, $outWrite, $errRead, $errWrite;
  $SIG{PIPE} = 'DEFAULT';
  exec { $command[0] } @command;
  print STDERR "$command[0]: $!\n";
  exit 127;
}
close $_ for grep { $_ } $inRead, $outWrite, $errWrite;
$SIG{PIPE} = 'IGNORE';
my @forwarded = $terminal ? qw(TERM HUP USR1 USR2) : qw(TERM HUP USR1 USR2 INT QUIT CONT WINCH);
for my $signal (@forwarded) { $SIG{$signal} = sub { $0 = "ENDING $name" if $signal =~ /TERM|HUP|INT/; kill $signal, $child; }; }
if ($terminal) { $SIG{$_} = 'IGNORE' for qw(INT QUIT); }
my $status = 0;
# It wakes us when the child ends.
$SIG{CHLD} = sub { };

my %open;
$open{fileno $outRead} = [ $outRead, \*STDOUT, record('stdout') ] if $outRead;
$open{fileno $errRead} = [ $errRead, \*STDERR, record('stderr') ] if $errRead;
my $input = $inWrite ? record('stdin') : undef;
my $pending = '';
my $inputOver = !$inWrite;
sub stopInput { close $inWrite if $inWrite; undef $inWrite; $inputOver = 1; $pending = ''; }
fcntl $inWrite, 4, NONBLOCK if $inWrite;

sub copy {
  my ($descriptor) = @_;
  my ($from, $to, $file) = @{ $open{$descriptor} };
  my $count = sysread $from, my $bytes, 65536;
  if (!defined $count && ($! == 4 || $! == AGAIN)) { return 0; }
  if (!$count) { close $from; delete $open{$descriptor}; return 0; }
  keep($file, $bytes);
  for (my $done = 0; $done < length $bytes;) {
    my $written = syswrite $to, $bytes, length($bytes) - $done, $done;
    if (defined $written) { $done += $written; next; }
    next if $! == 4;
    if ($! == AGAIN) { select undef, undef, undef, 0.002; next; }
    # Whoever read it has gone: the CLI finds out when it writes again.
    close $from; delete $open{$descriptor}; return 0;
  }
  return 1;
}

while (1) {
  my $idle = !%open && $inputOver;
  if (waitpid($child, $idle ? 0 : 1) == $child) { $status = $?; last; }
  my ($reading, $writing) = ('', '');
  vec($reading, $_, 1) = 1 for keys %open;
  vec($reading, 0, 1) = 1 if !$inputOver && $pending eq '';
  vec($writing, fileno $inWrite, 1) = 1 if $inWrite && $pending ne '';
  my $found = select $reading, $writing, undef, 0.05;
  next if $found <= 0;
  copy($_) for grep { $open{$_} && vec $reading, $_, 1 } keys %open;
  if (!$inputOver && $pending eq '' && vec $reading, 0, 1) {
    my $count = sysread STDIN, $pending, 65536;
    if ($count) { keep($input, $pending); } elsif (defined $count) { stopInput(); }
  }
  if ($inWrite && $pending ne '' && vec $writing, fileno $inWrite, 1) {
    my $written = syswrite $inWrite, $pending;
    if (defined $written) { substr $pending, 0, $written, ''; } elsif ($! != AGAIN && $! != 4) { stopInput(); }
  }
}
# What it wrote before it ended is in the pipes. A process that it left behind may hold them open: that one is not waited for.
for my $descriptor (keys %open) {
  while ($open{$descriptor}) {
    my $reading = '';
    vec($reading, $descriptor, 1) = 1;
    last if select($reading, undef, undef, 0) <= 0;
    copy($descriptor) or last;
  }
  over($open{$descriptor}[2]) if $open{$descriptor};
}
over($input) if $input;
my $signal = $status & 127;
my $end = record('end');
keep($end, $signal ? "signal $signal\n" : 'exit ' . ($status >> 8) . "\n");
over($end);
WAITING
close $told if $told;
if ($signal) {
  $SIG{$_} = 'DEFAULT' for @forwarded, qw(INT QUIT PIPE CHLD);
  kill $signal, $$;
  sleep 1;
}
exit($signal ? 128 + $signal : $status >> 8);
`;
