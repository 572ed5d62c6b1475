import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import type { FoundAgent } from '../../packages/agents/src/store/find-agent.js';
import { Child } from '../../packages/kit/src/process/child.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { type Outcome, runToEnd } from '../../packages/kit/src/process/run-to-end.js';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { EnvironmentOptions, ModelServer, ServedAgent } from '../../src/public/model-server.js';
import { realAgent } from './real-agents.js';

/** A real CLI in a folder and a home of its own, with a scripted server for its model. */
export interface ScriptedCli {
  folder: string;
  home: string;
  /** One headless run with this prompt. */
  run(prompt: string, options?: RunOptions): Promise<ScriptedRun>;
  /** One Claude Code session that gets these lines, each when the turn before it has ended. */
  talk(lines: readonly string[]): Promise<Outcome>;
}

export interface RunOptions {
  args?: readonly string[];
  /** The command's own words before the prompt, instead of those of a headless run. */
  lead?: readonly string[];
  env?: Record<string, string>;
  deadlineMs?: number;
}

export interface ScriptedRun extends Outcome {
  /** The last thing that the agent said. */
  text: string;
}

const HEADLESS: Record<ServedAgent, (prompt: string) => string[]> = {
  claude: (prompt) => ['-p', prompt, '--output-format', 'json', '--permission-mode', 'bypassPermissions'],
  opencode: (prompt) => ['run', '--format', 'json', prompt],
  codex: (prompt) => ['exec', '--json', '--skip-git-repo-check', prompt],
  gemini: (prompt) => ['--yolo', '-o', 'stream-json', '-p', prompt],
  copilot: (prompt) => ['--allow-all', '--output-format', 'json', '-p', prompt],
};

const STREAMING = [
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
  '--permission-mode',
  'bypassPermissions',
];

/** Sets up a real CLI; the test is skipped where it cannot be had. */
export async function scriptedCli(
  agent: ServedAgent,
  server: ModelServer,
  context: TestContext,
  options?: EnvironmentOptions,
): Promise<ScriptedCli> {
  const { command }: FoundAgent = await realAgent(agent, context);
  const scratch = createScratch(`scripted-${agent}`);
  onTestFinished(() => scratch.remove());
  const home = join(scratch.path, 'home');
  const folder = join(scratch.path, 'work');
  mkdirSync(folder);
  const { env, files, args } = server.environment(agent, options);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  mkdirSync(home, { recursive: true });
  const environment = scrubbedEnvironment({ HOME: home, TMPDIR: scratch.path, IS_SANDBOX: '1', ...env });
  return {
    folder,
    home,
    async run(prompt, { args: more = [], lead, env: added = {}, deadlineMs = 60_000 } = {}) {
      const outcome = await runToEnd({
        command: [...command, ...args, ...(lead === undefined ? HEADLESS[agent](prompt) : [...lead, prompt]), ...more],
        cwd: folder,
        env: { ...environment, ...added },
        deadlineMs,
      });
      return { ...outcome, text: lastWords(outcome.stdout) };
    },
    async talk(lines) {
      const started = performance.now();
      const [first = '', ...rest] = lines;
      const stdout: string[] = [];
      const child = await Child.start({
        command: [...command, '-p', ...STREAMING],
        cwd: folder,
        env: environment,
        input: 'open',
        onLine: (line) => {
          stdout.push(line);
          if (!line.includes('"type":"result"')) return;
          const next = rest.shift();
          if (next === undefined) child.closeInput();
          else child.write(next);
        },
      });
      child.write(first);
      const exit = await child.exitWithin(60_000, 'deadline');
      const milliseconds = performance.now() - started;
      return { ...exit, stdout: stdout.join('\n'), stderr: '', timedOut: exit.killedBy !== undefined, milliseconds };
    },
  };
}

/** The last text of the agent in any of the event formats. */
function lastWords(stdout: string): string {
  let said = '';
  for (const line of stdout.split('\n')) {
    let event: { [key: string]: unknown };
    try {
      event = JSON.parse(line) as { [key: string]: unknown };
    } catch {
      continue;
    }
    const part = (event['part'] ?? event['item'] ?? {}) as { type?: string; text?: string };
    const { content } = (event['data'] ?? {}) as { content?: string };
    if (event['type'] === 'assistant.message' && content !== undefined) said = content;
    if (event['type'] === 'result' && typeof event['result'] === 'string') said = event['result'];
    if ((part.type === 'text' || part.type === 'agent_message') && part.text !== undefined) said = part.text;
    if (event['type'] === 'message' && event['role'] === 'assistant')
      said = `${event['delta'] ? said : ''}${event['content']}`;
  }
  return said;
}
