import type { JsonObject } from '@understudy/kit';
import { expect, it, vi } from 'vitest';
import { toolReader } from './known-tools.js';
import { parseLazily } from './lazy-object.js';
import type { OfferedTool } from './protocol.js';

const DESCRIPTION = 'Reads a file — or a part of it. '.repeat(400);

function request(description: string, name = 'Read'): JsonObject {
  const body = { messages: [], tools: [{ name, description }] };
  return parseLazily(Buffer.from(JSON.stringify(body))) as JsonObject;
}

const namesOf = (tools: unknown): OfferedTool[] =>
  (tools as { name: string; description: string }[]).map(({ name, description }) => ({
    name,
    description,
    properties: new Set(),
    required: [],
  }));

it('reads tools once that come with every request', () => {
  const read = vi.fn(namesOf);
  const toolsOf = toolReader(read);
  const first = toolsOf(request(DESCRIPTION));
  expect(toolsOf(request(DESCRIPTION))).toBe(first);
  expect(first.map(({ name }) => name)).toEqual(['Read']);
  expect(read).toHaveBeenCalledTimes(1);
});

it('reads tools that differ in one letter, and those of a small request', () => {
  const toolsOf = toolReader(namesOf);
  const names = [
    request(DESCRIPTION),
    request(DESCRIPTION, 'Reed'),
    request('short', 'Raed'),
    request('short', 'Dear'),
  ];
  expect(names.map((body) => toolsOf(body)[0]?.name)).toEqual(['Read', 'Reed', 'Raed', 'Dear']);
});

it('keeps few of them', () => {
  const read = vi.fn(namesOf);
  const toolsOf = toolReader(read);
  for (let number = 0; number < 20; number++) toolsOf(request(DESCRIPTION, `Tool${number}`));
  toolsOf(request(DESCRIPTION, 'Tool19'));
  expect(read).toHaveBeenCalledTimes(20);
  toolsOf(request(DESCRIPTION, 'Tool0'));
  expect(read).toHaveBeenCalledTimes(21);
});
