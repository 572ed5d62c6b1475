import * as z from 'zod/mini';

/** A field that may be left out, with what editors and readers of the schema see; `usual` is what it is then. */
export function field<S extends z.ZodMiniType>(
  description: string,
  schema: S,
  usual?: z.input<S>,
): z.ZodMiniOptional<S> {
  const optional = z.optional(schema);
  z.globalRegistry.add(optional, { description, ...(usual === undefined ? {} : { default: usual }) });
  return optional;
}

/** A field that must be there, or that has a default. */
export function required<S extends z.core.$ZodType>(description: string, schema: S): S {
  return withDescription(description, z.clone(schema));
}

/** A field that has another name now: the schema refuses the old one and names the new one. */
export function renamedField(newName: string) {
  return withDescription(`The field \`${newName}\` has taken its place.`, z.optional(z.never({ error: newName })));
}

function withDescription<S extends z.core.$ZodType>(description: string, schema: S): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}
