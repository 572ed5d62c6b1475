import { expect, it } from 'vitest';
import { workflowMeta } from './workflow-meta.js';

const D = `name: 'x', description: 'D'`;

/** What the pinned Claude Code takes for a workflow, each asked for. */
it.each([
  [`// a comment\n/* two */\nexport const meta = { ${D} }`],
  [`#!/usr/bin/env node\nexport const meta = { ${D} }`],
  [`\n\n  export   const\n meta={ ${D} };;\nreturn (1;`],
  [`export const meta = ({ ${D} })`],
  [`export const meta = { // inside\n ${D}, /* here */ }`],
  [`export const meta = { ${D}, whenToUse: 9, phases: 'no' }`],
  [`export const meta = { "name": "y", ${D}, extra: { a: [1, -2.5, true, null,] } }`],
])('reads %j', (script) => {
  expect(workflowMeta(script)).toEqual({ name: 'x', description: 'D', phases: [] });
});

/** What it passes over. */
it.each([
  `'use strict';\nexport const meta = { ${D} }`,
  `import x from 'y';\nexport const meta = { ${D} }`,
  `const a = 1;\nexport const meta = { ${D} }`,
  `export let meta = { ${D} }`,
  `export const meta = { ${D} } as const`,
  `export const meta = { ${D} }, b = 1`,
  `export const meta = { name: 'x', description: '' }`,
  `export const meta = { name: 'x', description: 8 }`,
  `export const meta = { name: 'x' }`,
  `export const meta = { name: 'x', description: y }`,
  `export const meta = { name: 'x', description: 'a' + 'b' }`,
  'export const meta = { name: "x", description: `D ${1}` }',
  `export const meta = { ${D}, ...more }`,
  `export const meta = { ${D}, f() { return 1; } }`,
  `export const meta = { ${D}, get f() { return 1; } }`,
  `export const meta = { ${D}, ['a']: 1 }`,
  `export const meta = { ${D}, a: undefined }`,
  `export const meta = { ${D}, a: x => 1 }`,
  `export const meta = { ${D}, __proto__: { a: 1 } }`,
  `export const meta = { ${D}`,
  'return 1;',
])('passes over %j', (script) => {
  expect(workflowMeta(script)).toBeUndefined();
});

it('reads texts as JavaScript does, and the titles of phases', () => {
  const phases = `[{ title: 'One', detail: 'the first' }, { title: \`Two\nlines\` }, 'three', { detail: 'x' }]`;
  const script = `export const meta = { name: ' a ', description: 'D\\u00e9\\x41\\n\\\\\\'s', whenToUse: "w", phases: ${phases} }`;
  expect(workflowMeta(script)).toEqual({
    name: ' a ',
    description: "DéA\n\\'s",
    whenToUse: 'w',
    phases: ['One: the first', 'Two\nlines'],
  });
});
