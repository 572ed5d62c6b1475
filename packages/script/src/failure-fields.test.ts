import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineScenario } from './load.js';
import { failureSchema } from './schema.js';

/** The fields of each failure, but for `type` and `times`, and whether they are required. */
const FAILURES = failureSchema.def.options.map(({ shape }) => {
  const { type, times, ...fields } = shape as Record<string, z.ZodMiniType>;
  const isRequired = (name: string) => !z.safeParse(fields[name] ?? z.never(), undefined).success;
  const names = Object.keys(fields);
  return { type: shape.type.def.values[0] ?? '', names, required: names.filter(isRequired) };
});

it.each(FAILURES)(
  'the documentation has the fields of $type, the required ones in bold',
  ({ type, names, required }) => {
    const page = readFileSync(new URL('../../../docs/scenarios.md', import.meta.url), 'utf8');
    const [, cell = ''] = new RegExp(`^\\| \`${type}\` \\|([^|]*)\\|`, 'm').exec(page) ?? [];
    expect([...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual([...names].sort());
    expect([...cell.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name]) => name)).toEqual(required);
  },
);

it.each(FAILURES.flatMap(({ type, required }) => required.map((field) => ({ type, field }))))(
  'the error about a $type without $field names both',
  ({ type, field }) => {
    const load = () => defineScenario({ responses: [{ pattern: { type: 'any' }, failure: { type } as never }] });
    const message = `\`failure\` of type "${type}" has no \`${field}\``;
    expect(load).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ message })] }));
  },
);

it('takes a failure with all that it needs', () => {
  const failure = { type: 'stall' as const, after_ms: 10 };
  expect(() => defineScenario({ responses: [{ pattern: { type: 'any' }, failure }] })).not.toThrow();
});
