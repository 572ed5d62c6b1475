import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudePaths, type FoundAgent, MARKETPLACE_FILE, prepareClaude } from '@understudy/agents';
import {
  createTempFolder,
  makeFolder,
  type Outcome,
  offlineEnvironment,
  parseJson,
  readIfThere,
  runAllSteps,
  runToEnd,
  UnderstudyError,
} from '@understudy/kit';
import * as z from 'zod/mini';
import { isolateLook, type LookIsolation } from './loaded/isolate.js';

/** A Claude Code with a home of its own, in which plugins are installed. */
export interface PluginHome extends LookIsolation {
  agent: FoundAgent;
  /** A scratch folder; nothing outside it is touched. */
  home: string;
  /** Fetch what is elsewhere, and let hooks and servers use the network. Without it nothing leaves this machine. */
  allowNetwork?: boolean | undefined;
}

/**
 * The folders from which the CLI reads marketplaces that are on this machine. A hook may have written into the home, so
 * another folder than a marketplace is not shown.
 */
export function marketplaceFolders({ home }: Pick<PluginHome, 'home'>): string[] {
  const file = join(claudePaths(home).dir, 'plugins', 'known_marketplaces.json');
  const known = knownSchema.safeParse(parseJson(readIfThere(file) ?? '{}')).data ?? {};
  const folders = Object.values(known).map(({ installLocation }) => installLocation);
  return folders.filter((folder) => existsSync(join(folder, MARKETPLACE_FILE)));
}

const knownSchema = z.record(z.string(), z.looseObject({ installLocation: z.string() }));

const DEADLINE_MS = 60_000;
/** Nothing listens there: `claude plugin` needs no model. */
const NOWHERE = { url: 'http://127.0.0.1:9', key: 'sk-understudy-no-model' };

/** With ssh the CLI would first look up github.com, and no variable holds ssh back. */
const OFFLINE = { ...offlineEnvironment, CLAUDE_CODE_PLUGIN_PREFER_HTTPS: '1' };

const answerSchema = z.looseObject({
  outcome: z.string(),
  message: z.optional(z.string()),
  failureCode: z.optional(z.string()),
  marketplace: z.optional(z.string()),
  pluginId: z.optional(z.string()),
});

export type PluginAnswer = z.infer<typeof answerSchema>;

/** Runs `claude plugin …` in the home and gives what it wrote. */
export async function runPluginCommand(place: PluginHome, args: readonly string[]): Promise<string> {
  const { agent, home, allowNetwork } = place;
  makeFolder(home);
  const isolation = await isolateLook(place, {
    writable: [home],
    readable: [...agent.command, ...marketplaceFolders(place), ...args],
    ports: [],
  });
  const temp = createTempFolder();
  const environment = allowNetwork === true ? {} : OFFLINE;
  let outcome: Outcome;
  try {
    outcome = await runToEnd({
      command: [...agent.command, 'plugin', ...args],
      cwd: home,
      env: prepareClaude({ home, cwd: home, model: { kind: 'loopback', ...NOWHERE }, environment }, temp.path),
      deadlineMs: DEADLINE_MS,
      enclosure: isolation.enclosure,
    });
  } finally {
    await runAllSteps([() => isolation.close(), () => temp.remove()]);
  }
  const { stdout, stderr, timedOut } = outcome;
  if (timedOut) {
    throw new UnderstudyError('PLUGIN_CLI_FAILED', `claude plugin ${args.join(' ')} did not end in ${DEADLINE_MS} ms`);
  }
  if (stdout.trim() !== '') return stdout;
  throw new UnderstudyError(
    'PLUGIN_CLI_FAILED',
    `claude plugin ${args.join(' ')} wrote nothing that we can read: ${stderr}`,
    {
      fix: 'Use a newer Claude Code: understudy agents add claude.',
    },
  );
}

/** Runs one that changes something. What it says of itself counts; its exit code does not. */
export async function changePlugins(home: PluginHome, args: readonly string[]): Promise<PluginAnswer> {
  const text = await runPluginCommand(home, [...args, '--json']);
  const answer = readAnswer(text);
  if (answer?.outcome === 'ok') return answer;
  throw new UnderstudyError(
    'PLUGIN_CLI_FAILED',
    `claude plugin ${args.join(' ')} failed: ${(answer?.message ?? text).replace(/\s+/g, ' ').trim()}`,
    {
      fix: fixFor(answer, home),
    },
  );
}

const NEEDS_NETWORK = /transport '\w+' not allowed|ENOTCACHED|could not be reached|127\.0\.0\.1:9/;

function fixFor(answer: PluginAnswer | undefined, { allowNetwork }: PluginHome): string {
  if (allowNetwork !== true && NEEDS_NETWORK.test(answer?.message ?? ''))
    return 'It needs the network, which is off here. Have it in a folder of this machine, or allow the network.';
  return answer?.failureCode === 'not_found'
    ? 'Check the names that the marketplace offers.'
    : 'Correct what the message names.';
}

function readAnswer(text: string): PluginAnswer | undefined {
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      const parsed = answerSchema.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
    } catch {
      // Not that line.
    }
  }
  return undefined;
}
