// What a turn in a living Claude Code conversation costs with us, against the bare CLI on a bare
// fake server. All talk in turns, one after the other, so that a busy machine slows all alike.
// The CLI itself works longer when it is asked for more (a permission channel, Glob and Grep): so
// the bare CLI that counts has the same arguments and variables; the one with none of them is shown
// beside it. Two columns say where our part lies: in the model server, and after the CLI's result.
import { spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addAgent, Conversation } from '../dist/index.js';

export const title = 'A turn in a living Claude Code conversation';

const TURNS = 60;
const PAUSE_MS = 40;
const ANSWER = 'Hello back.';

export async function bench() {
  const { command } = await addAgent('claude');
  const ours = await Conversation.start({ scenario: { default_response: ANSWER } });
  const plain = await startBare(command, [], {});
  const same = await startBare(command, extraArguments(ours.pid), variablesOf(ours.pid));
  const times = { plain: [], same: [], ours: [] };
  const parts = { plain: [], same: [], ours: [] };
  const marks = watchParts();
  const talkers = [
    ['plain', (text) => plain.send(text)],
    ['same', (text) => same.send(text)],
    ['ours', (text) => ours.send(text).then((turn) => turn.text)],
  ];
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [name, send] of talkers) {
      const started = performance.now();
      const text = await send(`hello ${turn}`);
      const time = performance.now() - started;
      if (text !== ANSWER) throw new Error(`${name} answered ${JSON.stringify(text)}`);
      // The first turn of each is its start, and is not counted.
      if (turn > 0) {
        times[name].push(time);
        parts[name].push({ server: marks.answered - marks.asked, after: started + time - marks.result });
      }
      // A CLI writes its transcript after it has answered; that must not fall into another's turn.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    // Who goes first, and after whom, changes.
    if (turn % 3 === 2) talkers.reverse();
    talkers.push(talkers.shift());
  }
  await Promise.all([plain.end(), same.end(), ours.end()]);

  const names = { plain: 'bare CLI, no more arguments', same: 'bare CLI, our arguments', ours: 'understudy' };
  return {
    columns: ['a second turn (ms)', 'median', '10 %', '90 %', 'in the server', 'after the result'],
    rows: Object.entries(times).map(([name, list]) => [
      names[name],
      quantile(list, 0.5),
      quantile(list, 0.1),
      quantile(list, 0.9),
      ...['server', 'after'].map((part) =>
        quantile(
          parts[name].map((one) => one[part]),
          0.5,
        ),
      ),
    ]),
    ratios: [
      {
        name: 'understudy / bare CLI with the same arguments, median of a turn',
        value: quantile(times.ours, 0.5) / quantile(times.same, 0.5),
        target: 1.05,
        better: 'lower',
      },
      {
        name: 'our part of a turn, ms',
        value: ['server', 'after'].reduce((sum, part) => sum + ownPart(parts, part), 0),
        target: 1,
        better: 'lower',
      },
    ],
  };
}

/** What a part takes beyond what it takes the bare CLI on the bare server. */
function ownPart(parts, part) {
  const half = (name) =>
    quantile(
      parts[name].map((one) => one[part]),
      0.5,
    );
  return half('ours') - half('same');
}

/** What our CLI was started with, beyond the talking itself. */
function extraArguments(pid) {
  const all = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return [
    '--include-hook-events',
    '--replay-user-messages',
    '--permission-prompt-tool',
    'stdio',
    '--tools',
    all[all.indexOf('--tools') + 1],
  ];
}

/** The variables of our CLI, without those that say where it lives and whom it belongs to. */
function variablesOf(pid) {
  const own = ['HOME', 'TMPDIR', 'CLAUDE_CODE_TMPDIR', 'CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'UNDERSTUDY_OWNER'];
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const pairs = lines.filter((line) => line !== '').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]);
  return Object.fromEntries(pairs.filter(([name]) => !own.includes(name)));
}

/** When a request came, when its answer was out, and when the CLI's result was read: the last of each. */
function watchParts() {
  const marks = { asked: 0, answered: 0, result: 0 };
  subscribe('http.server.request.start', () => {
    marks.asked = performance.now();
  });
  subscribe('http.server.response.finish', () => {
    marks.answered = performance.now();
  });
  const parse = JSON.parse;
  JSON.parse = (text, revive) => {
    const value = parse(text, revive);
    if (value?.type === 'result') marks.result = performance.now();
    return value;
  };
  return marks;
}

/** The CLI with a pipe, and nothing else around it. */
async function startBare([file, ...args], extra, variables) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-bare-'));
  const [home, cwd] = [join(folder, 'home'), join(folder, 'project')];
  for (const made of [home, cwd]) mkdirSync(made);
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cli = spawn(
    file,
    [...args, '-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', ...extra],
    {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        ...variables,
        TMPDIR: home,
        CLAUDE_CODE_TMPDIR: home,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
        ANTHROPIC_API_KEY: 'sk-not-a-real-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        ENABLE_TOOL_SEARCH: 'false',
      },
    },
  );
  let done;
  createInterface({ input: cli.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'result') done(message.result);
  });
  return {
    send(text) {
      cli.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`);
      return new Promise((resolve) => {
        done = resolve;
      });
    },
    async end() {
      cli.stdin.end();
      await new Promise((resolve) => cli.once('exit', resolve));
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Reads the request to its end, as any server does, and says the same every time. */
function answer(request, response) {
  request.resume();
  request.once('end', () => (request.method === 'POST' ? greet(response) : response.writeHead(404).end()));
}

function greet(response) {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
