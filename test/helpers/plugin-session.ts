import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FoundAgent } from '../../src/agents/store/find-agent.js';
import { Child, type Exit } from '../../src/process/child.js';
import { scrubbedEnvironment } from '../../src/process/environment.js';
import { type FakeAnswer, fakeMessages } from './fake-messages.js';

const Init = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  slash_commands: z.array(z.string()),
  agents: z.array(z.string()),
  skills: z.array(z.string()),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.looseObject({ name: z.string(), status: z.string() })),
  plugins: z.array(z.looseObject({ name: z.string() })),
  plugin_errors: z.optional(z.array(z.looseObject({ plugin: z.string(), message: z.string() }))),
});
export type Init = z.infer<typeof Init>;

const HookResponse = z.looseObject({
  subtype: z.literal('hook_response'),
  hook_event: z.string(),
  hook_name: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.optional(z.number()),
});
export type HookResponse = z.infer<typeof HookResponse>;

const ToolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.optional(z.boolean()),
});
export type ToolResult = z.infer<typeof ToolResult>;

const Result = z.looseObject({ type: z.literal('result'), result: z.string() });
const UserEvent = z.looseObject({ type: z.literal('user'), message: z.object({ content: z.unknown() }) });

const FLAGS = [
  ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--include-hook-events'],
  ...['--permission-mode', 'bypassPermissions'],
];

/** What one session of the real CLI showed. */
export interface PluginSession {
  init: Init;
  hooks: HookResponse[];
  toolResults: ToolResult[];
  /** What the model was sent, request by request. */
  requests: string[];
  /** The closing text of each turn. */
  results: string[];
  exit: Exit;
}

export interface PluginSessionOptions {
  claude: FoundAgent;
  home: string;
  project: string;
  plugins: readonly string[];
  /** Said one after the other, each after the end of the turn before it. */
  prompts: readonly string[];
  answers: readonly FakeAnswer[];
  environment?: Record<string, string>;
}

/** The environment in which the CLI neither finds an account nor leaves loopback. */
export function hermeticClaude(home: string, additions: Record<string, string> = {}): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return scrubbedEnvironment({
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_API_KEY: 'sk-fake',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
    ...additions,
  });
}

function parsed<T>(schema: z.ZodType<T>, values: readonly unknown[]): T[] {
  return values.flatMap((value) => {
    const { success, data } = schema.safeParse(value);
    return success ? [data] : [];
  });
}

/** Plays prompts on the real CLI with plugins loaded by --plugin-dir and a scripted model. */
export async function playPlugins(options: PluginSessionOptions): Promise<PluginSession> {
  const model = await fakeMessages(options.answers);
  const pending = [...options.prompts];
  const events: unknown[] = [];
  const errors: string[] = [];
  const say = (child: Child) => {
    const prompt = pending.shift();
    if (prompt === undefined) child.closeInput();
    else child.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: prompt } })}\n`);
  };
  try {
    const child: Child = await Child.start({
      command: [...options.claude.command, ...FLAGS, ...options.plugins.flatMap((folder) => ['--plugin-dir', folder])],
      cwd: options.project,
      env: hermeticClaude(options.home, { ANTHROPIC_BASE_URL: model.url, ...options.environment }),
      input: 'open',
      onLine: (line) => {
        const event: unknown = JSON.parse(line);
        events.push(event);
        if (Result.safeParse(event).success) say(child);
      },
      onErrorLine: (line) => errors.push(line),
    });
    say(child);
    const exit = await child.exitWithin(50_000, 'deadline');
    const init = parsed(Init, events)[0];
    if (init === undefined) throw new Error(`the CLI never said init (${JSON.stringify(exit)}): ${errors.join('\n')}`);
    return {
      init,
      hooks: parsed(HookResponse, events),
      toolResults: parsed(UserEvent, events).flatMap(({ message }) =>
        Array.isArray(message.content) ? parsed(ToolResult, message.content) : [],
      ),
      requests: model.requests,
      results: parsed(Result, events).map(({ result }) => result),
      exit,
    };
  } finally {
    await model.close();
  }
}
