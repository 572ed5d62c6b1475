import { control, LIVING } from '../../packages/suites/src/drift/case.js';
import { observe } from '../../packages/suites/src/drift/observe.js';

/** What one start of the real Claude Code prints about itself: the content of packages/agents/src/claude/facts/facts.json. */
export interface ClaudeFacts {
  version: string;
  tools: string[];
  skills: string[];
  /** Slash commands that are no skills. */
  commands: string[];
  terminalCommands: string[];
  agents: string[];
  plugins: string[];
  outputStyles: string[];
  /** The full name of the model behind each short one. */
  models: Record<string, string>;
  hookEvents: { name: string; supportsMatcher: boolean }[];
  /** What `--help` lists. */
  flags: string[];
  subcommands: string[];
}

type Json = Record<string, unknown>;

export async function readClaudeFacts(command: readonly string[]): Promise<ClaudeFacts> {
  const program = { kind: 'real' as const, command: [...command] };
  const talk = [
    ...control('facts', { subtype: 'initialize' }),
    ...control('hooks', { subtype: 'get_hooks_listing' }),
    { send: { type: 'user', message: { role: 'user', content: 'hi' } } },
    { until: 'result' },
  ];
  const { events } = await observe(program, { name: 'facts', args: LIVING, talk });
  const { stdout } = await observe(program, { name: 'help', args: ['--help'] });
  const answer = (id: string): Json => {
    const found = events.map(({ response }) => response as Json | undefined).find((one) => one?.['request_id'] === id);
    if (found === undefined) throw new Error(`the CLI did not answer the request ${id}`);
    return found['response'] as Json;
  };
  const init = events.find(({ subtype }) => subtype === 'init');
  if (init === undefined) throw new Error('the CLI did not begin a session');
  const list = (name: string): string[] => init[name] as string[];
  const models = answer('facts')['models'] as { value: string; resolvedModel: string }[];
  const catalog = answer('hooks')['eventCatalog'] as ClaudeFacts['hookEvents'];
  const [options = '', commands = ''] = (stdout.split(/^Options:$/m)[1] ?? '').split(/^Commands:$/m);
  return {
    version: String(init['claude_code_version']),
    tools: list('tools'),
    skills: list('skills'),
    commands: list('slash_commands').filter((name) => !list('skills').includes(name)),
    terminalCommands: list('terminal_slash_commands'),
    agents: list('agents'),
    plugins: (init['plugins'] as { name: string }[]).map(({ name }) => name),
    outputStyles: answer('facts')['available_output_styles'] as string[],
    models: Object.fromEntries(models.map(({ value, resolvedModel }) => [value, resolvedModel])),
    hookEvents: catalog.map(({ name, supportsMatcher }) => ({ name, supportsMatcher })),
    flags: [...options.matchAll(/^ {2}(-[\w-]+(?:, -[\w-]+)*)/gm)].flatMap(([, names = '']) => names.split(', ')),
    subcommands: [...commands.matchAll(/^ {2}([a-z][\w|-]*)/gm)].flatMap(([, names = '']) => names.split('|')),
  };
}
