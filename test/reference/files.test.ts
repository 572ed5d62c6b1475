import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { JsonFields, type JsonSchema } from './json-fields.js';
import { page, table } from './page.js';

const INTRODUCTION = `Every field of every file, from their [JSON Schemas](../configuration.md#editors). Files are TOML, YAML or JSON. In a path, \`[]\` is an entry of a list, and \`*\` a
name that you choose.`;

const FILES: [name: string, title: string, guide: string][] = [
  ['understudy', 'understudy.toml', '../configuration.md'],
  ['rehearsal', 'Rehearsals', '../rehearsals.md'],
  ['scenario', 'Scenarios', '../scenarios.md'],
  ['workflow', 'Workflows', '../workflows.md'],
  ['orchestrator', 'Contracts of orchestrators', '../your-orchestrator.md'],
  ['guard', 'Guard files', '../guards.md'],
];

const schemaOf = (name: string) => JSON.parse(readFileSync(`schema/${name}.schema.json`, 'utf8')) as JsonSchema;

it('is the committed page of files (npm run reference writes it again)', async () => {
  const ofScenario = Object.keys(schemaOf('scenario').properties ?? {});
  const sections = FILES.map(([name, title, guide]) => {
    const schema = schemaOf(name);
    const skip = name === 'rehearsal' ? ofScenario : [];
    const rows = new JsonFields(schema).rows(schema, skip);
    const more = skip.length > 0 ? ' It has all fields of a [scenario](#scenarios), too.' : '';
    const head = `## ${title}\n\n${schema.description ?? ''}${more} [The guide](${guide}) has examples.\n`;
    return `${head}\n${table(['field', 'type', 'meaning'], rows)}`;
  });
  const text = page('File reference', 'the JSON Schemas', INTRODUCTION, sections);
  await expect(text).toMatchFileSnapshot('../../docs/reference/files.md');
});

it('tells each field, what recurs once, and what is refused never', () => {
  const schema: JsonSchema = {
    properties: {
      kind: { enum: ['a', 'b'], description: 'Which.', default: 'a' },
      old: { not: {} } as JsonSchema,
      one: { $ref: '#/$defs/part' },
      many: { type: 'array', items: { $ref: '#/$defs/part' } },
    },
    required: ['one'],
    $defs: { part: { type: 'object', properties: { size: { type: 'integer', description: 'How large.' } } } },
  };
  expect(new JsonFields(schema).rows(schema)).toEqual([
    ['`kind`', '"a" or "b"', 'Which. (default: `"a"`)'],
    ['`one`', 'table', '(required)'],
    ['`one.size`', 'whole number', 'How large.'],
    ['`many`', 'list of: table', ''],
    ['`many[].…`', '', 'as in `one.…`'],
  ]);
});
