import * as z from 'zod/mini';

export const ProjectType = z.enum(['web-app', 'cli', 'library']);
export type ProjectType = z.infer<typeof ProjectType>;

export const Language = z.enum(['python', 'javascript', 'go']);
export type Language = z.infer<typeof Language>;

/** Which test project to make. */
export const ProjectSpec = z.strictObject({
  type: ProjectType,
  language: Language,
  name: z.optional(z.string()),
});
export type ProjectSpec = z.infer<typeof ProjectSpec>;
