// Runs the benches and prints their tables: `npm run bench [name…]`. Nothing here asserts a time:
// what is compared is measured side by side, in one run, and printed with its target. With `--check` the missed
// targets are listed at the end, and the exit code is 1 when there are any.
import { existsSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

const BENCHES = [
  ...[
    'scenario',
    'commands',
    'stand-in',
    'model-server',
    'conversation',
    'calls',
    'replay',
    'plugin',
    'rehearsals',
    'suite',
  ],
  ...['loop', 'mcp', 'isolation', 'turns'],
];
const isCheck = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((word) => word !== '--check');
const missed = [];
for (const name of wanted) {
  if (!BENCHES.includes(name)) {
    console.error(`there is no bench ${name}; there are ${BENCHES.join(', ')}`);
    process.exit(2);
  }
}

const [cpu] = cpus();
console.log(
  `Node ${process.versions.node}, ${process.platform}-${process.arch}, ${cpus().length} × ${cpu?.model ?? 'cpu'}, ${Math.round(totalmem() / 2 ** 30)} GB\n`,
);
for (const name of wanted.length > 0 ? wanted : BENCHES) {
  const file = new URL(`./${name}.mjs`, import.meta.url);
  if (!existsSync(file)) continue;
  const { title, bench } = await import(file.href);
  console.log(`## ${title}\n`);
  const { columns, rows, ratios } = await bench();
  printTable(columns, rows);
  for (const { name: ratio, value, target, better } of ratios) {
    const met = better === 'lower' ? value <= target : value >= target;
    if (!met) missed.push(`${name}: ${ratio} is ${round(value)}, the target ${target}`);
    console.log(`${met ? '✓' : '✗'} ${ratio}: ${round(value)} (target ${better === 'lower' ? '≤' : '≥'} ${target})`);
  }
  console.log();
}
if (isCheck) {
  console.log(missed.length === 0 ? 'every target is met' : `missed:\n${missed.map((line) => `  ${line}`).join('\n')}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

function printTable(columns, rows) {
  const cells = [columns, ...rows].map((row) =>
    row.map((cell) => (typeof cell === 'number' ? round(cell) : String(cell))),
  );
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const [head, ...body] = cells.map((row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`);
  console.log([head, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...body, ''].join('\n'));
}

function round(value) {
  return value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toFixed(4);
}
