import { constants as files } from 'node:fs';
import { constants } from 'node:os';
import { RECORDS_FD, RECORDS_SOCKET, WAITS } from '@understudy/agents';
import { ENDING_NAME, REAPER_NAME } from '@understudy/kit';

/** Numbers of system calls; Perl has no names for them. */
const CALLS: Readonly<Record<string, { prctl: number; setrlimit: number; statfs: number; clock: number }>> = {
  x64: { prctl: 157, setrlimit: 160, statfs: 137, clock: 96 },
  arm64: { prctl: 167, setrlimit: 164, statfs: 43, clock: 169 },
};

/** Whether this machine has a sandbox at all. */
export const isKnownMachine = process.platform === 'linux' && CALLS[process.arch] !== undefined;

/**
 * The first process inside a sandbox. It starts in a few milliseconds, where Node takes forty.
 *
 * - It listens on the ports of the host that the command may reach, and hands each connection to a bound socket.
 * - It starts the command with its limits, and buries what nobody else does.
 * - When the command has ended, it reports how, what the command left running, and what was tried: the kernel counts
 *   packets that have no way out; folders that hide the real ones keep the times at which they were read and written.
 * - The command cannot trace it, kill it or read its memory.
 *
 * While the command runs, it looks at what all of it uses. Above a limit, it ends everything. Exact numbers cost time,
 * so it takes them only when a cheap upper bound is above the limit: of memory, what processes share counts once; of
 * files, those changed since the start, when the disk has less space by as much. What it cannot count is taken for too
 * much: a command may try to make it blind.
 *
 * It reports on descriptor 3, a file that is not inside. Its arguments: ports, watched folders, decoys, limits and folders
 * that may be written (each one per line), a socket, and the command. The socket is there where nobody outside can end
 * or signal the command: each byte is a signal, and when the connection ends, everything does.
 */
export function supervisorScript(): string {
  const { prctl, setrlimit, statfs, clock } = CALLS[process.arch] ?? { prctl: 0, setrlimit: 0, statfs: 0, clock: 0 };
  return Object.entries({
    PRCTL: prctl,
    SETRLIMIT: setrlimit,
    STATFS: statfs,
    CLOCK: clock,
    RECORDS_LIMIT,
    WAITS,
    RECORDS_FD,
    RECORDS_SOCKET,
    AGAIN: constants.errno.EAGAIN,
    GONE: constants.errno.ENOENT,
    NO_FOLDER: constants.errno.ENOTDIR,
    NO_PROCESS: constants.errno.ESRCH,
    NOT_ALLOWED: constants.errno.EACCES,
    NONBLOCK: files.O_NONBLOCK,
    ENDS_SOON: `${REAPER_NAME}$|^${ENDING_NAME} `,
  }).reduce((script, [word, value]) => script.replaceAll(word, String(value)), SCRIPT);
}

/** So many bytes of records are kept. */
const RECORDS_LIMIT = 256 * 1024 ** 2;

