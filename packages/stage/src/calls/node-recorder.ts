import { OTHER, tellingWords } from '@understudy/agents';
import { ENDING_NAME } from '@understudy/kit';

/**
 * The recorder for machines without Perl, with the same arguments and the same records. It starts more slowly. Where it
 * is killed outright, the CLI lives on until its output breaks; and as the pipes of Node are sockets, a CLI that nobody reads
 * gets an error instead of SIGPIPE.
 */
export function nodeRecorderScript(): string {
  return `const TELLING = ${JSON.stringify(tellingWords)};\nconst OTHER = ${JSON.stringify(OTHER)};\nconst ENDING = ${JSON.stringify(ENDING_NAME)};\n${SCRIPT}`;
}

const SCRIPT = String.raw`const { spawn } = require('node:child_process');
const fs = require('node:fs');
const [name, asking, reads, own, ...command] = process.argv.slice(2);
const words = command.slice(Number(own));
const calls = process.env.UNDERSTUDY_CALLS || '';

const tty = [0, 1, 2].map((descriptor) => require('node:tty').isatty(descriptor));
const has = (list) => words.some((word) => list.includes(word));
const asks = has(asking.split(' ')) || ((tty[0] || asking === '*') && !has(TELLING));

/** The folder of this call; nothing where none can be made. */
function claim() {
  const prefix = asks ? '' : OTHER;
  const numbers = fs.readdirSync(calls).map((entry) => (entry.startsWith(prefix) ? Number(entry.slice(prefix.length)) : 0));
  for (let number = Math.max(0, ...numbers.filter(Number.isInteger)) + 1; ; number++) {
    try {
      fs.mkdirSync(calls + '/' + prefix + number);
      return { number, folder: calls + '/' + prefix + number };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

let call;
try {
  if (calls !== '') call = claim();
} catch {}

const env = { ...process.env };
const key = (env.UNDERSTUDY_MODEL_KEY || '').replace(/\.\d+\.\d+$/, '');
if (call && asks && key !== '') {
  const tagged = new RegExp(key.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&') + '(?:\\.\\d+\\.\\d+)?', 'g');
  for (const variable of Object.keys(env))
    env[variable] = env[variable].replace(tagged, key + '.' + (env.UNDERSTUDY_STEP || 1) + '.' + call.number);
}
if (call) {
  let who = '';
  try {
    who = fs.readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8').replace(/\0/g, ' ').replace(/ $/, '');
  } catch {}
  const fields = [process.pid, process.ppid, who, process.cwd(), name, ...words];
  fs.writeFileSync(call.folder + '/start', fields.map((field) => field + '\0').join(''));
}

const stats = [0, 1, 2].map((descriptor) => {
  try {
    return fs.fstatSync(descriptor);
  } catch {
    return undefined;
  }
});
const [input, output, errors] = stats;
const copiesInput = call && asks && reads === '1' && !tty[0] && input && !input.isCharacterDevice();
const together = call && !tty[1] && output && errors && output.dev === errors.dev && output.ino === errors.ino;
const copies = (descriptor) => call && !tty[descriptor];
const started = together ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...command] : command;
const inTerminal = tty.some(Boolean);
const forwarded = ['SIGTERM', 'SIGHUP', 'SIGUSR2', ...(inTerminal ? [] : ['SIGINT', 'SIGQUIT', 'SIGCONT', 'SIGWINCH'])];
// Before it is started: its program may end it at once.
for (const signal of forwarded)
  process.on(signal, () => {
    if (/TERM|HUP|INT/.test(signal)) process.title = ENDING + ' ' + name;
    child.kill(signal);
  });
if (inTerminal) for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
const child = spawn(started[0], started.slice(1), {
  env,
  detached: !inTerminal,
  stdio: [copiesInput ? 'pipe' : 'inherit', copies(1) ? 'pipe' : 'inherit', copies(2) && !together ? 'pipe' : 'inherit'],
});
child.on('error', (error) => {
  process.stderr.write(command[0] + ': ' + error.message + '\n');
  process.exit(127);
});

const record = (stream) => fs.openSync(call.folder + '/' + stream, 'w');
/** Writes all of it, to whatever kind of pipe; false when nobody reads it any more. */
function writeAll(descriptor, bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}
let lastData = 0;
for (const [stream, descriptor, title] of [[child.stdout, 1, 'stdout'], [child.stderr, 2, 'stderr']]) {
  if (!stream) continue;
  const file = record(title);
  stream.on('data', (bytes) => {
    lastData = Date.now();
    fs.writeSync(file, bytes);
    if (!writeAll(descriptor, bytes)) stream.destroy();
  });
}
if (copiesInput) {
  const file = record('stdin');
  child.stdin.on('error', () => process.stdin.destroy());
  process.stdin.on('data', (bytes) => {
    fs.writeSync(file, bytes);
    if (!child.stdin.write(bytes)) {
      process.stdin.pause();
      child.stdin.once('drain', () => process.stdin.resume());
    }
  });
  process.stdin.on('end', () => child.stdin.end());
}

child.on('exit', (code, signal) => {
  let closed = false;
  child.on('close', () => {
    closed = true;
    finish();
  });
  // A process that it left behind may hold the pipes open: that one is not waited for.
  const look = () => (closed || Date.now() - lastData > 50 ? finish() : setTimeout(look, 10));
  lastData = Date.now();
  setTimeout(look, 10);
  let finished = false;
  function finish() {
    if (finished) return;
    finished = true;
    const number = signal === null ? code : require('node:os').constants.signals[signal];
    if (call) fs.writeFileSync(call.folder + '/end', (signal === null ? 'exit ' : 'signal ') + number + '\n');
    if (signal === null) process.exit(code);
    for (const name of forwarded) process.removeAllListeners(name);
    for (const name of ['SIGINT', 'SIGQUIT']) process.removeAllListeners(name);
    if (signal === 'SIGPIPE') process.exit(128 + number);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + number), 1000);
  }
});
`;
