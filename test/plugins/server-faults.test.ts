import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { redChecks } from '../../packages/verdict/src/results/red-checks.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';

const LIST = 'mcp__issues__list';
const calls = (tool: string) => ({ text: 'done', tool_calls: [{ tool, input: {} }] });
const tools = { list: 'one' };
const called = (tool: string, status: string) => ({ tools: { calls: [{ tool, status }] } });

/** Rehearsals of one server, each with something wrong with it, and the checks that are red for it. */
const FAULTS: Record<string, { rehearsal: object; red: string[]; onSim?: string }> = {
  'it dies, and the rehearsal does not know': {
    rehearsal: { mcp: { issues: { tools, dies_after: 1 } }, steps: [{ send: 'list' }, { send: 'list again' }] },
    red: ['MCP servers are alive'],
  },
  'it dies, and the rehearsal expects it': {
    rehearsal: {
      mcp: { issues: { tools, dies_after: 0 } },
      steps: [{ send: 'list', expect: called(LIST, 'error') }],
    },
    red: [],
  },
  'it cannot start': {
    rehearsal: {
      mcp: { issues: { fails: 'no license' } },
      start: { expect: { mcp_servers: ['issues'] } },
      steps: [{ send: 'hello' }],
    },
    red: ['start: MCP server up'],
  },
  'it is slow': {
    rehearsal: {
      mcp: { issues: { tools, start_delay_ms: 300, delay_ms: 300 } },
      steps: [{ send: 'list', expect: called(LIST, 'ok') }],
    },
    red: [],
  },
  'it has other tools': {
    rehearsal: {
      mcp: { issues: { tools, changes: { after: 1, tools: { show: 'two' } } } },
      steps: [
        { send: 'list', expect: called(LIST, 'ok') },
        { send: 'show', expect: called('mcp__issues__show', 'ok') },
      ],
    },
    red: [],
    onSim: 'unsupported',
  },
};

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('server-faults');
  for (const [name, { rehearsal }] of Object.entries(FAULTS)) {
    const responses = [
      { pattern: { type: 'contains', text: 'list' }, response: calls(LIST), optional: true },
      { pattern: { type: 'contains', text: 'show' }, response: calls('mcp__issues__show'), optional: true },
    ];
    const file = `${name.replaceAll(/\W+/g, '-')}.rehearsal.json`;
    writeFiles(scratch.path, { [file]: JSON.stringify({ name, responses, default_response: 'Hello.', ...rehearsal }) });
  }
});
afterAll(() => scratch.remove());

it.for(['sim', 'scripted'])('what goes wrong with a server is seen on %s', async (stage, context) => {
  if (stage === 'scripted') await realAgent('claude', context);
  const { entries } = await runRehearsals(['.'], stage, scratch.path);
  const red = Object.fromEntries(entries.map((entry) => [entry.name, redChecks(entry).map(({ check }) => check.name)]));
  for (const [name, { red: names, onSim }] of Object.entries(FAULTS)) {
    if (stage === 'sim' && onSim !== undefined) expect(red[name], name).toContain(onSim);
    else expect(red[name], name).toEqual(names);
  }
});
