import { type CommandTable, lastValue, type ParsedCommand, parseCommand, wrong } from '../command-line.js';

/** What a `codex mcp` was asked for. */
export type McpRequest =
  | { command: 'list'; json: boolean }
  | { command: 'get'; name: string; json: boolean }
  | { command: 'remove'; name: string }
  | { command: 'add'; name: string; url?: string; tokenVariable?: string; env: readonly string[]; words: string[] };

export type McpAsked =
  | { kind: 'mcp'; request: McpRequest; overrides: string[] }
  | { kind: 'help'; page: string; isError?: true }
  | { kind: 'refused'; what: string };

const COMMON: CommandTable['flags'] = {
  config: { short: 'c', value: 'key=value', repeated: true },
  enable: { value: 'FEATURE', repeated: true },
  disable: { value: 'FEATURE', repeated: true },
  help: { short: 'h' },
};

const MCP: CommandTable = {
  usage: 'codex mcp [OPTIONS] <COMMAND>',
  flags: COMMON,
  words: 0,
  commands: ['list', 'get', 'add', 'remove', 'login', 'logout', 'help'],
};

const OAUTH = ['oauth-client-id', 'oauth-client-secret', 'oauth-client-registration', 'oauth-resource'];

const ADD_USAGE = 'codex mcp add [OPTIONS] <NAME> (--url <URL> | -- <COMMAND>...)';

const COMMANDS: Record<McpRequest['command'], CommandTable> = {
  list: { usage: 'codex mcp list [OPTIONS]', flags: { ...COMMON, json: {} }, words: 0 },
  get: { usage: 'codex mcp get [OPTIONS] <NAME>', flags: { ...COMMON, json: {} }, words: 1 },
  remove: { usage: 'codex mcp remove [OPTIONS] <NAME>', flags: COMMON, words: 1 },
  add: {
    usage: ADD_USAGE,
    flags: {
      ...COMMON,
      env: { value: 'KEY=VALUE', repeated: true, problem: wrongVariable },
      url: { value: 'URL' },
      'bearer-token-env-var': { value: 'ENV_VAR' },
      ...Object.fromEntries(OAUTH.map((name) => [name, { value: 'TEXT' }])),
    },
    words: 1,
    takesRest: true,
  },
};

function wrongVariable(text: string): string | undefined {
  return /^[^=]+=/.test(text) ? undefined : 'environment entries must be in KEY=VALUE form';
}

/** Reads what comes after `codex mcp`. */
export function readMcpArguments(argv: readonly string[], helpPage: (table: CommandTable) => string): McpAsked {
  const outer = parseCommand(argv, MCP);
  if (outer.flags.has('help') || outer.next?.command === 'help') return { kind: 'help', page: helpPage(MCP) };
  if (outer.next === undefined) return { kind: 'help', page: helpPage(MCP), isError: true };
  const { command, argv: rest } = outer.next;
  if (!(command in COMMANDS)) return { kind: 'refused', what: `\`codex mcp ${command}\`` };
  const table = COMMANDS[command as McpRequest['command']];
  const parsed = parseCommand(rest, table);
  if (parsed.flags.has('help')) return { kind: 'help', page: helpPage(table) };
  const oauth = OAUTH.find((name) => parsed.flags.has(name));
  if (oauth !== undefined) return { kind: 'refused', what: `--${oauth}` };
  const overrides = [outer, parsed].flatMap(({ flags }) => flags.get('config') ?? []);
  return { kind: 'mcp', request: requestOf(command as McpRequest['command'], parsed), overrides };
}

function requestOf(command: McpRequest['command'], parsed: ParsedCommand): McpRequest {
  const json = parsed.flags.has('json');
  if (command === 'list') return { command, json };
  if (command === 'add') return addRequest(parsed);
  const [name] = parsed.words;
  if (name === undefined) throw missing(['<NAME>'], `codex mcp ${command} <NAME>`);
  return { command, name, json };
}

function addRequest(parsed: ParsedCommand): McpRequest {
  const [name, ...words] = parsed.words;
  const url = lastValue(parsed, 'url');
  const tokenVariable = lastValue(parsed, 'bearer-token-env-var');
  const lacking = [
    ...(url === undefined && words.length === 0 ? ['<COMMAND|--url <URL>>'] : []),
    ...(name === undefined ? ['<NAME>'] : []),
  ];
  if (name === undefined || lacking.length > 0) throw missing(lacking, ADD_USAGE);
  if (url !== undefined && words.length > 0)
    throw wrong("the argument '--url <URL>' cannot be used with '[COMMAND]...'", ADD_USAGE);
  if (url === undefined && tokenVariable !== undefined)
    throw wrong(
      'the following required argument was not provided: url',
      'codex [OPTIONS] [PROMPT]\n       codex [OPTIONS] <COMMAND> [ARGS]',
    );
  const env = parsed.flags.get('env') ?? [];
  return {
    ...{ command: 'add', name, env, words },
    ...(url === undefined ? {} : { url }),
    ...(tokenVariable === undefined ? {} : { tokenVariable }),
  };
}

function missing(names: readonly string[], usage: string): Error {
  return wrong(
    `the following required arguments were not provided:\n${names.map((name) => `  ${name}`).join('\n')}`,
    usage,
  );
}
