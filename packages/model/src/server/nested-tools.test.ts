import { expect, it } from 'vitest';
import { nestedCall, nestedTools } from './nested-tools.js';
import { openaiResponses } from './wire/openai-responses.js';

const description = `Runs a program.

declare const tools: { patch(input: string): Promise<unknown>; };

declare const tools: { shell_out(args: {
  // What to run.
  cmd: string;
  // Where: { "a": 1 } is no place.
  workdir?: string;
}): Promise<{
  output: string;
}>; };

declare const tools: { get(args: {}): Promise<unknown>; };
`;

it('reads tools that are items of the conversation, and those that only a program can call', () => {
  const exec = { type: 'custom', name: 'exec', description };
  const tools = [{ type: 'namespace', name: 'functions', tools: [exec] }];
  const input = [
    { type: 'additional_tools', role: 'developer', tools },
    { type: 'message', role: 'user', content: 'go' },
  ];
  const request = openaiResponses.read({ model: 'm', input }, { path: '/v1/responses', query: new URLSearchParams() });
  expect(request.toolless).toBe(false);
  expect(request.tools).toMatchObject([{ name: 'exec', custom: true }]);
  expect(request.tools[0]?.namespace).toBeUndefined();
  const nested = request.tools.flatMap(nestedTools);
  expect(nested.map(({ name, properties, required, custom }) => [name, [...properties], required, custom])).toEqual([
    ['patch', [], [], true],
    ['shell_out', ['cmd', 'workdir'], ['cmd'], undefined],
    ['get', [], [], undefined],
  ]);
  const [patch, shell] = nested;
  expect(patch && nestedCall(patch, { input: 'a "b"' })).toEqual({ code: 'text(await tools.patch("a \\"b\\""))' });
  expect(shell && nestedCall(shell, { cmd: 'ls' })).toEqual({ code: 'text(await tools.shell_out({"cmd":"ls"}))' });
});
