import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { runAllSteps, UnderstudyError, waitForAll } from '@understudy/kit';
import { folderName } from '@understudy/stage';
import { type HarnessHolder, holdHarness } from '../harness-holder.js';
import { BODY_LIMIT } from './node-bridge.js';
import { isBusy, type ServedClients } from './sessions.js';

interface Space {
  holder: HarnessHolder;
  lastUsed: number;
}

/** The name of the space that a path asks for: `/mcp/NAME`. */
export function spaceOf(path: string): string | undefined {
  return /^\/mcp\/([A-Za-z0-9_-]{1,64})\/?$/.exec(path)?.[1];
}

/**
 * Clients of the revision without sessions: their requests say nothing of who sends them, so that
 * the address does. Each `/mcp/NAME` has a harness of its own; at the bare `/mcp` there is none.
 */
export class Spaces {
  readonly #spaces = new Map<string, Space>();
  readonly #served: ServedClients;
  readonly #handler: McpHttpHandler;
  readonly #watch: NodeJS.Timeout;

  constructor(served: ServedClients) {
    const { limits } = served;
    this.#served = served;
    this.#handler = createMcpHandler(({ requestInfo }) => served.build(this.#holderFor(requestInfo?.url)), {
      legacy: 'reject',
      maxRequestBodySize: BODY_LIMIT,
    });
    this.#watch = setInterval(() => this.#endIdle(), Math.max(50, Math.min(10_000, limits.idleMs / 2)));
    this.#watch.unref();
  }

  get count(): number {
    return this.#spaces.size;
  }

  handle(request: Request, parsedBody: unknown): Promise<Response> {
    return this.#handler.fetch(request, parsedBody === undefined ? undefined : { parsedBody });
  }

  async close(reason: string): Promise<void> {
    clearInterval(this.#watch);
    const holders = [...this.#spaces.values()].map(({ holder }) => holder);
    this.#spaces.clear();
    await runAllSteps([() => this.#handler.close(), () => waitForAll(holders.map((holder) => holder.close(reason)))]);
  }

  #holderFor(url: string | undefined): HarnessHolder {
    const name = url === undefined ? undefined : spaceOf(new URL(url).pathname);
    if (name === undefined) return NOWHERE;
    const known = this.#spaces.get(name);
    if (known !== undefined) {
      known.lastUsed = Date.now();
      return known.holder;
    }
    // A space costs nothing until its first tool needs a harness: that is when there must be room.
    return {
      get: () => this.#begin(name).holder.get(),
      peek: () => this.#spaces.get(name)?.holder.peek(),
      close: async () => {},
    };
  }

  #begin(name: string): Space {
    const known = this.#spaces.get(name);
    if (known !== undefined) return known;
    if (this.#spaces.size >= this.#served.limits.sessions) {
      throw new UnderstudyError('MCP_TOO_MANY_SESSIONS', `all ${this.#served.limits.sessions} named slots are in use`, {
        fix: `Use a name of yours again, or wait: a name is free after ${this.#served.limits.idleMs / 60_000} minutes without a request.`,
      });
    }
    const space: Space = { holder: holdHarness(this.#served.harnessFor(folderName(name))), lastUsed: Date.now() };
    this.#spaces.set(name, space);
    return space;
  }

  #endIdle(): void {
    for (const [name, { holder, lastUsed }] of this.#spaces) {
      if (isBusy(holder) || Date.now() - lastUsed < this.#served.limits.idleMs) continue;
      this.#spaces.delete(name);
      // No client is there to receive the error, and other clients must not suffer from it.
      holder.close('the space was idle').catch(() => {});
    }
  }
}

const NOWHERE: HarnessHolder = {
  async get() {
    throw new UnderstudyError(
      'MCP_NO_SESSION',
      'this client has no session, so what it starts could not be kept apart from what others start',
      { fix: 'Connect to /mcp/NAME instead of /mcp, with a name of your own.' },
    );
  },
  peek: () => undefined,
  close: async () => {},
};
