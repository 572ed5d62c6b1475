import { isObject, isStringList, type JsonObject } from '../../document/json.js';
import { type ConfigLayer, mergeLayers } from './config.js';
import { type CodexServer, readServers } from './mcp/servers.js';
import { Refusal, Unsupported } from './refusal.js';
import { booleanIn, choiceIn, textIn, wrongType } from './setting-types.js';
import { readShellPolicy, type ShellPolicy } from './shell-policy.js';

/** What the settings say about a run. */
export interface Settings {
  model?: string | undefined;
  sandbox?: string | undefined;
  effort: string;
  summary: string;
  hidesReasoning: boolean;
  /** A program that hears of the end of each turn. */
  notify: readonly string[];
  shell: ShellPolicy;
  servers: readonly CodexServer[];
}

/** Settings that change what is done or printed. */
const KNOWN_SETTING =
  /^(?:model|approval_policy|sandbox_mode|model_reasoning_effort|model_reasoning_summary|hide_agent_reasoning|notify|shell_environment_policy\.(?:inherit|exclude|include_only|ignore_default_excludes|set(?:\..*)?)|mcp_servers\..*)$/;

/** Settings that make no difference to a scripted run. */
const IDLE_SETTING =
  /^(?:model_provider|model_providers\..*|model_verbosity|features\..*|analytics\..*|history\..*|tui\..*|notice\..*|profiles\..*|check_for_update_on_startup|preferred_auth_method|disable_response_storage|trust_level|projects\..*|sandbox_workspace_write\..*|shell_environment_policy\.experimental_use_profile|web_search|tools\..*|developer_instructions|experimental_instructions_file|project_doc_max_bytes|personality|file_opener|disable_paste_burst|show_raw_agent_reasoning|model_context_window|project_doc_fallback_filenames|suppress_unstable_features_warning|plugins\..*|marketplaces\..*|otel\..*)$/;

const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'];
const APPROVALS = ['untrusted', 'on-failure', 'on-request', 'granular', 'never'];
const SUMMARIES = ['auto', 'concise', 'detailed', 'none'];

/** Reads what the stand-in can act upon. Whatever else matters is refused. */
export function readSettings(layers: readonly ConfigLayer[]): Settings {
  const settings = checkSettings(mergeLayers(layers));
  refuseOthers(layers);
  return settings;
}

/** Reads the settings that the stand-in knows, and says in Codex's words what is wrong with them. */
export function checkSettings(values: JsonObject): Settings {
  const { profile, approval_policy: approval } = values;
  if (typeof profile === 'string') {
    const instead = `use \`--profile ${profile}\` with \`${profile}.config.toml\` instead`;
    throw new Refusal(`Error: legacy \`profile = "${profile}"\` config is no longer supported; ${instead}`);
  }
  if (!isObject(approval)) choiceIn(values, 'approval_policy', APPROVALS);
  const settings = {
    model: textIn(values, 'model'),
    sandbox: choiceIn(values, 'sandbox_mode', SANDBOXES),
    effort: textIn(values, 'model_reasoning_effort') ?? 'none',
    summary: choiceIn(values, 'model_reasoning_summary', SUMMARIES) ?? 'none',
    hidesReasoning: booleanIn(values, 'hide_agent_reasoning') ?? false,
    notify: readNotify(values),
    shell: readShellPolicy(values['shell_environment_policy']),
    servers: readServers(values),
  };
  if (approval === 'untrusted')
    throw new Refusal('Error: approval_policy = "untrusted" is no longer supported; remove this setting');
  return settings;
}

function readNotify({ notify }: JsonObject): readonly string[] {
  if (notify === undefined) return [];
  if (!isStringList(notify)) throw wrongType(notify, 'a sequence', 'notify');
  return notify;
}

function refuseOthers(layers: readonly ConfigLayer[]): void {
  for (const { file, values } of layers) {
    const other = leavesOf(values).find((key) => !KNOWN_SETTING.test(key) && !IDLE_SETTING.test(key));
    if (other !== undefined)
      throw new Unsupported(file === undefined ? `-c ${other}=…` : `the setting \`${other}\` of ${file}`);
  }
}

/** The names of all values; a table without any says nothing. */
function leavesOf(values: JsonObject, before = ''): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isObject(value) ? leavesOf(value, `${before}${key}.`) : [`${before}${key}`],
  );
}
