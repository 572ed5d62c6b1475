import * as z from 'zod/mini';

/** A field that may be left out, with what editors and readers of the schema see. */
export function field<S extends z.ZodMiniType>(description: string, schema: S): z.ZodMiniOptional<S> {
  return withDescription(description, z.optional(schema));
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
