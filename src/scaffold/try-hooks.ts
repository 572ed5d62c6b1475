import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectionOf } from '../claude-code/hooks/judgment.js';
import type { PayloadFields } from '../claude-code/hooks/payload.js';
import { defined } from '../document/defined.js';
import { type FiredHook, fireHooks } from '../plugins/hooks/fire.js';
import { createScratch } from '../process/scratch.js';
import { prepareProject } from '../rehearsal/prepare-project.js';
import { PROJECT } from './rehearsal-text.js';
import { type Candidate, EXAMPLE_TEXT, inputIn, TOOL_CANDIDATES } from './tool-candidates.js';

/** What the hooks of one event did for one input. */
export interface HookTry {
  candidate: Candidate;
  blocked: boolean;
  /** Why it objected, in words that are the same in every run. */
  reason?: string;
}

/** What a tool's hooks let through, and what they stop. */
export interface ToolTry {
  passed?: HookTry;
  stopped?: HookTry;
  /** No input was tried: the CLI alone can run the hook. */
  unknown: boolean;
}

/** A hook that takes longer says nothing here. */
const MAX_SECONDS = 10;

/** Fires the hooks of a plugin in a project like that of the rehearsal. */
export class HookTrial {
  readonly #root: string;
  readonly #scratch = createScratch('init');
  #folder: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The first harmless input that passes, and the first dangerous one that is stopped. */
  async tryTool(event: string, tool: string): Promise<ToolTry> {
    const { harmless = [], dangerous: all = [] } = TOOL_CANDIDATES[tool] ?? {};
    const dangerous = event === 'PreToolUse' ? all : [];
    const found: ToolTry = { unknown: true };
    for (const candidate of [...harmless, ...dangerous]) {
      const isHarmless = harmless.includes(candidate);
      if (isHarmless ? found.passed !== undefined : found.stopped !== undefined) continue;
      const fired = await this.#fireTool(event, tool, candidate);
      if (fired.length === 0) return found;
      found.unknown = false;
      const stopper = fired.find(({ blocked }) => blocked);
      const reason = stableLine(stopper === undefined ? undefined : wordsOf(stopper), await this.#project());
      const result: HookTry = {
        candidate,
        blocked: stopper !== undefined,
        ...defined({ reason }),
      };
      if (result.blocked) found.stopped ??= result;
      else if (isHarmless) found.passed = result;
      // A hook that does not end in time would not end for the others either.
      if (fired.some(({ outcome }) => outcome === 'cancelled')) return found;
    }
    return found;
  }

  /** Fires the hooks of an event that is not about a tool. */
  async tryEvent(event: string, fields: PayloadFields = {}): Promise<{ fired: FiredHook[]; context?: string }> {
    const cwd = await this.#project();
    const { fired } = await fireHooks({ from: this.#root, event, cwd, fields, maxSeconds: MAX_SECONDS });
    const context = stableLine(fired.map(({ additionalContext = '' }) => additionalContext).join('\n'), cwd);
    return { fired, ...defined({ context }) };
  }

  remove(): Promise<void> {
    return this.#scratch.remove();
  }

  async #fireTool(event: string, tool: string, candidate: Candidate): Promise<FiredHook[]> {
    const cwd = await this.#project();
    if (candidate.edits !== undefined) {
      const file = join(cwd, candidate.edits);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, EXAMPLE_TEXT);
    }
    const toolInput = inputIn(cwd, candidate);
    const { fired } = await fireHooks({ from: this.#root, event, cwd, tool, toolInput, maxSeconds: MAX_SECONDS });
    return fired;
  }

  #project(): Promise<string> {
    this.#folder ??= (async () => {
      const folder = join(realpathSync(this.#scratch.path), 'project');
      await prepareProject(PROJECT, folder, folder);
      return folder;
    })();
    return this.#folder;
  }
}

/** Why a hook objected, in its own words. */
export function wordsOf({ command, ...ended }: FiredHook): string | undefined {
  return objectionOf({ ...ended, label: command });
}

const MAX_LENGTH = 60;

/** The first line that names no folder of this run and no number. */
function stableLine(text: string | undefined, folder: string): string | undefined {
  const line = text
    ?.split(/\r?\n/)
    .map((one) => one.trim())
    .find((one) => one.length > 3 && !one.includes(folder) && !/\d/.test(one));
  return line?.slice(0, MAX_LENGTH).trim();
}
