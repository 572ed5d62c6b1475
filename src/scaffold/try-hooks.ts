import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { objectionOf } from '@understudy/agents';
import { createScratch, defined } from '@understudy/kit';
import { prepareProject } from '@understudy/runner';
import { type DeclaredHook, deadRun, type FiredHook, type FireOptions, fireHooks } from '@understudy/stage';
import { type Candidate, EXAMPLE_TEXT, inputIn, TOOL_CANDIDATES, textOfHook } from '@understudy/suites';
import { type Skipped, triedPart } from './part.js';
import { PROJECT } from './rehearsal-text.js';

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
  /** How many inputs were tried. With none, the CLI alone can run the hook, or it is `slow`. */
  inputs: number;
  /** Why not all inputs were tried. */
  slow?: string;
  /** It was stopped, and not again in a new project: what the hook looks for changes. */
  changed?: Candidate;
}

/** What the hooks of an event did that is not about a tool. */
export interface EventTry {
  fired: FiredHook[];
  context?: string;
  /** Why they were not fired, or not to their end. */
  slow?: string;
}

/** How long hooks are tried, in seconds. */
export interface TrialLimits {
  /** A hook that takes longer says nothing here. */
  firing: number;
  /** All inputs of one tool. */
  tool: number;
  /** All hooks of the plugin. */
  plugin: number;
}

const LIMITS: TrialLimits = { firing: 10, tool: 20, plugin: 60 };

/** Fires the hooks of a plugin in a project like that of the rehearsal. */
export class HookTrial {
  readonly #root: string;
  readonly #limits: TrialLimits;
  readonly #say: (what: string) => void;
  readonly #isolation: string | undefined;
  readonly #tried = new Map<string, Set<string>>();
  readonly #dead = new Map<string, Skipped>();
  readonly #scratch = createScratch('init');
  #folder: Promise<string> | undefined;
  #projects = 0;
  #spentSeconds = 0;

  /** `say` receives what is tried, before it is tried. */
  constructor(
    root: string,
    {
      limits = LIMITS,
      say = () => {},
      isolation,
    }: { limits?: TrialLimits; say?: (what: string) => void; isolation?: string | undefined } = {},
  ) {
    this.#isolation = isolation;
    this.#root = root;
    this.#limits = limits;
    this.#say = say;
  }

  /** The first harmless input that passes, and the first dangerous one that is stopped. */
  async tryTool(event: string, tool: string): Promise<ToolTry> {
    const { harmless = [], dangerous: all = [] } = TOOL_CANDIDATES[tool] ?? {};
    const dangerous = event === 'PreToolUse' ? all : [];
    const found: ToolTry = { inputs: 0 };
    const begin = this.#spentSeconds;
    this.#say(`hooks of ${event} on ${tool}`);
    for (const candidate of [...harmless, ...dangerous]) {
      const isHarmless = harmless.includes(candidate);
      if (isHarmless ? found.passed !== undefined : found.stopped !== undefined) continue;
      const slow = this.#tooSlow(this.#spentSeconds - begin);
      if (slow !== undefined) return { ...found, slow };
      const fired = await this.#fireTool(event, tool, candidate);
      // A hook may be for some inputs only, or for the CLI alone.
      if (fired.length === 0) continue;
      found.inputs += 1;
      const stopper = fired.find(({ blocked }) => blocked);
      const reason = stableLine(stopper === undefined ? undefined : wordsOf(stopper), await this.#project());
      const result: HookTry = {
        candidate,
        blocked: stopper !== undefined,
        ...defined({ reason }),
      };
      if (result.blocked) {
        if (await this.#isStoppedAgain(event, tool, candidate)) found.stopped ??= result;
        else found.changed ??= candidate;
      }
      if (!result.blocked && isHarmless) found.passed = result;
      // A hook that does not end in time would not end for the others either.
      const unended = this.#unended(fired);
      if (unended !== undefined) return { ...found, slow: unended };
    }
    return found;
  }

  /** The rehearsal has a project of its own: what was left by what was tried here is not in it. */
  async #isStoppedAgain(event: string, tool: string, candidate: Candidate): Promise<boolean> {
    if (this.#tooSlow() !== undefined) return true;
    this.#projects += 1;
    this.#folder = undefined;
    return (await this.#fireTool(event, tool, candidate)).some(({ blocked }) => blocked);
  }

  /** What a hook's command and its scripts say. */
  textOf(hook: DeclaredHook): string {
    return textOfHook(this.#root, hook);
  }

  /** Fires the hooks of an event that is not about a tool. */
  async tryEvent(event: string): Promise<EventTry> {
    const slow = this.#tooSlow();
    if (slow !== undefined) return { fired: [], slow };
    this.#say(`hooks of ${event}`);
    const cwd = await this.#project();
    const fired = await this.#fire({ event, cwd });
    const context = stableLine(fired.map(({ additionalContext = '' }) => additionalContext).join('\n'), cwd);
    return { fired, ...defined({ context, slow: this.#unended(fired) }) };
  }

  /** What hooks tried outside of their sandbox, by their events. */
  get tried(): Skipped[] {
    return [...this.#tried]
      .filter(([, texts]) => texts.size > 0)
      .map(([event, texts]) => triedPart(`hook ${event}`, [...texts]));
  }

  /** Hooks that gave no answer: the rehearsal will be red until they do. */
  get dead(): Skipped[] {
    return [...this.#dead.values()];
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
    return this.#fire({ event, cwd, tool, toolInput });
  }

  async #fire(options: Omit<FireOptions, 'from' | 'maxSeconds'>): Promise<FiredHook[]> {
    const begin = performance.now();
    const { fired } = await fireHooks({
      ...{ ...options, from: this.#root, maxSeconds: this.#limits.firing, isolation: this.#isolation },
    });
    for (const { event, tried = [], outcome, exitCode, stderr } of fired) {
      this.#tried.set(event, new Set([...(this.#tried.get(event) ?? []), ...tried]));
      if (outcome !== 'error' || exitCode === 2 || this.#dead.has(event)) continue;
      this.#dead.set(event, { name: `hook ${event}`, ...deadRun('it was fired by hand', { exitCode, stderr }) });
    }
    this.#spentSeconds += (performance.now() - begin) / 1000;
    return fired;
  }

  #unended(fired: readonly FiredHook[]): string | undefined {
    const isCancelled = fired.some(({ outcome }) => outcome === 'cancelled');
    return isCancelled ? `a hook did not end in ${this.#limits.firing} s` : undefined;
  }

  #tooSlow(onToolSeconds = 0): string | undefined {
    const { tool, plugin } = this.#limits;
    if (this.#spentSeconds > plugin) return `the hooks of this plugin took more than ${plugin} s`;
    return onToolSeconds > tool ? `the hooks took more than ${tool} s for it` : undefined;
  }

  #project(): Promise<string> {
    this.#folder ??= (async () => {
      const folder = join(realpathSync(this.#scratch.path), `project${this.#projects === 0 ? '' : this.#projects}`);
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
