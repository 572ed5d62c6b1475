import { mkdirSync } from 'node:fs';
import * as z from 'zod';
import { prepareClaude } from '../agents/claude/home.js';
import type { FoundAgent } from '../agents/store/find-agent.js';
import { UnderstudyError } from '../errors.js';
import { runToEnd } from '../process/run-to-end.js';
import { createTempFolder } from '../process/scratch.js';

/** A Claude Code with a home of its own, in which plugins are installed. */
export interface PluginHome {
  agent: FoundAgent;
  /** A scratch folder; nothing outside it is touched. */
  home: string;
}

const DEADLINE_MS = 60_000;
/** Nothing listens there: `claude plugin` needs no model. */
const NOWHERE = { url: 'http://127.0.0.1:9', key: 'sk-understudy-no-model' };

const answerSchema = z.looseObject({
  outcome: z.string(),
  message: z.string().optional(),
  failureCode: z.string().optional(),
  marketplace: z.string().optional(),
  pluginId: z.string().optional(),
});

export type PluginAnswer = z.infer<typeof answerSchema>;

/** Runs `claude plugin …` offline in the home and gives what it wrote. */
export async function runPluginCommand({ agent, home }: PluginHome, args: readonly string[]): Promise<string> {
  mkdirSync(home, { recursive: true });
  const temp = createTempFolder();
  const { stdout, stderr, timedOut } = await runToEnd({
    command: [...agent.command, 'plugin', ...args],
    cwd: home,
    env: prepareClaude({ home, cwd: home, model: { kind: 'loopback', ...NOWHERE } }, temp.path),
    deadlineMs: DEADLINE_MS,
  }).finally(() => temp.remove());
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
      fix:
        answer?.failureCode === 'not_found'
          ? 'Check the names that the marketplace offers.'
          : 'Correct what the message names.',
    },
  );
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
