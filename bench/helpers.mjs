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

/** Runs a command to its end: its output, its seconds, and the most memory of the process itself in MB (Linux). */
export async function timed([program, ...args], { cwd, watchMemory = false } = {}) {
  const started = performance.now();
  const child = spawn(program, args, { cwd, env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const memory = [];
  const look = () => {
    const kilobytes = residentKilobytes(child.pid);
    if (kilobytes !== undefined) memory.push(kilobytes / 1024);
  };
  const timer = watchMemory ? setInterval(look, 250) : undefined;
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  const code = await ended;
  clearInterval(timer);
  return { code, output, seconds: (performance.now() - started) / 1000, memory };
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
