import { type Stage, stages } from '@understudy/agents';
import { defined, field, nearestWord, required, UnderstudyError, type UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import { reviewEnvironment } from './agent-environment.js';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

/** A named row of the matrix: where rehearsals are played. */
export const targetSchema = z.strictObject({
  name: required(
    'The name, for --target and in reports: letters, digits, dots and dashes.',
    z.string().check(z.regex(/^[A-Za-z0-9][\w.-]*$/)),
  ),
  agents: field(
    'The agents: "claude", "claude@2.1.325". A rehearsal that names its `agent` is played on those of them that it names.',
    words,
  ),
  versions: field('The versions of each agent that has none in its name: "2.1.325", "latest".', words),
  models: field('The models that each agent is started with.', words),
  stages: field(
    'The stages: sim, scripted, replay, live. Instead of what the rehearsals say.',
    z.array(z.enum(stages)).check(z.minLength(1)),
  ),
  tags: field('Only rehearsals with one of these tags are played.', words),
  isolation: field('As --isolation: how far agents are kept apart from this machine.', z.string()),
  env: field(
    'Variables for the agents and programs; they go before those of a rehearsal.',
    z.record(z.string(), z.string()),
  ),
});

export type Target = z.infer<typeof targetSchema>;

/** What a schema cannot say of targets. */
export function reviewTargets(targets: readonly Target[], file: string): UnlocatedProblem[] {
  return targets.flatMap(({ name, agents = [], versions, env }, index): UnlocatedProblem[] => {
    const problems: UnlocatedProblem[] = [];
    if (targets.findIndex((other) => other.name === name) < index) {
      const message = `there are two targets with the name "${name}"`;
      problems.push({ code: 'INVALID_VALUE', message, fix: 'Rename one of them.', path: ['targets', index, 'name'] });
    }
    const versioned = agents.findIndex((spec) => versionOf(spec) !== undefined);
    if (versions !== undefined && agents.length > 0 && agents.every((spec) => versionOf(spec) !== undefined)) {
      const message = `\`versions\` does nothing: ${agents[versioned]} has a version`;
      const fix = 'Leave out `versions`, or the version behind the @.';
      problems.push({ code: 'CONFLICTING_FIELDS', message, fix, path: ['targets', index, 'versions'] });
    }
    const ofEnvironment = reviewEnvironment({ env }, file);
    return [...problems, ...ofEnvironment.map((one) => ({ ...one, path: ['targets', index, ...one.path] }))];
  });
}

/** The targets of these names, in the order of the file; all of them without names. */
export function chosenTargets(targets: readonly Target[], names: readonly string[] | undefined): readonly Target[] {
  if (names === undefined) return targets;
  const known = targets.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const near = nearestWord(name, known);
    const fix =
      known.length === 0
        ? 'Define it in understudy.toml: `[[targets]]` with a `name`.'
        : near === undefined
          ? `Use one of ${known.join(', ')}.`
          : `Did you mean ${near}?`;
    throw new UnderstudyError('TARGET_UNKNOWN', `there is no target "${name}"`, { fix });
  }
  return targets.filter(({ name }) => names.includes(name));
}

/** What a test says of where it is played. */
export interface OwnPlace {
  /** The agents that it names, or those of the project. */
  agents: readonly string[];
  /** It names them itself: another agent plays something else. */
  isNamed: boolean;
  stage: Stage;
  tags: readonly string[];
  /** Its agents are all in place at once, for a program. Which model they use is the program's own matter. */
  atOnce: boolean;
}

/** What is said for all tests: flags, and targets. */
export interface Places {
  agents?: readonly string[] | undefined;
  stage?: Stage | undefined;
  models?: readonly string[] | undefined;
  isolation?: string | undefined;
  targets?: readonly Target[] | undefined;
}

/** One place of the matrix. */
export interface Place {
  /** More than one only where they are in place at once. */
  agents: readonly string[];
  stage: Stage;
  model?: string | undefined;
  isolation?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  target?: string | undefined;
}

/**
 * All places where a test is played: this is where lists of agents, versions, models, stages and targets become single
 * ones. Flags go before targets, and targets before what the test says.
 */
export function placesOf(own: OwnPlace, { targets = [], ...flags }: Places): Place[] {
  const rows: readonly Partial<Target>[] = targets.length === 0 ? [{}] : targets;
  const isPlayed = ({ tags }: Partial<Target>) =>
    tags === undefined || tags.some((tag) => own.tags.map(bare).includes(bare(tag)));
  return rows.filter(isPlayed).flatMap((row) => {
    const { name: target, isolation = flags.isolation, env } = row;
    const stages = flags.stage === undefined ? (row.stages ?? [own.stage]) : [flags.stage];
    const models = own.atOnce ? [undefined] : (flags.models ?? row.models ?? [undefined]);
    return agentsIn(row, own, flags).flatMap((agents) =>
      stages.flatMap((stage) =>
        models.map((model) => ({ agents, stage, ...defined({ model, isolation, env, target }) })),
      ),
    );
  });
}

/** For tests that choose their model and their variables themselves. */
export function withoutModels({ targets }: Places): Pick<Places, 'models' | 'targets'> {
  return { models: undefined, targets: targets?.map(({ models: _models, env: _env, ...target }) => target) };
}

/** Each list is for one place. */
function agentsIn(row: Partial<Target>, own: OwnPlace, flags: Places): (readonly string[])[] {
  if (flags.agents !== undefined) return own.atOnce ? [flags.agents] : flags.agents.map((agent) => [agent]);
  const wanted = row.agents ?? own.agents;
  const kept = own.isNamed && row.agents !== undefined ? both(wanted, own.agents) : wanted;
  const specs = kept.map((spec) =>
    versionOf(spec) === undefined && row.versions !== undefined
      ? row.versions.map((version) => `${spec}@${version}`)
      : [spec],
  );
  if (!own.atOnce) return specs.flat().map((agent) => [agent]);
  // One version of each agent at a time; without a target, all that are named.
  if (row.name === undefined) return [specs.flat()];
  const all = specs.flat();
  if (all.length === 0) return [];
  return [...new Set(all.map(nameOf))].reduce<string[][]>(
    (sofar, name) => {
      const versions = all.filter((spec) => nameOf(spec) === name);
      return sofar.flatMap((some) => versions.map((spec) => [...some, spec]));
    },
    [[]],
  );
}

/** The agents of a target that a test names, too; the one with a version says which. */
function both(ofTarget: readonly string[], ofTest: readonly string[]): string[] {
  return ofTarget.flatMap((spec) =>
    ofTest
      .filter((one) => nameOf(one) === nameOf(spec))
      .flatMap((one) =>
        versionOf(one) === undefined ? spec : versionOf(spec) === undefined || one === spec ? one : [],
      ),
  );
}

function nameOf(spec: string): string {
  return spec.split('@')[0] ?? spec;
}

function versionOf(spec: string): string | undefined {
  return spec.split('@')[1];
}

/** `@slow` is the tag `slow`, with or without the sign. */
function bare(tag: string): string {
  return tag.replace(/^@/, '');
}
