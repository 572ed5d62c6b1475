import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isObject, type JsonObject, parseJson, readIfThere, withoutComments } from '../../document/json.js';

const DEFAULT = 'build';
const BUILT_IN: Readonly<Record<string, string>> = {
  build: 'primary',
  plan: 'primary',
  general: 'subagent',
  explore: 'subagent',
};

/** Who answers, and what OpenCode says where it is not the agent that was asked for. */
export function findAgent(asked: string | undefined, cwd: string): { agent: string; warning?: string } {
  if (asked === undefined || asked === DEFAULT) return { agent: DEFAULT };
  const mode = modesOf(cwd).get(asked);
  if (mode === undefined) return { agent: DEFAULT, warning: `agent "${asked}" not found. ${FALLING_BACK}` };
  if (mode !== 'subagent') return { agent: asked };
  return { agent: DEFAULT, warning: `agent "${asked}" is a subagent, not a primary agent. ${FALLING_BACK}` };
}

const FALLING_BACK = 'Falling back to default agent';

/** The agents that OpenCode has of its own, of the user and of the project, and what each is for. */
function modesOf(cwd: string): Map<string, string> {
  const modes = new Map(Object.entries(BUILT_IN));
  const user = join(process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'opencode');
  for (const folder of [user, ...upwards(cwd)]) {
    for (const name of ['opencode.json', 'opencode.jsonc']) {
      for (const [agent, settings] of Object.entries(agentsOf(join(folder, name))))
        modes.set(agent, modeOf(isObject(settings) ? settings['mode'] : undefined));
    }
    const own = folder === user ? user : join(folder, '.opencode');
    for (const file of ['agent', 'agents'].flatMap((name) => markdownIn(join(own, name)))) {
      const head = /^---\n([\s\S]*?)\n---/.exec(readIfThere(file) ?? '')?.[1] ?? '';
      modes.set(basename(file, '.md'), modeOf(/^mode:\s*["']?(\w+)/m.exec(head)?.[1]));
    }
  }
  return modes;
}

/** Without a mode, an agent is for both. */
function modeOf(mode: unknown): string {
  return typeof mode === 'string' ? mode : 'all';
}

function agentsOf(file: string): JsonObject {
  const settings = parseJson(withoutComments(readIfThere(file) ?? '{}'));
  const agents = isObject(settings) ? settings['agent'] : undefined;
  return isObject(agents) ? agents : {};
}

function upwards(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [...upwards(parent), folder];
}

function markdownIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name));
  } catch {
    // There is none.
    return [];
  }
}
