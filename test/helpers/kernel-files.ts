/** Opens each file below /proc and /sys for writing, writes nothing, and tells those that opened. */
export const OPEN_ALL = String.raw`
use Fcntl;
$| = 1;
my @folders = ('/proc', '/sys');
while (defined(my $folder = pop @folders)) {
  opendir my $handle, $folder or next;
  for my $name (readdir $handle) {
    next if $name eq '.' || $name eq '..';
    my $path = "$folder/$name";
    lstat $path or next;
    if (-l _) { next; }
    elsif (-d _) { push @folders, $path; }
    elsif (-f _) { if (sysopen my $file, $path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW) { close $file; print "$path\n"; } }
  }
}
print "end\n";`;

/** Files that a sandboxed command may open for writing, and why that is no way out. */
const HARMLESS: readonly RegExp[] = [
  // About a process itself. The kernel refuses what would be more, as a lower oom_score_adj or a second uid_map.
  /^\/proc\/\d+\/(?:task\/\d+\/)?(?:sched|autogroup|timens_offsets|comm|clear_refs|oom_adj|oom_score_adj|loginuid|coredump_filter|(?:uid|gid|projid)_map|setgroups|timerslack_ns|make-it-fail|fail-nth|latency|attr\/.+)$/,
  // The memory of other programs inside, whose user is the same. Not that of the first process, which keeps the limits.
  /^\/proc\/(?!1\/)\d+\/(?:task\/\d+\/)?mem$/,
  // Whoever writes there is told when the machine is busy, as long as the file is open.
  /^\/proc\/pressure\/(?:io|cpu|memory|irq)$/,
];

/** Of the sandbox's own namespaces of processes and messages: for an ordinary user, a sandbox does not cover them. */
const OF_OWN_NAMESPACES =
  /^\/proc\/sys\/(?:fs\/mqueue\/\w+|kernel\/(?:ns_last_pid|pid_max|auto_msgmni|msg\w+|sem|sem_next_id|shm\w+))$/;

export function harmful(opened: readonly string[], { isRoot }: { isRoot: boolean }): string[] {
  const fine = isRoot ? HARMLESS : [...HARMLESS, OF_OWN_NAMESPACES];
  return opened.filter((path) => !fine.some((pattern) => pattern.test(path)));
}
