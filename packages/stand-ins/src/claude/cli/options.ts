import { resolve } from 'node:path';
import { CliError } from '@understudy/agents';
import { readIfThere } from '@understudy/kit';
import type { OutputFormat } from '../output/formats.js';
import { parseArguments } from './arguments.js';

/** What the command line asks for. */
export interface Options {
  prompt?: string;
  help: boolean;
  version: boolean;
  outputFormat: OutputFormat;
  inputFormat: 'text' | 'stream-json';
  verbose: boolean;
  includePartialMessages: boolean;
  includeHookEvents: boolean;
  sessionMirror: boolean;
  replayUserMessages: boolean;
  forwardSubagentText: boolean;
  model?: string;
  fallbackModels: string[];
  /** `true` when `--resume` came without a value. */
  resume?: string | true;
  continue: boolean;
  forkSession: boolean;
  sessionId?: string;
  persist: boolean;
  name?: string;
  settings: string[];
  settingSources?: string[];
  permissionMode?: string;
  skipPermissions: boolean;
  allowSkipPermissions: boolean;
  permissionPromptTool?: string;
  /** `--permission-prompts none`: nobody answers a permission prompt. */
  noPermissionPrompts: boolean;
  allowedTools: string[];
  disallowedTools: string[];
  tools?: string[];
  addDirs: string[];
  mcpConfig: string[];
  strictMcpConfig: boolean;
  pluginDirs: string[];
  disableSlashCommands: boolean;
  bare: boolean;
  systemPrompt?: string;
  systemPromptFile?: string;
  appendSystemPrompt?: string;
  appendSystemPromptFile?: string;
  agents?: string;
  agent?: string;
  jsonSchema?: string;
  maxBudgetUsd?: number;
  maxTurns?: number;
  scenario?: string;
  failure?: string;
  claudeVersion?: string;
  effort?: string;
  awaitInitialize: boolean;
  /** Why hooks of the project's setup run. */
  setup?: 'init' | 'maintenance';
  /** Nothing but those hooks and the ones of a session's start and end. */
  initOnly: boolean;
}

/** Reads the command line. Errors are those of the real CLI. */
export function readOptions(argv: readonly string[]): Options {
  const { positional, flags } = parseArguments(argv);
  const has = (name: string): boolean => flags.has(name);
  const last = (name: string): string | undefined => flags.get(name)?.at(-1);
  const all = (name: string): string[] => flags.get(name) ?? [];
  const options: Options = {
    help: has('--help'),
    version: has('--version'),
    outputFormat: (last('--output-format') ?? 'text') as OutputFormat,
    inputFormat: (last('--input-format') ?? 'text') as Options['inputFormat'],
    verbose: has('--verbose'),
    includePartialMessages: has('--include-partial-messages'),
    includeHookEvents: has('--include-hook-events'),
    replayUserMessages: has('--replay-user-messages'),
    sessionMirror: has('--session-mirror'),
    forwardSubagentText: has('--forward-subagent-text'),
    fallbackModels: splitList(last('--fallback-model') ?? '', ','),
    continue: has('--continue'),
    forkSession: has('--fork-session'),
    persist: !has('--no-session-persistence'),
    settings: [...all('--managed-settings'), ...all('--settings')].filter((text) => text !== ''),
    skipPermissions: has('--dangerously-skip-permissions'),
    allowSkipPermissions: has('--allow-dangerously-skip-permissions'),
    allowedTools: all('--allowedTools').flatMap(splitTools),
    disallowedTools: all('--disallowedTools').flatMap(splitTools),
    addDirs: all('--add-dir'),
    mcpConfig: all('--mcp-config').filter((text) => text !== ''),
    strictMcpConfig: has('--strict-mcp-config'),
    pluginDirs: all('--plugin-dir'),
    disableSlashCommands: has('--disable-slash-commands'),
    bare: has('--bare'),
    noPermissionPrompts: last('--permission-prompts') === 'none',
    awaitInitialize: has('--await-initialize'),
    initOnly: has('--init-only'),
  };
  const set = <K extends keyof Options>(key: K, value: Options[K] | undefined): void => {
    if (value !== undefined) options[key] = value;
  };
  set('prompt', positional[0]);
  set('model', last('--model'));
  set('effort', last('--effort'));
  if (has('--init') || options.initOnly) options.setup = 'init';
  else if (has('--maintenance')) options.setup = 'maintenance';
  if (has('--resume')) options.resume = last('--resume') || true;
  set('sessionId', last('--session-id') || undefined);
  set('name', last('--name') || undefined);
  if (has('--setting-sources')) options.settingSources = splitList(last('--setting-sources') ?? '', ',');
  set('permissionMode', last('--permission-mode')?.replace(/^manual$/, 'default'));
  if (!options.noPermissionPrompts) set('permissionPromptTool', last('--permission-prompt-tool'));
  if (has('--tools')) options.tools = all('--tools').flatMap(splitTools);
  set('systemPrompt', last('--system-prompt'));
  set('systemPromptFile', last('--system-prompt-file'));
  set('appendSystemPrompt', last('--append-system-prompt'));
  set('appendSystemPromptFile', last('--append-system-prompt-file'));
  set('agents', last('--agents') || undefined);
  set('agent', last('--agent'));
  set('jsonSchema', last('--json-schema') || undefined);
  set('maxBudgetUsd', numberOf(last('--max-budget-usd')));
  // Zero means no limit.
  set('maxTurns', numberOf(last('--max-turns')) || undefined);
  set('scenario', last('--scenario'));
  set('failure', last('--failure'));
  set('claudeVersion', last('--claude-version'));
  return options;
}

/** `Bash(git *) Edit,Read` is three rules: commas and spaces separate, unless they are in parentheses. */
export function splitTools(text: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let tool = '';
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && (character === ',' || character === ' ')) {
      if (tool !== '') tools.push(tool);
      tool = '';
    } else {
      tool += character;
    }
  }
  if (tool !== '') tools.push(tool);
  return tools;
}

function splitList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The whole system prompt of the command line, files included. */
export function readSystemPrompt(options: Options): string | undefined {
  const whole = readPromptFile(options.systemPromptFile, 'System prompt');
  const appended = readPromptFile(options.appendSystemPromptFile, 'Append system prompt');
  const parts = [options.systemPrompt ?? whole, options.appendSystemPrompt ?? appended];
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join('\n\n');
}

function readPromptFile(path: string | undefined, what: string): string | undefined {
  if (path === undefined) return undefined;
  const text = readIfThere(path);
  if (text === undefined) throw new CliError(`Error: ${what} file not found: ${resolve(path)}`);
  return text;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
