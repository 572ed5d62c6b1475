#!/usr/bin/env node
// Reviews files with OpenCode, a few at a time, and lets Claude Code summarize.
//   review.mjs FILE…          prints one JSON document
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const AT_ONCE = 2;

function call(program, args) {
  const called = run(program, args);
  // OpenCode waits for the end of its standard input.
  called.child.stdin.end();
  return called.then(({ stdout }) => stdout);
}

async function review(file) {
  const stdout = await call('opencode', ['run', '--format', 'json', `Review ${file}`]);
  const events = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return events.flatMap(({ type, part }) => (type === 'text' ? [part.text] : [])).join('\n');
}

const files = process.argv.slice(2);
const reviews = {};
const waiting = [...files];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) reviews[file] = await review(file);
  }),
);
const text = files.map((file) => `${file}: ${reviews[file]}`).join('\n');
const summary = await call('claude', ['-p', `Summarize these reviews.\n${text}`]);
console.log(JSON.stringify({ files: files.length, reviews, summary: summary.trim() }));
