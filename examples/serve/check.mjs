// Runs every agent of the store, or those that are named, on greeting.toml and checks what it did.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const understudy = [process.execPath, join(here, '../../dist/bin/understudy.js')];
const PROMPT = 'please write a greeting';
const HEADLESS = {
  claude: ['-p', PROMPT, '--permission-mode', 'acceptEdits'],
  opencode: ['run', '--format', 'json', PROMPT],
  codex: ['exec', '--json', '--skip-git-repo-check', PROMPT],
  gemini: ['--yolo', '-p', PROMPT],
  copilot: ['--allow-all', '-p', PROMPT],
};

function start([program, ...args], options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.once('close', () => resolve(output)));
  return { child, ended, output: () => output };
}

async function served() {
  const server = start([...understudy, 'serve', '--json', '--scenario', join(here, 'greeting.toml')]);
  while (!server.output().endsWith('}\n')) {
    if (server.child.exitCode !== null) throw new Error(server.output());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { ...server, agents: JSON.parse(server.output()).agents };
}

const { agents: found } = JSON.parse(await start([...understudy, 'agents', 'list', '--json']).ended);
const named = process.argv.slice(2);
const usable = found.filter(
  ({ agent, chosen, answers }) =>
    chosen && answers && agent in HEADLESS && (named.length === 0 || named.includes(agent)),
);
if (usable.length === 0) {
  console.error('there is no agent to run: `understudy agents add claude` fetches one');
  process.exit(2);
}

const server = await served();
let failed = 0;
for (const { agent, version, command } of usable) {
  const scratch = mkdtempSync(join(tmpdir(), `serve-${agent}-`));
  const { env, files, args } = server.agents[agent];
  for (const [path, text] of Object.entries({ ...files, 'work/.keep': '' })) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), text);
  }
  const cwd = join(scratch, 'work');
  const run = start([...command, ...args, ...HEADLESS[agent]], {
    cwd,
    env: { PATH: process.env.PATH, HOME: scratch, ...env },
  });
  const output = await run.ended;
  let written = '';
  try {
    written = readFileSync(join(cwd, 'greeting.txt'), 'utf8');
  } catch {}
  const passed = written === 'Hello from the script.\n' && output.includes('I wrote greeting.txt for you.');
  console.log(`${passed ? '✓' : '✗'} ${agent} ${version}`);
  if (!passed) console.log(output);
  if (!passed) failed++;
  rmSync(scratch, { recursive: true, force: true });
}
server.child.kill();
process.exitCode = failed === 0 ? 0 : 1;
