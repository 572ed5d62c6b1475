// `node scripts/write-reliability.mjs TALLY…`: writes docs/reliability.md from what a long run noted (UNDERSTUDY_TALLY).
// What a file does not have keeps the row that the page has, so that one attack can be run again alone.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const PAGE = new URL('../docs/reliability.md', import.meta.url);
const ROW = /^\| (.+?) \| (.+?) \| ([\d,]+) \| ([\d,]+) \|$/gm;

const rows = new Map();
const text = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
for (const [, attack, target, tries, failures] of text.matchAll(ROW)) {
  note({ attack, target: target.replaceAll('`', ''), tries: numberOf(tries), failures: numberOf(failures) });
}
for (const file of process.argv.slice(2)) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) note(JSON.parse(line));
}

function note(row) {
  rows.set(`${row.attack}\n${row.target}`, row);
}

function numberOf(written) {
  return Number(written.replaceAll(',', ''));
}

const table = [...rows.values()].map(
  ({ attack, target, tries, failures }) =>
    `| ${attack} | \`${target}\` | ${tries.toLocaleString('en-US')} | ${failures.toLocaleString('en-US')} |`,
);
const tries = [...rows.values()].reduce((sum, row) => sum + row.tries, 0);
const failures = [...rows.values()].reduce((sum, row) => sum + row.failures, 0);

writeFileSync(
  PAGE,
  `# Reliability

\`npm run test:long\` attacks Understudy and writes this table: ${tries.toLocaleString('en-US')} tries, ${failures.toLocaleString('en-US')} failures. Random
moments and inputs come from a seed (\`UNDERSTUDY_SEED\`), which a failing test prints. The tests are in \`test/long/\` and in
the files named \`*fuzz*\` and \`hostile-text\`; each runs alone: \`UNDERSTUDY_LONG=1 npx vitest run test/long/kills\`.
Each row is the latest complete run. Rows may come from different runs and commits, and an attack
that was stopped early has fewer tries.

| attack | target | tries | failures |
|---|---|---|---|
${table.join('\n')}

## What counts as a failure

- **kill -9**: a process or a container of the command is there 20 seconds later, the next start does not work, or
  something is left in the temp folder or mounted after it. The commands have tools, hooks and backends that start processes which drop environment,
  session and parent.
- **Connections**: strace sees a connection or a look-up that is not for loopback, of the command or of anything it starts. One
  that a sandbox keeps inside, where there is no network, is none.
- **Strange requests, malformed messages, odd arguments**: no answer, an answer of another shape than the protocol's, a
  status of 500 or above, or a server that does not do its work afterwards.
- **Hostile text**: a character that could steer a terminal reaches it, other than our own colors.
- **Full disk**: a stack, \`INTERNAL\`, an exit code other than 0, 1 and 2, a failure that does not name the disk, or
  something left in the temp folder.
- **Repeats**: another verdict than the first, with twice as many busy programs as there are processors.

## What is not promised

- Linux is attacked. On macOS marks cannot be read from other processes: what leaves its group within half a second of its
  start is not found.
- A process that removes its own limits (\`setrlimit\`), or that another service starts for it, is not found.
- A killed reaper: when our process and its reaper are both killed at once, processes may stay until they end; folders go with
  the next start.
- Times. Nothing here says how long something takes on a loaded machine.
`,
);
