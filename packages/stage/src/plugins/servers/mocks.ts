import { join } from 'node:path';
import { writeWhole } from '@understudy/kit';
import * as z from 'zod/mini';

/** A tool that answers what the test says. */
const mockSchema = z.object({
  tool: z.string(),
  /** The server that it belongs to; absent, every server that offers such a tool. */
  server: z.optional(z.string()),
  /** The real server is not started: there are only mocks in its place. */
  replace: z.boolean(),
  /** The result of `tools/call`. */
  result: z.record(z.string(), z.unknown()),
});

export const mocksSchema = z.array(mockSchema);

export type Mock = z.infer<typeof mockSchema>;

/** The mocks of one user, in a file that the proxies read before each answer: a new one counts at once. */
export class Mocks {
  readonly file: string;
  readonly #mocks: Mock[] = [];

  constructor(folder: string) {
    this.file = join(folder, 'mocks.json');
    this.#write();
  }

  get all(): readonly Mock[] {
    return [...this.#mocks];
  }

  /** Registers a mock; one for the same tool of the same server is replaced. */
  add(mock: Mock): void {
    const old = this.#mocks.findIndex(({ tool, server }) => tool === mock.tool && server === mock.server);
    if (old >= 0) this.#mocks.splice(old, 1);
    this.#mocks.push(mock);
    this.#write();
  }

  clear(): number {
    const count = this.#mocks.splice(0).length;
    this.#write();
    return count;
  }

  /** Whether a server of this name is to be seen through a proxy. */
  concern(server: string): boolean {
    return this.#mocks.some((mock) => mock.server === undefined || mock.server === server);
  }

  #write(): void {
    writeWhole(this.file, JSON.stringify(this.#mocks));
  }
}

/** The result of a tool call out of what a test wrote: a text, a table, a whole result, or `{ error = "…" }`. */
export function toolResult(answer: string | Record<string, unknown>): Record<string, unknown> {
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  const { error, ...rest } = answer;
  if (typeof error !== 'string' || Object.keys(rest).length > 0) return toToolResult(answer);
  return { content: [{ type: 'text', text: error }], isError: true };
}

/** The result of a tool call out of what the test gave: a result is taken as it is, anything else becomes its text. */
export function toToolResult(response: Record<string, unknown>): Record<string, unknown> {
  if (Array.isArray(response['content'])) return response;
  return { content: [{ type: 'text', text: JSON.stringify(response) }], structuredContent: response };
}
