import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { FoundAgent } from '../../src/agents/store/find-agent.js';
import { runToEnd } from '../../src/process/run-to-end.js';
import { hermeticClaude, type Init } from './plugin-session.js';

/** What a plugin promises to bring. Names as the CLI shows them, without the plugin's own prefix. */
export interface Inventory {
  commands: readonly string[];
  agents: readonly string[];
  skills: readonly string[];
  servers: readonly string[];
}

/** Every promise that the CLI's init event does not keep, and every load error; empty when all is well. */
export function loadProblems(init: Init, plugin: string, promised: Inventory): string[] {
  const missing = (what: string, names: readonly string[], seen: readonly string[]) =>
    names
      .map((name) => `${plugin}:${name}`)
      .filter((name) => !seen.includes(name))
      .map((name) => `${what} ${name} is not there`);
  return [
    ...(init.plugins.some(({ name }) => name === plugin) ? [] : [`plugin ${plugin} is not loaded`]),
    ...(init.plugin_errors ?? []).map((error) => `${error.plugin}: ${error.message}`),
    ...missing('command', promised.commands, init.slash_commands),
    ...missing('agent', promised.agents, init.agents),
    ...missing('skill', promised.skills, init.skills),
    ...promised.servers.flatMap((server) => {
      const status = init.mcp_servers.find(({ name }) => name === `plugin:${plugin}:${server}`)?.status ?? 'missing';
      return status === 'connected' ? [] : [`server ${server} is ${status}`];
    }),
  ];
}

/** Events of a promptctl log that were promised and never written. */
export function unloggedEvents(file: string, promised: readonly string[]): string[] {
  const Entry = z.looseObject({ event: z.string() });
  const seen = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Entry.parse(JSON.parse(line)).event);
  return promised.filter((event) => !seen.includes(event));
}

export interface ClaudeAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `claude plugin …` in a scratch home, offline. */
export async function claudePlugin(claude: FoundAgent, home: string, args: readonly string[]): Promise<ClaudeAnswer> {
  const { code, stdout, stderr } = await runToEnd({
    command: [...claude.command, 'plugin', ...args],
    cwd: home,
    env: hermeticClaude(home),
    deadlineMs: 45_000,
  });
  return { code, stdout, stderr };
}
