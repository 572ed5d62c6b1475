// The same in code: whatever the language has can make it. Editors know the type; TypeScript checks it with `// @ts-check`.
const things = ['door', 'window'];

/** @type {import('agent-understudy').RehearsalInput} */
const rehearsal = {
  name: 'the door is open',
  tags: ['smoke'],
  responses: [
    {
      pattern: { type: 'regex', pattern: things.join('|') },
      response: { text: 'It is open.', tool_calls: [{ tool: 'Bash', input: { command: 'ls' } }] },
    },
  ],
  steps: [{ send: `is the ${things[0]} open?`, expect: { says: 'open', tools: { any: ['Bash'] } } }],
};

// biome-ignore lint/style/noDefaultExport: a rehearsal is the default export.
export default rehearsal;
