import { resolve } from 'node:path';
import { defined, runAllSteps, UnderstudyError } from '@understudy/kit';
import { loadRows, runRehearsal } from '@understudy/runner';
import type { Conversation, ConversationOptions } from '@understudy/stage';
import { describeEntry, describeFailure, isRed } from '@understudy/verdict';
import { callTool } from '../mcp/call-tool.js';
import { holdHarness } from '../mcp/harness-holder.js';
import { judgeTurn } from '../testing/judge-turn.js';
import { defaultOptions } from '../testing/options.js';
import type { PlacedAgents } from '../testing/placed-agents.js';
import { TestHarness } from '../testing/test-harness.js';
import { runDocument, turnDocument } from './documents.js';
import type { Method, ParamsOf } from './params.js';

export interface SessionOptions {
  version: string;
  /** Where rehearsals and projects may be. */
  roots: readonly string[];
  artifacts: string;
}

type Methods = { [M in Method]: (params: ParamsOf<M>) => unknown };

/** Everything that one client has. All of it goes when the client does. */
export class Session {
  readonly #tests = new Numbered<TestHarness>('test');
  readonly #conversations = new Numbered<Conversation>('conversation');
  readonly #places = new Numbered<PlacedAgents>('place');
  readonly #projects = new WeakMap<PlacedAgents, TestHarness>();
  readonly #holder;
  readonly #ending = new AbortController();
  readonly methods: Methods;

  constructor({ version, roots, artifacts }: SessionOptions) {
    this.#holder = holdHarness({ roots });
    this.methods = {
      'test.begin': ({ from, project, checks, allow_unused, allow_unanswered, ...talk }) => {
        const { agent, stage, scenario, plugins, workflow, ...options } = conversationOptions(talk);
        const harness = new TestHarness(
          {
            ...defaultOptions,
            ...{ scenario, workflow, options },
            ...defined({ agent, stage, plugins, checks, project }),
            ...defined({ allowUnused: allow_unused, allowUnanswered: allow_unanswered }),
          },
          from,
        );
        return { test: this.#tests.add(harness) };
      },
      'test.problems': ({ test, failed }) => ({ problems: this.#tests.get(test).problems(defined({ failed })) }),
      'test.describe': ({ test }) => ({ text: this.#tests.get(test).describe() }),
      'test.end': async ({ test, failed }) => {
        return { problems: await this.#tests.remove(test).finish(defined({ failed })) };
      },
      'project.create': async ({ test, project }) => ({ folder: await this.#tests.get(test).project(project) }),
      'plugin.copy': ({ test, path }) => {
        const { folder, name, commands } = this.#tests.get(test).plugin(path);
        return { folder, name, commands };
      },
      'conversation.start': async ({ test, cwd, ...talk }) => {
        const conversation = await this.#tests.get(test).start({ ...conversationOptions(talk), ...defined({ cwd }) });
        return { conversation: this.#conversations.add(conversation), folder: conversation.cwd };
      },
      'conversation.send': async ({ conversation, text, timeout_ms }) =>
        turnDocument(
          await this.#conversations.get(conversation).send(text, { ...defined({ deadlineMs: timeout_ms }) }),
        ),
      'conversation.cancel': async ({ conversation }) => {
        await this.#conversations.get(conversation).cancel();
        return {};
      },
      'conversation.end': async ({ conversation }) => {
        await this.#conversations.get(conversation).end();
        return {};
      },
      'conversation.events': ({ conversation }) => ({ events: this.#conversations.get(conversation).events }),
      'conversation.expect': ({ conversation, of, expect, not }) =>
        judgeTurn(partOf(this.#conversations.get(conversation), of), expect, { isNot: not }),
      'agents.place': async ({ test, agents, environment, state }) => {
        const harness = this.#tests.get(test);
        const placed = await harness.place({ environment, ...defined({ agents }) });
        this.#projects.set(placed, harness);
        const own = placed.ownEnvironment(state);
        return { place: this.#places.add(placed), environment: own, ...defined({ url: placed.url }) };
      },
      'agents.calls': ({ place }) => runDocument(this.#places.get(place).own()),
      'program.run': async ({ place, command, cwd, stdin, env, timeout_ms, state }) => {
        const placed = this.#places.get(place);
        // Only our own folders are looked at: a folder of the user may be the whole repository.
        const watched = this.#projects.get(placed)?.owns(cwd) === true;
        const run = await placed.run({ command, cwd, watched, stdin, env, timeoutMs: timeout_ms, state });
        return runDocument(run);
      },
      'program.expect': ({ place, run, expect, not }) => this.#places.get(place).expect(run, expect, not),
      'rehearsal.run': async ({ file, agents, stage, update_snapshots, isolation }) => {
        const { entries, passed } = await runRehearsal(loadRows(resolve(file)), {
          ...{
            agents,
            stage,
            isolation,
            updateSnapshots: update_snapshots,
            artifacts,
            version,
            signal: this.#ending.signal,
          },
        });
        return {
          passed,
          entries: entries.map((entry) => ({
            ...{ name: entry.name, agent: entry.agent, stage: entry.stage, status: entry.status },
            ...defined({ reason: entry.reason }),
            text: isRed(entry) ? `${describeEntry(entry)}\n${describeFailure(entry)}` : describeEntry(entry),
          })),
        };
      },
      'tool.call': ({ name, arguments: args }) =>
        callTool(name, args, {
          harness: () => this.#holder.get(),
          signal: this.#ending.signal,
          progress: () => {},
        }),
    };
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await runAllSteps([
      ...this.#tests.all().map(
        (test) => () =>
          test.finish({ failed: true }).then(
            () => {},
            () => {},
          ),
      ),
      () => this.#holder.close('the client left'),
    ]);
  }
}

type Talk = Omit<ParamsOf<'conversation.start'>, 'test' | 'cwd'>;

function conversationOptions({ env, model, timeout_ms, scenario, workflow, ...rest }: Talk): ConversationOptions {
  return {
    ...defined({
      ...rest,
      environment: env,
      modelName: model,
      deadlines: timeout_ms === undefined ? undefined : { turnMs: timeout_ms },
    }),
    // What they hold is looked at when they are used, with their own messages.
    ...defined({ scenario, workflow } as Pick<ConversationOptions, 'scenario' | 'workflow'>),
  };
}

function partOf(conversation: Conversation, of: number | 'start' | 'end' | undefined): unknown {
  if (of === undefined) return conversation;
  if (of === 'start') return conversation.start;
  if (of === 'end') return conversation.ending;
  const turn = conversation.turns.find(({ number }) => number === of);
  if (turn === undefined) throw unknown('turn', of);
  return turn;
}

/** Things of a client by their numbers. */
class Numbered<T> {
  readonly #what: string;
  readonly #things = new Map<number, T>();
  #last = 0;

  constructor(what: string) {
    this.#what = what;
  }

  add(thing: T): number {
    this.#things.set(++this.#last, thing);
    return this.#last;
  }

  get(number: number): T {
    const thing = this.#things.get(number);
    if (thing === undefined) throw unknown(this.#what, number);
    return thing;
  }

  remove(number: number): T {
    const thing = this.get(number);
    this.#things.delete(number);
    return thing;
  }

  all(): T[] {
    return [...this.#things.values()];
  }
}

function unknown(what: string, number: number): UnderstudyError {
  return new UnderstudyError('PROTOCOL_UNKNOWN', `there is no ${what} ${number}`, {
    fix: `Use a number that an answer gave, and use it before its test ends.`,
  });
}
