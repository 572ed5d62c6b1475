// How long one `-p` takes, from the start of the process to its end: Node alone, the stand-in, its
// compiled binary where it was built, and the real CLI on a model that answers at once. The programs
// take turns, so that whatever else the machine does hits all of them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const title = 'The claude stand-in: a cold start';

const ROUNDS = Number(process.env.UNDERSTUDY_BENCH_ROUNDS ?? 31);
const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
const bundle = [dist('bin/understudy-claude.cjs'), dist('bin/understudy-claude.js')].find((file) => existsSync(file));
const native = dist('native/understudy-stand-ins');

export async function bench() {
  const root = mkdtempSync(join(tmpdir(), 'bench-stand-in-'));
  const model = await startModel();
  try {
    mkdirSync(join(root, 'work'));
    const scenario = join(root, 'scenario.toml');
    writeFileSync(scenario, '[[responses]]\npattern = { type = "contains", text = "hi" }\nresponse = "hello"\n');
    const programs = [
      { name: 'node -e 0', command: [process.execPath, '-e', '0'] },
      { name: 'understudy-claude -p hi', command: [process.execPath, bundle, '-p', 'hi'] },
      ...(existsSync(native)
        ? [{ name: 'native understudy-claude -p hi', command: [native, 'claude', '-p', 'hi'] }]
        : []),
      ...realClaude().map((command) => ({
        name: 'claude -p hi (real, fake model)',
        command: [command, '-p', 'hi'],
        rounds: 7,
      })),
    ];
    // Nothing of this machine's environment: NODE_EXTRA_CA_CERTS alone would cost Node 70 ms.
    const env = {
      PATH: process.env.PATH,
      HOME: root,
      CLAUDE_CONFIG_DIR: join(root, '.claude'),
      UNDERSTUDY_SCENARIO: scenario,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-nothing',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const times = programs.map(() => []);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [index, { command, rounds = ROUNDS, name }] of programs.entries()) {
        if (round > rounds) continue;
        const took = await time(command, { env, cwd: join(root, 'work') }, name);
        // The first one warms the disk.
        if (round > 0) times[index].push(took);
      }
    }
    const medians = times.map(median);
    const [node = 1] = medians;
    const at = (part) => programs.findIndex(({ name }) => name.startsWith(part));
    return {
      columns: ['program', 'median ms', 'fastest ms', '× node'],
      rows: programs.map(({ name }, index) => [name, medians[index], Math.min(...times[index]), medians[index] / node]),
      ratios: [
        { name: 'stand-in against node -e 0', value: medians[1] / node, target: 1.6, better: 'lower' },
        ...(at('native') === -1
          ? []
          : [
              {
                name: 'native stand-in, ms',
                value: medians[at('native')],
                target: 8,
                better: 'lower',
              },
            ]),
        ...(at('claude') === -1
          ? []
          : [
              {
                name: 'real claude against the stand-in',
                value: medians[at('claude')] / medians[1],
                target: 5,
                better: 'higher',
              },
            ]),
      ],
    };
  } finally {
    await model.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function time([program, ...args], options, name) {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(Number(process.hrtime.bigint() - started) / 1e6);
      else reject(new Error(`${name} ended with ${code}`));
    });
  });
}

/** The real CLI, when it is in the store. */
function realClaude() {
  const { agents } = JSON.parse(
    execFileSync(process.execPath, [dist('bin/understudy.js'), 'agents', 'list', '--json'], { encoding: 'utf8' }),
  );
  const found = agents.find(({ agent, answers }) => agent === 'claude' && answers);
  return found === undefined ? [] : [found.command[0]];
}

async function startModel() {
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ];
  const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      if (request.method === 'POST') response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
      else response.writeHead(404).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
