// What several benches need: our program, a clean environment, and how long and how much a command takes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const UNDERSTUDY = fileURLToPath(new URL('../dist/bin/understudy.js', import.meta.url));

const KEPT = ['PATH', 'HOME', 'UNDERSTUDY_STORE', 'XDG_CACHE_HOME', 'UNDERSTUDY_NATIVE'];

/** Only what our program needs of this environment. */
export function cleanEnvironment() {
  return Object.fromEntries(
    KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/**
 * Runs a command to its end: its output, its seconds, and on Linux what the process itself had of memory (MB) and what it
 * and the processes that it waited for took of the processor (seconds), as they were shortly before the end.
 */
export async function timed([program, ...args], { cwd, watchMemory = false } = {}) {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const memory = [];
  const look = () => {
    const kilobytes = residentKilobytes(child.pid);
    if (kilobytes !== undefined) memory.push(kilobytes / 1024);
  };
  let processor;
  const timer = setInterval(() => {
    if (watchMemory) look();
    processor = processorSeconds(child.pid) ?? processor;
  }, 250);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const code = await ended;
  clearInterval(timer);
  return { code, output, seconds: (performance.now() - started) / 1000, memory, processor };
}

const TICKS = 100;

function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS);
    return { own: user + system, children: childrenUser + childrenSystem };
  } catch {
    return undefined;
  }
}

function residentKilobytes(pid) {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes);
  } catch {
    return undefined;
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
