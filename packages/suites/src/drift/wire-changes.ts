import type { WireSeen } from './case-model.js';
import { type Change, listChanges, valueChange, withoutInsides } from './change.js';
import { fieldsOf } from './differences.js';
import type { Json } from './observe.js';

/** What is compared in a way of its own. */
const APART = new Set(['tools', 'system', 'messages', 'metadata']);
/** Headers that a proxy or the clock decides. */
const VOLATILE = new Set(['host', 'connection', 'content-length', 'x-stainless-retry-count']);

/** What the requests of two programs have not in common: tools and their schemas, fields, headers, the system prompt. */
export function wireChanges(before: readonly WireSeen[], after: readonly WireSeen[]): Change[] {
  const count = valueChange('request', 'number of requests', before.length, after.length);
  // Where one of them asks nothing, this says it all.
  if (before.length === 0 || after.length === 0) return count;
  return [
    ...count,
    ...listChanges('request', 'header', headersOf(before), headersOf(after)),
    ...listChanges('request', 'anthropic-beta', betasOf(before), betasOf(after)),
    ...withoutInsides(listChanges('request', 'field', bodyFields(before), bodyFields(after))),
    ...listChanges('request', 'model', texts(before, 'model'), texts(after, 'model')),
    ...listChanges('prompt', 'system prompt', promptOf(before), promptOf(after)),
    ...toolChanges(toolsOf(before), toolsOf(after)),
  ];
}

function headersOf(wire: readonly WireSeen[]): Set<string> {
  return new Set(wire.flatMap(({ headers }) => Object.keys(headers).filter((name) => !VOLATILE.has(name))));
}

function betasOf(wire: readonly WireSeen[]): Set<string> {
  return new Set(wire.flatMap(({ headers }) => (headers['anthropic-beta'] ?? '').split(',')).filter(Boolean));
}

function bodyFields(wire: readonly WireSeen[]): Set<string> {
  return new Set(
    wire.flatMap(({ body }) => [
      ...fieldsOf(Object.fromEntries(Object.entries(body).filter(([name]) => !APART.has(name)))),
    ]),
  );
}

function texts(wire: readonly WireSeen[], field: string): Set<string> {
  return new Set(wire.map(({ body }) => String(body[field])));
}

/** The paragraphs of the system prompt, each once. */
function promptOf(wire: readonly WireSeen[]): Set<string> {
  const blocks = wire.flatMap(({ body: { system } }) =>
    Array.isArray(system) ? (system as Json[]) : [{ text: system }],
  );
  return new Set(
    blocks
      .flatMap(({ text }) => (typeof text === 'string' ? text.split(/\n\s*\n/) : []))
      .map((paragraph) => paragraph.trim())
      .filter(Boolean),
  );
}

function toolsOf(wire: readonly WireSeen[]): Map<string, Json> {
  const all = wire.flatMap(({ body: { tools } }) => (Array.isArray(tools) ? (tools as Json[]) : []));
  return new Map(all.map((tool) => [String(tool['name']), tool]));
}

function toolChanges(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): Change[] {
  const both = [...before].flatMap(([name, old]): [string, Json, Json][] => {
    const own = after.get(name);
    return own === undefined ? [] : [[name, old, own]];
  });
  return [
    ...listChanges('tool', 'offered', before.keys(), after.keys()),
    ...both.flatMap(([name, old, own]) => [
      ...listChanges('tool schema', name, schemaLines(old['input_schema']), schemaLines(own['input_schema'])),
      ...valueChange('tool description', name, old['description'], own['description']),
    ]),
  ];
}

/** A schema as lines that can be compared: `properties.command.type = "string"`. Descriptions are texts, not shape. */
function schemaLines(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item) => schemaLines(item, `${path}[]`));
  if (typeof schema !== 'object' || schema === null) return [`${path} = ${JSON.stringify(schema)}`];
  return Object.entries(schema)
    .filter(([name, value]) => !(name === 'description' && typeof value === 'string') && name !== '$schema')
    .flatMap(([name, value]) => schemaLines(value, path === '' ? name : `${path}.${name}`));
}