const SCRIPT = String.raw`use strict;
my ($ports, $hidden, $decoys, $limits, $writable, $life, @command) = @ARGV;
my ($bytes, $processes, $memory, $written, $disk) = split /\n/, $limits;
# Outside of a sandbox it would write its decoys into the real home.
exit 125 if $$ != 1;
# Later, it may not open this file of its own.
open my $own_io, '<', '/proc/self/io';
# Open from the start: nobody can keep it from seeing who is there.
opendir my $everybody, '/proc' or exit 125;
my $blind = 0;
syscall PRCTL, 4, 0, 0, 0, 0;
$SIG{$_} = 'IGNORE' for qw(INT QUIT TERM HUP USR1 USR2 TSTP PIPE);
open my $report, '>&=', 3 or exit 125;
fcntl $report, 2, 1;
# Not print: to flush a handle, Perl would load a module that takes longer than all of this.
sub tell_host { syswrite $report, join("\0", @_) . "\n"; }

my @watched;
# Which file it is, too: the host looks from outside, and a command may put another one or a link in its place.
sub watch { my ($path) = @_; utime 1, 1, $path; my @is = (lstat $path)[0, 1]; push @watched, [$path, @is]; tell_host('watched', $path, @is); }
for my $path (split /\n/, $decoys) {
  my $folder = '';
  for my $name (grep { $_ ne '' } split m{/}, $path =~ s{/[^/]*$}{}r) { $folder .= "/$name"; mkdir $folder, 0755; }
  if (!-e $path) { if (open my $file, '>', $path) { print {$file} "\n"; close $file; watch($path); } }
}
watch($_) for split /\n/, $hidden;
tell_host('ready');
# Only the forwarder has it: nobody else can say who asks.
my $token = '';
if (open my $random, '<', '/dev/urandom') { sysread $random, $token, 16; $token = unpack 'H*', $token; }
tell_host('token', $token);

my %gates;
for my $port (split /\n/, $ports) {
  socket my $gate, 2, 1, 0 or next;
  setsockopt $gate, 1, 2, pack('l', 1);
  bind $gate, pack('S n C4 x8', 2, $port, 127, 0, 0, 1) or next;
  listen $gate, 511;
  $gates{fileno $gate} = [ $gate, $port ];
}

# Recorders tell here; what they say goes to a file that is not inside.
my ($records, $recorders);
if (open $records, '>&=', 5 and open $recorders, '+<&=', 6) { fcntl $_, 2, 1 for $records, $recorders; } else { undef $recorders; }
pipe my $stopping, my $stop;
my $forwarder = %gates || $recorders ? fork : 0;
if ((%gates || $recorders) && defined $forwarder && $forwarder == 0) { close STDIN; close STDOUT; close STDERR; close $report; close $stop; forward(); exit 0; }

my $outside;
if ($life ne '') { (socket $outside, 1, 1, 0 and connect $outside, pack('S a108', 1, $life)) or exit 125; }
my $child = fork;
if (!defined $child) { exit 126; }
if ($child == 0) {
  # Before it is the command: whoever asks or tells is looked up here.
  tell_host('child', $$);
  $SIG{$_} = 'DEFAULT' for qw(INT QUIT TERM HUP USR1 USR2 TSTP PIPE);
  close $outside if $outside;
  # A stand-in tells by a descriptor: what it starts does not have it, and nobody opens a socket by its path.
  my $telling;
  if ($recorders && ($ENV{RECORDS_FD} // '') eq 'open') {
    $^F = 255;
    socket $telling, 1, 1, 0 and connect $telling, pack('S a108', 1, 'RECORDS_SOCKET') and $ENV{RECORDS_FD} = fileno $telling;
  }
  limit(4, 0);
  limit(1, $bytes);
  limit(6, $processes);
  exec { $command[0] } @command;
  print STDERR "$command[0]: $!\n";
  exit 127;
}
close STDIN; close STDOUT; close STDERR;
close $_->[0] for values %gates;
my %known = (1 => 1, $forwarder => 1);
my ($status, $limited) = (0, 0);
my ($memory_bound, $fall_bound, $fallen, %free_on, %full, %devices) = ($memory, $disk, 0);
# A home is in one of the others.
my @temporary = grep { my $device = (stat $_)[0]; defined $device && !$devices{$device}++ } split(/\n/, $hidden), '/dev/shm';
my @grows = grep { my $device = (stat $_)[0]; defined $device && !$devices{$device}++ } split /\n/, $writable;
# A signal wakes the select. One that comes a moment before does not, so the first waits are short.
$SIG{CHLD} = sub { };
my $pause = 0.002;
WAIT: while (1) {
  while ((my $pid = waitpid -1, 1) > 0) {
    if ($pid == $child) { $status = $?; last WAIT; }
    tell_host('blind') if $pid == $forwarder;
  }
  if (my @limit = reached()) { $limited = 1; tell_host('limit', @limit); end_all(); last; }
  my $ready = '';
  vec($ready, fileno $outside, 1) = 1 if $outside;
  if (select($ready, undef, undef, $pause) > 0) {
    if (!sysread $outside, my $signals, 64) { end_all(); last; }
    else { kill $_, $child for unpack 'C*', $signals; }
  }
  $pause = $pause * 2 > 0.05 ? 0.05 : $pause * 2;
}

my @left = living();
# What was killed a moment ago needs a moment to go. A guard of ours clears up behind its owner, and a CLI that was asked to end has its time, too.
select undef, undef, undef, 0.05 if @left;
for (1 .. 60) { bury(); last if !grep { title($_) =~ /ENDS_SOON/ } @left = living(); select undef, undef, undef, 0.05; }
tell_host('limit', 'uncounted', 0) if $blind && !$limited;
my %listening = @left ? %{ listening() } : ();
for my $pid (@left) {
  my $title = title($pid);
  next if $title eq '';
  my %own;
  if (opendir my $folder, "/proc/$pid/fd") { for (readdir $folder) { my $link = readlink("/proc/$pid/fd/$_") // ''; $own{$listening{$1}} = 1 if $link =~ /^socket:\[(\d+)\]$/ && $listening{$1}; } }
  my $on = join ', ', sort { $a <=> $b } keys %own;
  tell_host('left', "$title ($pid" . ($on eq '' ? '' : ", listens on port $on") . ')');
}
for (@watched) {
  my ($path, $device, $inode) = @$_;
  my @now = lstat $path;
  tell_host('touched', $path, @now && $now[0] == $device && $now[1] == $inode ? @now[8, 9] : (0, 0));
}
tell_host('full', $_) for sort keys %full;
tell_host('routes', no_routes());
# What was told in time is on its way.
if ($recorders && $forwarder) { close $stop; for (my $wait = 0.0003; $wait < 1; $wait *= 1.3) { last if waitpid($forwarder, 1) == $forwarder; select undef, undef, undef, $wait; } }
tell_host('ended', $status & 127, $status >> 8);
close $report;
exit(($status & 127) ? 128 + ($status & 127) : $status >> 8);

sub reached {
  my @pids = everybody();
  # Linux does not limit the processes of root.
  return ('processes', scalar @pids) if @pids > $processes;
  my ($resident, $out, %resident_of) = (0, 0);
  if ($own_io) { sysseek $own_io, 0, 0; sysread $own_io, my $io, 400; $out += $1 if $io =~ /^wchar: (\d+)/m; }
  for my $pid (grep { !$known{$_} } @pids) {
    $resident += $resident_of{$pid} = (split / /, text("/proc/$pid/statm"))[1] // 0;
    $out += $1 if text("/proc/$pid/io") =~ /^wchar: (\d+)/m;
  }
  return ('uncounted', 0) if $blind;
  # What a process wrote is added to that of its parent when it ends.
  return ('written', $out) if $out > $written;
  my $used = 0;
  for my $path (@temporary) { my ($size, $free) = space($path); $used += $size - $free; $full{$path} = 1 if $size > 0 && $free < $size / 100; }
  my $bound = $resident * 4096 + $used;
  if ($bound > $memory_bound) {
    my $exact = $used;
    for my $pid (keys %resident_of) {
      if (text("/proc/$pid/smaps_rollup") =~ /^Pss:\s+(\d+)/m) { $exact += 1024 * $1; }
      # A process can hide what it shares.
      elsif ($! == NOT_ALLOWED) { $exact += 4096 * $resident_of{$pid}; }
    }
    return ('memory', $exact) if $exact > $memory;
    $memory_bound = $bound + $memory - $exact;
  }
  for my $path (@grows) {
    my $free = (space($path))[1];
    $fallen += $free_on{$path} - $free if $free < ($free_on{$path} // 0);
    $free_on{$path} = $free;
  }
  if ($fallen > $fall_bound) {
    my $changed = changed();
    my $grown = $changed < $fallen ? $changed : $fallen;
    return ('disk', $grown) if $grown > $disk;
    $fall_bound = $fallen + $disk - $grown;
  }
  return;
}
sub space { my ($path) = @_; my $facts = "\0" x 256; return (0, 0) if syscall(STATFS, $path, $facts) != 0; my (undef, $block, $all, $free) = unpack 'Q4', $facts; return ($all * $block, $free * $block); }
sub changed {
  my ($sum, %seen) = (0);
  my @folders = split /\n/, $writable;
  while (defined(my $path = pop @folders)) {
    my $folder;
    if (!opendir $folder, $path) {
      next if $! == GONE || $! == NO_FOLDER;
      # What was closed since the start hides something. What was closed before cannot have grown.
      my @facts = lstat $path;
      return $fallen if !@facts || $facts[10] >= $^T;
      next;
    }
    for my $name (readdir $folder) {
      next if $name eq '.' || $name eq '..';
      my @facts = lstat "$path/$name";
      if (!@facts) { return $fallen if $! != GONE && $! != NO_FOLDER; next; }
      if (-d _) { push @folders, "$path/$name"; }
      elsif ($facts[10] >= $^T && !$seen{"$facts[0] $facts[1]"}++) { $sum += $facts[12] * 512; }
    }
  }
  return $sum;
}
sub limit { my ($which, $most) = @_; my $limits = pack 'QQ', $most, $most; syscall SETRLIMIT, $which, $limits; }
# Perl dies of more than 120 signals that it has not looked at yet, and here a thousand children end at once.
sub end_all { $SIG{CHLD} = 'DEFAULT'; for (1 .. 100) { kill 'KILL', -1; bury_all(); last if !living(); } $status = 9; }
sub bury_all { select undef, undef, undef, 0.01; bury(); }
sub bury { 1 while waitpid(-1, 1) > 0; }
sub text {
  my ($path) = @_;
  if (open my $file, '<', $path) { local $/; return <$file> // ''; }
  $blind = 1 if $! != GONE && $! != NO_PROCESS && $! != NOT_ALLOWED;
  return '';
}
sub everybody { rewinddir $everybody; return grep { /^\d+$/ } readdir $everybody; }
sub title { my $words = text("/proc/$_[0]/cmdline"); $words =~ s/\0/ /g; $words =~ s/\s+$//; return $words; }
sub living { return grep { !$known{$_} && text("/proc/$_/stat") =~ /\) [^ZX]/ } everybody(); }
sub listening {
  my %found;
  for (split /\n/, text('/proc/net/tcp') . text('/proc/net/tcp6')) {
    my @fields = split;
    $found{$fields[9]} = hex((split /:/, $fields[1])[1]) if @fields > 9 && $fields[3] eq '0A';
  }
  return \%found;
}
sub no_routes {
  my ($names, $values) = grep { /^Ip:/ } split /\n/, text('/proc/net/snmp');
  my %ip; @ip{split / /, $names // ''} = split / /, $values // '';
  my ($six) = text('/proc/net/snmp6') =~ /^Ip6OutNoRoutes\s+(\d+)/m;
  return ($ip{OutNoRoutes} // 0) + ($six // 0);
}

# Who holds the other end of a connection, as the kernel knows it.
sub asker {
  my ($peer, $gate) = @_;
  my (undef, $port, $address) = unpack 'S n L', $peer;
  my ($mapped, $local, $remote) = ('(?:0{16}FFFF0{4})?', sprintf('%08X:%04X', $address, $port), sprintf('0100007F:%04X', $gate));
  (text('/proc/net/tcp') . text('/proc/net/tcp6')) =~ /^\s*\d+: $mapped$local $mapped$remote (?:\S+\s+){6}([1-9]\d*)\s/m or return;
  # Somebody may hold it and have handed it on: all of them are told.
  my ($link, @found) = ("socket:[$1]");
  for my $pid (everybody()) {
    opendir my $folder, "/proc/$pid/fd" or next;
    next if !grep { (readlink("/proc/$pid/fd/$_") // '') eq $link } readdir $folder;
    push @found, [ (known($pid))[0 .. 4] ];
  }
  return map { @$_ } @found;
}
# A process and those that it comes from, as the kernel knows them.
sub known {
  my ($pid) = @_;
  my ($device, $inode) = stat "/proc/$pid/exe";
  my @above;
  for (my $at = $pid; $at > 1 && @above < 64;) { ($at) = text("/proc/$at/stat") =~ /^.*\) \S (\d+)/s or last; push @above, $at; }
  return ($pid, $device // 0, $inode // 0, readlink("/proc/$pid/exe") // '', substr(title($pid), 0, 4000), "@above");
}
sub forward {
  # The other one is shared with the supervisor, and so is its place in it.
  opendir $everybody, '/proc' or return;
  # Recorders: each with its number, its process and the file that it was seen to run.
  my (%tellers, $numbered, $kept, $ending);
  my $waits = pack 'n/a* N', 'WAITS', 0;
  my $keep = sub {
    my ($number, $what, $bytes) = @_;
    $kept += 17 + length $bytes;
    if ($kept > RECORDS_LIMIT) { return if $what eq 'd'; ($what, $bytes) = ('x', ''); }
    my $now = "\0" x 16;
    syscall CLOCK, $now, 0;
    my ($seconds, $micro) = unpack 'q2', $now;
    my $line = pack('a N N d>', $what, $number, length $bytes, $seconds * 1000 + $micro / 1000) . $bytes;
    for (my $done = 0; $done < length $line;) { $done += syswrite($records, $line, length($line) - $done, $done) // exit 1; }
  };
  # Each end of a connection: its handle, the other end, and what waits to be written to it.
  my %ends;
  my $drop = sub { my ($number) = @_; my $end = delete $ends{$number} or return; my $other = delete $ends{$end->{other}}; close $end->{handle}; close $other->{handle} if $other; };
  while (1) {
    my ($reading, $writing) = ('', '');
    vec($reading, $_, 1) = 1 for keys %gates, keys %tellers;
    vec($reading, fileno $recorders, 1) = 1 if $recorders;
    vec($reading, fileno $stopping, 1) = 1 if !$ending;
    for my $number (keys %ends) {
      my $end = $ends{$number};
      my $other = $ends{$end->{other}} or next;
      vec($reading, $number, 1) = 1 if !$end->{over} && $other->{waiting} eq '';
      vec($writing, $number, 1) = 1 if $end->{waiting} ne '';
    }
    if (select($reading, $writing, undef, $ending ? 0 : undef) <= 0) { return if $ending; next; }
    if (!$ending && vec $reading, fileno $stopping, 1) { $ending = 1; }
    if ($recorders && vec $reading, fileno $recorders, 1) {
      if (accept my $from, $recorders) {
        my ($pid) = unpack 'l', getsockopt $from, 1, 17;
        my @is = known($pid);
        $tellers{fileno $from} = [ $from, ++$numbered, $pid, "@is[1, 2]", '' ];
        $keep->($numbered, 'i', join "\0", @is);
      }
    }
    for my $teller (map { $tellers{$_} } grep { vec $reading, $_, 1 } keys %tellers) {
      my ($from, $number, $pid, $ran) = @$teller;
      my $count = sysread $from, my $bytes, 65536;
      # It may run another program by now, or have been about to when it connected.
      my @now = stat "/proc/$pid/exe";
      if (@now && ("@now[0, 1]" ne $ran || $teller->[4] eq '')) { $teller->[3] = "@now[0, 1]"; $keep->($number, 'i', join "\0", known($pid)); }
      if ($count) {
        $keep->($number, 'd', $bytes);
        # It goes on when all of it is written down.
        $teller->[4] = substr $teller->[4] . $bytes, -length $waits;
        syswrite $from, 'k' if $teller->[4] eq $waits;
        next;
      }
      $keep->($number, 'e', '');
      delete $tellers{fileno $from};
      close $from;
    }
    for my $number (grep { vec $reading, $_, 1 } keys %gates) {
      my $peer = accept my $client, $gates{$number}[0] or next;
      socket my $host, 1, 1, 0 or next;
      connect $host, pack('S a108', 1, "/run/understudy/$gates{$number}[1]") or next;
      my $who = join "\0", $token, asker($peer, $gates{$number}[1]);
      syswrite $host, pack('N', length $who) . $who;
      fcntl $_, 4, NONBLOCK for $client, $host;
      my ($one, $two) = (fileno $client, fileno $host);
      $ends{$one} = { handle => $client, other => $two, waiting => '', over => 0 };
      $ends{$two} = { handle => $host, other => $one, waiting => '', over => 0 };
    }
    for my $number (grep { $ends{$_} && vec $writing, $_, 1 } keys %ends) {
      my $end = $ends{$number} or next;
      my $count = syswrite $end->{handle}, $end->{waiting};
      if (defined $count) { substr $end->{waiting}, 0, $count, ''; shutdown $end->{handle}, 1 if $end->{waiting} eq '' && $ends{$end->{other}} && $ends{$end->{other}}{over}; }
      elsif ($! != AGAIN && $! != 4) { $drop->($number); }
    }
    for my $number (grep { $ends{$_} && vec $reading, $_, 1 } keys %ends) {
      my $end = $ends{$number} or next;
      my $other = $ends{$end->{other}} or next;
      next if $other->{waiting} ne '';
      my $count = sysread $end->{handle}, $other->{waiting}, 65536;
      if (!defined $count) { $other->{waiting} = ''; $drop->($number) if $! != AGAIN && $! != 4; }
      elsif ($count == 0) {
        $end->{over} = 1;
        if ($other->{over}) { $drop->($number); } else { shutdown $other->{handle}, 1; }
      }
    }
  }
}
`;
