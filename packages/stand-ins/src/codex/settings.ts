import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type JsonObject, parseSource, readIfThere } from '@understudy/kit';
import { NotSupported } from '../shared/refusal.js';
import { projectRoot } from './project-root.js';
import { REFUSED } from './refused.js';

/** Settings that count, each with the values that it may have; any text where there are none. */
export const PLAYED_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  model: [],
  model_reasoning_effort: [],
  model_reasoning_summary: ['auto', 'concise', 'detailed', 'none'],
  sandbox_mode: ['read-only', 'workspace-write', 'danger-full-access'],
  // Nobody can be asked, whatever it says.
  approval_policy: ['on-failure', 'on-request', 'never'],
};

/** Settings that make no difference to a scripted run. */
const IDLE_SETTING =
  /^(?:model_provider|model_providers\..*|model_verbosity|features\..*|analytics\..*|history\..*|tui\..*|notice\..*|profiles\..*|check_for_update_on_startup|preferred_auth_method|disable_response_storage|trust_level|projects\..*|sandbox_workspace_write\..*|shell_environment_policy\.experimental_use_profile|web_search|tools\..*|developer_instructions|experimental_instructions_file|project_doc_max_bytes|personality|file_opener|disable_paste_burst|show_raw_agent_reasoning|model_context_window|project_doc_fallback_filenames|suppress_unstable_features_warning|plugins\..*|marketplaces\..*|otel\..*)$/;

/** What the settings say about a run. */
export interface Settings {
  model: string | undefined;
  sandbox: string | undefined;
  effort: string;
  summary: string;
}

interface Place {
  /** Codex's home. */
  home: string;
  cwd: string;
  /** What `-c` says, in order. */
  overrides: readonly string[];
  ignoresUserConfig: boolean;
}

/** Reads the settings of the user and, above them, those of the command line. Whatever else matters is refused. */
export function readSettings({ home, cwd, overrides, ignoresUserConfig }: Place): Settings {
  const root = projectRoot(cwd);
  for (let folder = cwd; !ignoresUserConfig; folder = dirname(folder)) {
    const file = join(folder, '.codex', 'config.toml');
    if (existsSync(file) && dirname(file) !== home) throw new NotSupported(`${REFUSED.projectSettings} ${file}`);
    if (folder === root) break;
  }
  const user = ignoresUserConfig ? [] : leavesOf(fileOf(join(home, 'config.toml')));
  const values: Record<string, string> = {};
  for (const [key, value] of [...user, ...overrides.flatMap(leavesOfOverride)]) {
    if (IDLE_SETTING.test(key)) continue;
    const choices = PLAYED_SETTINGS[key];
    const isKnown = typeof value === 'string' && (choices?.length === 0 || choices?.includes(value));
    if (!isKnown) throw new NotSupported(`${REFUSED.setting} ${key}`);
    values[key] = value;
  }
  return {
    model: values['model'],
    sandbox: values['sandbox_mode'],
    effort: values['model_reasoning_effort'] ?? 'none',
    summary: values['model_reasoning_summary'] ?? 'none',
  };
}

function fileOf(file: string): JsonObject {
  return parseSource(readIfThere(file) ?? '', 'toml', file).value as JsonObject;
}

/** `-c key=value`: the value is TOML. What is none is a text. */
function leavesOfOverride(override: string): [string, unknown][] {
  const [, key = override, text = ''] = /^\s*([^=]+?)\s*=\s*(.*)$/s.exec(override) ?? [];
  try {
    return leavesOf({ [key]: (parseSource(`value = ${text}`, 'toml').value as JsonObject)['value'] });
  } catch {
    return [[key, text.replace(/^(["'])([\s\S]*)\1$/, '$2')]];
  }
}

/** All values by their names; a table without any says nothing. */
function leavesOf(values: JsonObject, before = ''): [string, unknown][] {
  return Object.entries(values).flatMap(([key, value]): [string, unknown][] =>
    isObject(value) ? leavesOf(value, `${before}${key}.`) : [[`${before}${key}`, value]],
  );
}
