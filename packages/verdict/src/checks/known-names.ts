import { TOOLS_OF_HOOKS as KNOWN_TOOLS } from '@understudy/agents';
import { defined, nearestWord } from '@understudy/kit';
import { genericFor, isSameTool } from '@understudy/script';
import { pick } from '@understudy/stage';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

/** A name in an expectation that nothing here has, and the one that may be meant. */
export interface UnknownName {
  name: string;
  near?: string;
}

/**
 * `screenshot` names `mcp__browser__screenshot` too: the server's name is configuration. A generic name, or the name
 * that another agent has for the same tool, names it as well: one rehearsal serves every agent.
 */
export function namesTool(wanted: string, tool: string): boolean {
  return isSameTool(wanted, tool) || tool.endsWith(`__${wanted}`);
}

/** The names that no tool has. None where the agent does not list its tools: then nobody knows. */
export function unknownTools(seen: Observed, wanted: readonly string[]): UnknownName[] {
  const known = toolNames(seen);
  if (known === undefined) return [];
  const servers = pick(seen.all, 'session').flatMap(({ mcpServers }) => mcpServers ?? []);
  // What a server that is known would have offered, had it been there, is no misspelled name.
  const isOfServer = (name: string) => servers.some((server) => name.startsWith(`mcp__${server.name}__`));
  return wanted
    .filter(
      (name) => genericFor(name) === undefined && !isOfServer(name) && !known.some((tool) => namesTool(name, tool)),
    )
    .map((name) => unknown(name, known));
}

/** As {@link unknownTools}, for the part of a hook's name behind the colon, which is compared letter by letter. */
export function unknownSubjects(seen: Observed, subject: string): UnknownName[] {
  const known = toolNames(seen);
  if (known === undefined || known.includes(subject)) return [];
  return unknownTools(seen, [subject]).length > 0 || genericFor(subject) !== undefined ? [unknown(subject, known)] : [];
}

/** The names that none of `known` has. None where nothing is known. */
export function unknownAmong(
  known: readonly string[],
  wanted: readonly string[],
  isNamed: (wanted: string, name: string) => boolean,
): UnknownName[] {
  if (known.length === 0) return [];
  return wanted.filter((name) => !known.some((one) => isNamed(name, one))).map((name) => unknown(name, known));
}

/**
 * What an expectation of absence says when its name cannot occur: nothing. So it has not passed, and with `not` in a
 * matcher it has not failed as wanted.
 */
export function unlessUnknown(result: CheckResult, what: string, names: readonly UnknownName[]): CheckResult {
  const [first] = names;
  if (first === undefined) return result;
  return {
    ...result,
    status: result.status === 'passed' ? 'unjudged' : result.status,
    actual: `there is no ${what} ${names.map(({ name }) => JSON.stringify(name)).join(', ')}`,
    unknown_names: names.map(({ name }) => name),
    suggestion:
      first.near === undefined
        ? `Write the name of a ${what} that the agent has, or remove the expectation: it could never fail.`
        : `Write ${JSON.stringify(first.near)}: an expectation about ${JSON.stringify(first.name)} could never fail.`,
  };
}

function toolNames({ all, scripted = [] }: Observed): string[] | undefined {
  const sessions = pick(all, 'session').filter(({ tools }) => tools !== undefined);
  if (sessions.length === 0) return undefined;
  const used = pick(all, 'tool_call').map(({ tool }) => tool);
  const builtIn = sessions.some(({ agent }) => agent.startsWith('claude')) ? KNOWN_TOOLS : [];
  return [...new Set([...sessions.flatMap(({ tools = [] }) => tools), ...used, ...scripted, ...builtIn])];
}

function unknown(name: string, known: readonly string[]): UnknownName {
  return { name, ...defined({ near: nearestWord(name, known) }) };
}
