// What replay adds to a request: a cassette of growing conversations in the shape of Claude Code's requests, asked over
// HTTP, beside the scripted model server with the same answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../dist/model-server/index.js';

export const title = 'Replay beside the scripted model server (requests of 60 to 120 KB)';

const TURNS = 40;
const ROUNDS = 5;
const KEY = 'sk-understudy-benchmark';
const lorem = 'You are an agent that works with the user toward their goals, with these tools — and these rules. ';

const tools = Array.from({ length: 12 }, (_, index) => ({
  name: `Tool${index}`,
  description: lorem.repeat(40),
  input_schema: { type: 'object', properties: { file_path: { type: 'string' }, content: { type: 'string' } } },
}));
const system = [{ type: 'text', text: lorem.repeat(100) }];

function bodies(name) {
  const messages = [];
  return Array.from({ length: TURNS }, (_, turn) => {
    messages.push({
      role: 'user',
      content: [{ type: 'text', text: `${name}: question ${turn}. ${lorem.repeat(12)}` }],
    });
    const body = JSON.stringify({ model: 'm', stream: true, max_tokens: 1000, system, tools, messages });
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'Answered.' }] });
    return body;
  });
}

async function ask(url, body, session) {
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'user-agent': 'claude-cli/2.1.325', 'x-api-key': KEY },
      'x-claude-code-session-id': session,
    },
    body,
  });
  await answer.text();
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
}

async function askAll(url, name) {
  for (const body of bodies(name)) await ask(url, body, `again ${name}`);
}

/** The machine does other things, too: so it is processor time that counts. */
async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system: kernel } = process.cpuUsage(before);
  return (user + kernel) / 1000;
}

export async function bench() {
  const { startRecording, startReplay } = await import('../dist/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'understudy-bench-'));
  const file = join(folder, 'bench.cassette.jsonl');
  const scripted = await startModelServer({
    key: KEY,
    scenario: { document: { default_response: 'Answered.' }, warnings: [] },
  });
  const names = Array.from({ length: ROUNDS }, (_, index) => `round ${index}`);
  try {
    const environment = { ANTHROPIC_BASE_URL: scripted.url, ANTHROPIC_API_KEY: KEY };
    const { server: recorder } = await startRecording({ file, header: { agents: [] }, environment, key: KEY });
    for (const name of names) for (const body of bodies(name)) await ask(recorder.url, body, name);
    await recorder.close();
    const replay = await startReplay({ file, key: KEY });
    const spent = { scripted: [], replay: [] };
    for (const name of names) {
      spent.scripted.push(await processorTime(() => askAll(scripted.url, name)));
      spent.replay.push(await processorTime(() => askAll(replay.url, name)));
    }
    await replay.close();
    const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] / TURNS;
    const [one, other] = [middle(spent.scripted), middle(spent.replay)];
    return {
      columns: ['server', 'processor ms per request, with the client'],
      rows: [
        ['scripted', one],
        ['replay', other],
      ],
      ratios: [{ name: 'replay adds, in ms per request', value: Math.max(other - one, 0), target: 2, better: 'lower' }],
    };
  } finally {
    await scripted.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
