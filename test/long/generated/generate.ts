import { seeded } from '../../helpers/seeded.js';
import { FAILURES, FLAGS, HOOKS, PLUGINS, PROMPTS, RULES, SESSIONS, SETTINGS, TOOLS } from './menu.js';
import type { Part } from './parts.js';

/** The parts of one invocation: the same for the same seed and number. */
export function generateParts(seed: number, index: number): Part[] {
  const random = seeded(seed * 7919 + index * 104_729);
  random();
  const chance = (probability: number): boolean => random() < probability;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const some = <T>(list: readonly T[], most: number): T[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(list));

  const parts: Part[] = [];
  const living = chance(0.15);
  if (living) parts.push({ living: true });
  else if (chance(0.75)) parts.push({ stream: true });
  else if (chance(0.4)) parts.push({ args: ['--output-format', pick(['json', 'text'])] });
  for (let prompts = living ? 1 + Math.floor(random() * 3) : 1; prompts > 0; prompts--)
    parts.push({ prompt: pick(PROMPTS) });
  if (!living && chance(0.1)) parts.push({ piped: true });
  const failing = chance(0.15);
  if (failing) parts.push(pick(FAILURES));
  else if (chance(0.6)) parts.push(...some(TOOLS, 3));
  // Two hooks of one event run at the same time, and the clock decides which is first.
  if (chance(0.5)) parts.push(...some(HOOKS, 2).filter(isFirstOfItsEvent));
  if (chance(0.35)) parts.push(...some(SETTINGS, 2));
  if (chance(0.3)) parts.push(...some(RULES, 3));
  if (chance(0.3)) parts.push(pick(PLUGINS));
  if (chance(0.2)) parts.push(...pick(SESSIONS));
  parts.push(...some(FLAGS, 3));
  return shuffled(parts, random).filter(
    (part) => !(part.args?.[0] === '--' && parts.some(usesSearch)) && !(isTooLittle(part) && parts.some(judgesTools)),
  );
}

/** The budget ends while the hooks of a tool are running, and the clock decides what is seen of them. */
function isTooLittle({ args = [] }: Part): boolean {
  return args[0] === '--max-budget-usd' && Number(args[1]) < 1;
}

function judgesTools({ settings }: Part): boolean {
  return Object.keys(settings?.hooks ?? {}).some((event) => /Tool|Permission/.test(event));
}

/** Behind `--` no flag asks for the tools to search with, and the stand-in has them nevertheless (docs/stand-ins.md). */
function usesSearch({ steps = [] }: Part): boolean {
  return steps.some(({ tools = [] }) => tools.some(({ tool }) => tool === 'Glob'));
}

function isFirstOfItsEvent({ settings }: Part, index: number, all: readonly Part[]): boolean {
  const event = Object.keys(settings?.hooks ?? {})[0];
  return all.findIndex((other) => Object.keys(other.settings?.hooks ?? {})[0] === event) === index;
}

/** In an odd order: the flags of the parts stand in any order behind the prompt. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
