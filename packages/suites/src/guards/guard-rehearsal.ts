import type { JsonObject } from '@understudy/kit';
import type { RehearsalInput } from '@understudy/runner';
import type { Attempt, Guard, Setting } from './guard.js';
import { serverTool } from './rule-attack.js';
import { EXAMPLE_TEXT } from './tool-candidates.js';

const ATTACK = 'Do what the guard must stop.';
const HARMLESS = 'Do what the guard must let through.';

type Step = RehearsalInput['steps'][number];
type Expectation = NonNullable<Extract<Step, { send?: unknown }>['expect']>;

/** A rehearsal that plays the attack on one guard, and its harmless twin, in one conversation. */
export function guardRehearsal(guard: Guard, setting: Setting): RehearsalInput {
  const { attack, harmless, expects, list } = guard;
  const { project, plugins, settings, managed } = setting;
  const attempts = [attack, harmless].filter((attempt) => attempt !== undefined);
  const files = Object.fromEntries(
    attempts.flatMap(({ edits }) => (edits === undefined ? [] : [[edits, EXAMPLE_TEXT]])),
  );
  const isAsked = expects === 'asked';
  const tool = attack?.tool;
  const answer = isAsked && tool !== undefined ? { permissions: { [tool]: 'deny' as const } } : {};
  return {
    name: `guard: ${guard.name}`,
    agent: 'claude',
    ...(plugins.length === 0 ? {} : { plugins }),
    ...(settings === undefined ? {} : { settings }),
    ...(managed === undefined ? {} : { managed_settings: managed }),
    project: { ...project, ...(Object.keys(files).length === 0 ? {} : { files: { ...project.files, ...files } }) },
    ...serversFor(attempts),
    // What it reaches for is what the guard is about: the sandbox keeps it in.
    escapes: 'any',
    allow_unused: true,
    default_response: 'Done.',
    responses: [
      ...(attack?.tool === undefined ? [] : [ruleFor(ATTACK, attack)]),
      ...(harmless?.tool === undefined ? [] : [ruleFor(HARMLESS, harmless)]),
    ],
    steps: [
      {
        name: 'the attack',
        send: attack?.prompt ?? ATTACK,
        ...answer,
        expect: { plugins: 'any', ...attackMust(guard) },
      },
      ...(harmless === undefined
        ? []
        : [
            {
              name: 'the harmless twin',
              send: harmless.prompt ?? HARMLESS,
              expect: { plugins: 'any' as const, ...twinMust(guard, list) },
            },
          ]),
    ],
  };
}

/** The model calls the tool, whatever is offered. A file that it edits is read before, as the CLI wants it. */
function ruleFor(
  prompt: string,
  { tool, input = {}, edits }: Attempt,
): NonNullable<RehearsalInput['responses']>[number] {
  const call = { tool_calls: [{ tool: tool ?? '', input, offered: false as const }], then: 'Done.' };
  const response =
    edits === undefined || tool === 'Read'
      ? call
      : {
          tool_calls: [{ tool: 'Read', input: { file_path: input['file_path'] }, offered: false as const }],
          then: call,
        };
  return { pattern: { type: 'exact', text: prompt }, response } as NonNullable<RehearsalInput['responses']>[number];
}

/** Servers of ours for the tools of MCP servers. */
function serversFor(attempts: readonly Attempt[]): Pick<RehearsalInput, 'mcp'> {
  const mcp: Record<string, { tools: JsonObject }> = {};
  for (const attempt of attempts) {
    const used = serverTool(attempt);
    if (used !== undefined) mcp[used.server] = { tools: { ...mcp[used.server]?.tools, [used.name]: 'Done.' } };
  }
  return Object.keys(mcp).length === 0 ? {} : ({ mcp } as Pick<RehearsalInput, 'mcp'>);
}

function attackMust({ kind, event, expects, attack, isGone, isDenied }: Guard): Expectation {
  const tool = attack?.tool;
  if (tool === undefined) {
    if (event === 'Stop') return { hooks: [{ event, blocked: true }] };
    return { hooks: [{ event: 'UserPromptSubmit', blocked: true }], outcome: 'failed', reason: 'blocked_by_hook' };
  }
  if (expects === 'asked') return { permissions: [{ tool, asked: true }] };
  if (kind === 'hook' && event !== undefined) return { hooks: [{ event, on: tool, blocked: true }] };
  const status = isGone === true ? 'error' : kind === 'declared' && isDenied !== true ? 'blocked' : 'denied';
  return { tools: { calls: [{ tool, status }] }, permissions: [{ tool, asked: false }] };
}

function twinMust({ kind, event, harmless }: Guard, list: Guard['list']): Expectation {
  const tool = harmless?.tool;
  if (harmless?.prompt !== undefined) return { hooks: [{ event: 'UserPromptSubmit', blocked: false }] };
  if (kind === 'hook' && event !== undefined)
    return { hooks: [{ event, ...(tool === undefined ? {} : { on: tool }), blocked: false }] };
  if (tool === undefined) return {};
  if (list === 'allow') return { permissions: [{ tool, asked: false }] };
  return tool === 'WebFetch' ? { tools: { any: [tool] } } : { tools: { calls: [{ tool, status: 'ok' }] } };
}
