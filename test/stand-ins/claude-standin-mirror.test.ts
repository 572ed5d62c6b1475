import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { standInWorld } from '../helpers/stand-in.js';

it('gives a host that keeps sessions itself each line of the transcript', async () => {
  const world = standInWorld({
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'done', tool_calls: [{ tool: 'Bash', input: { command: 'true' } }] },
      },
    ],
  });
  const input = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } })}\n`;
  const args = ['--input-format', 'stream-json', '--session-mirror', '--allowedTools', 'Bash'];
  const events = await world.stream(args, { input });
  const mirrored = events.filter(({ type }) => type === 'transcript_mirror');
  const [file] = new Set(mirrored.map(({ filePath }) => String(filePath)));
  const lines = readFileSync(file ?? '', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(mirrored.flatMap(({ entries }) => entries)).toEqual(lines.filter(({ type }) => type !== 'understudy-state'));
  expect(lines.map(({ type }) => type)).toContain('assistant');
});
