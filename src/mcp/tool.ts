import type { CallToolResult, ResourceLink, ToolAnnotations } from '@modelcontextprotocol/server';
import { redactAll, redactor } from '@understudy/kit';
import type * as z from 'zod';
import type { Harness } from './harness/harness.js';
import { badInput, toolError } from './tool-error.js';

/** What a tool can use while it runs. */
export interface ToolContext {
  /** The harness of this client. It is loaded when the first tool needs it. */
  harness(): Promise<Harness>;
  /** The client cancelled its request, or has gone. */
  signal: AbortSignal;
  /** Informs the client, where it asked for it, how far we are. */
  progress(message: string): void;
}

export type ResourceLinkOf = Omit<ResourceLink, 'type'>;

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.infer<Input>, context: ToolContext): Promise<z.infer<Output>>;
  /** The output in words. */
  text(output: z.infer<Output>): string;
  /** Resources that the output speaks of. */
  links?(output: z.infer<Output>): ResourceLinkOf[];
}

/** A tool as the server registers it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Never throws: what goes wrong is a result that says so. */
  call(args: unknown, context: ToolContext): Promise<CallToolResult>;
}

/** Makes a tool of a definition: input and output are checked, errors become results. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { run, text, links, ...described } = definition;
  return {
    ...described,
    async call(args, context) {
      const parsed = definition.input.safeParse(args ?? {});
      if (!parsed.success) return toolError(badInput(definition.name, parsed.error.issues));
      const redact = redactor(process.env);
      try {
        const output = redactAll(definition.output.parse(await run(parsed.data, context)), redact);
        const linked = (links?.(output) ?? []).map((link) => ({ type: 'resource_link' as const, ...link }));
        return { content: [{ type: 'text', text: text(output) }, ...linked], structuredContent: output };
      } catch (error) {
        return redactAll(toolError(error), redact);
      }
    },
  };
}

/** A tool that only looks. */
export const readOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** A tool that makes something new and takes nothing away. */
export const additive: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** A tool that ends or removes something. */
export const destructive: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };
