import type { Contract } from './compare.js';

/** Schemas with their parts where they are used: what a part is called, and whether it is one, concerns no user. */
export function withParts({ schemas = {}, ...contract }: Contract): Contract {
  if (typeof schemas === 'string') return { ...contract, schemas };
  const entries = Object.entries(schemas).map(
    ([name, schema]) => [name, inPlace(schema, partsOf(schema), [])] as const,
  );
  return { ...contract, schemas: Object.fromEntries(entries) };
}

function partsOf(schema: Contract | string): Contract {
  const parts = typeof schema === 'string' ? undefined : schema['$defs'];
  return typeof parts === 'object' ? parts : {};
}

/** `around` are the parts that this one stands in: a part of itself is only named as one. */
function inPlace(tree: Contract | string, parts: Contract, around: readonly string[]): Contract | string {
  if (typeof tree === 'string') return tree;
  const { $defs: _, $ref, ...rest } = tree;
  const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inPlace(value, parts, around)]));
  if (typeof $ref !== 'string') return own;
  const name = $ref.replace('#/$defs/', '');
  const part = parts[name];
  if (part === undefined) return { ...own, $ref };
  if (around.includes(name)) return { ...own, part: 'of itself' };
  const placed = inPlace(part, parts, [...around, name]);
  return typeof placed === 'string' ? placed : { ...placed, ...own };
}
