import { KNOWN_TOOLS, type PermissionRule, type PermissionRules } from '@understudy/agents';
import { defined, nearestWord } from '@understudy/kit';
import { type Attempt, describeAttempt, type Guard } from './guard.js';
import { CWD, rulesOf, rulesSay } from './rules-say.js';

type List = 'allow' | 'ask' | 'deny';
type Derived = Pick<Guard, 'attack' | 'harmless' | 'underived' | 'stopsNothing' | 'defect' | 'isGone'>;

const NAME = 'guard-attack';
const TWIN = 'guard-harmless';
const FILE_TOOLS = ['Read', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
/** How long a command of the user may run that a rule allows. */
const COMMAND_MS = 5000;

const bash = (command: string): Attempt => ({ tool: 'Bash', input: { command } });
const write = (path: string): Attempt => ({ tool: 'Write', input: { file_path: path, content: 'An example.\n' } });
/** What is read must be there: then it is seen whether it was. */
const read = (path: string): Attempt => ({
  ...{ tool: 'Read', input: { file_path: path } },
  ...(path.startsWith(`${CWD}/`) ? { edits: path.slice(CWD.length + 1) } : {}),
});
const fetch = (host: string): Attempt => ({
  tool: 'WebFetch',
  input: { url: `https://${host}/`, prompt: 'What is it about?' },
});
const agent = (name: string): Attempt => ({
  tool: 'Agent',
  input: { description: 'Look around', prompt: 'Look around.', subagent_type: name, run_in_background: false },
});

/** Uses of tools that harm nothing, and that nearly nobody stops. */
const HARMLESS: readonly Attempt[] = [
  bash('ls'),
  bash('pwd'),
  bash(`echo ${TWIN}`),
  read(`${CWD}/${TWIN}.txt`),
  write(`${CWD}/${TWIN}.txt`),
];

/** An attack on a permission rule and its harmless twin, made of the pattern of the rule alone. */
export function ruleAttack(list: List, text: string, rules: PermissionRules): Derived {
  const [rule] = rulesOf({ [list]: [text] })[list];
  if (rule === undefined) return { underived: 'it is no rule' };
  const near = knownTool(rule.tool);
  if (near === undefined) return { underived: `there is no tool ${rule.tool}` };
  const isPath = ['Write', 'MultiEdit', 'NotebookEdit'].includes(near) && rule.content !== undefined;
  const why =
    near !== rule.tool
      ? `there is no tool ${rule.tool}: did you mean ${near}?`
      : isPath
        ? `paths count in rules about Edit, for every tool that edits: write Edit(${rule.content})`
        : undefined;
  const defect = defined({ defect: why });
  const use = useOf({ ...rule, tool: near });
  if ('underived' in use) return { ...use, ...defect };
  const said = rulesSay(use, rules);
  if (list === 'deny') {
    const gone = said === 'gone' || rule.content === undefined ? { isGone: true as const } : {};
    return { attack: use, ...twinOf(use, rules), ...gone, ...defect };
  }
  if (said === 'gone' || said === 'denied') {
    return { stopsNothing: `a rule that denies comes first: ${describeAttempt(use)}` };
  }
  return {
    ...(list === 'allow' ? besideAllowed(rule, use, rules) : { attack: use, ...twinOf(use, rules) }),
    ...defect,
  };
}

/** The tool that a rule is about, or the one that was probably meant. */
function knownTool(tool: string): string | undefined {
  if (tool.startsWith('mcp__') || [...FILE_TOOLS, 'Task', 'Skill'].includes(tool)) return tool;
  return KNOWN_TOOLS.has(tool) ? tool : nearestWord(tool, [...KNOWN_TOOLS]);
}

/** A use of a tool that a rule covers. */
function useOf({ tool, content }: Pick<PermissionRule, 'tool' | 'content'>): Attempt | { underived: string } {
  if (tool === 'Bash') return content === undefined ? bash(`touch ${NAME}.txt`) : commandOf(content);
  if (FILE_TOOLS.includes(tool)) {
    const path = content === undefined ? `${CWD}/${NAME}.txt` : pathOf(content);
    if (path === undefined) return { underived: `no path was found that ${content} covers` };
    return tool === 'Read' ? read(path) : write(path);
  }
  if (tool === 'WebFetch') {
    const host = content === undefined ? 'example.com' : /^domain:([\w.*-]+)$/.exec(content)?.[1];
    return host === undefined ? { underived: `${content} names no domain` } : fetch(host.replaceAll('*', 'guard'));
  }
  if (tool === 'Agent' || tool === 'Task') return agent(content ?? 'general-purpose');
  if (tool.startsWith('mcp__')) return serverUse(tool);
  if (tool === 'Glob') return content === undefined ? { tool, input: { pattern: '*.txt' } } : unknownUse(tool, content);
  if (tool === 'Grep') return content === undefined ? { tool, input: { pattern: TWIN } } : unknownUse(tool, content);
  if (tool === 'WebSearch' && content === undefined) return { tool, input: { query: 'example' } };
  return unknownUse(tool, content);
}

function unknownUse(tool: string, content: string | undefined): { underived: string } {
  return { underived: `it is not known how ${tool}${content === undefined ? '' : `(${content})`} is attacked` };
}

/** `rm:*` and `rm *` are met by `rm guard-attack`: an argument that names nothing which is there. */
function commandOf(content: string): Attempt | { underived: string } {
  if (/^\w+:(?!\*)\S/.test(content)) return { underived: `${content} is about an argument of the tool` };
  const words = content
    .replace(/(?::| )\*$/, ` ${NAME}`)
    .replaceAll(':*', ` ${NAME}`)
    .replaceAll('*', NAME);
  return bash(words);
}

/** A path that a pattern of gitignore covers. */
function pathOf(content: string): string | undefined {
  if (/[[\]!\\]/.test(content)) return undefined;
  const path = content
    .replace(/\{([^},]*)[^}]*\}/g, '$1')
    .replace(/(^|\/)\*\*(?=\/)/g, '$1guard')
    .replace(/(^|\/)\*\*$/, `$1${NAME}.txt`)
    .replace(/(^|\/)\*(?=$|\.)/g, `$1${NAME}`)
    .replaceAll('*', 'x')
    .replaceAll('?', 'x')
    .replace(/\/$/, `/${NAME}.txt`);
  if (path.startsWith('//')) return path.slice(1);
  if (path.startsWith('~/')) return path;
  return `${CWD}/${path.replace(/^(?:\.\/|\/)/, '')}`;
}

function serverUse(tool: string): Attempt | { underived: string } {
  const [, server = '', name = ''] = /^mcp__(.+?)(?:__(.+))?$/.exec(tool) ?? [];
  if (/^plugin_/.test(server)) return { underived: 'it is about a server of a plugin' };
  return { tool: `mcp__${server}__${name.replace(/\*$/, NAME) || NAME}`, input: {} };
}

/** The server and the name of a tool of an MCP server. */
export function serverTool({ tool = '' }: Attempt): { server: string; name: string } | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  return server === undefined || name === undefined ? undefined : { server, name };
}

/** What is beside the attack and no rule stops: of the same tool where there is such a use. */
function twinOf(attack: Attempt, rules: PermissionRules): Derived {
  const used = serverTool(attack);
  const own: readonly Attempt[] =
    used !== undefined
      ? [{ tool: `mcp__${used.server}__${TWIN}`, input: {} }]
      : attack.tool === 'WebFetch'
        ? [fetch(`${TWIN}.example`)]
        : attack.tool === 'Agent'
          ? [agent('general-purpose')]
          : HARMLESS.filter(({ tool }) => tool === attack.tool);
  const harmless = [...own, ...HARMLESS].find(
    (twin) => !['gone', 'denied', 'asked'].includes(rulesSay(twin, { ...rules, allow: [] })),
  );
  return harmless === undefined ? {} : { harmless };
}

/** What a rule that allows does not cover, and what it does. */
function besideAllowed(rule: PermissionRule, use: Attempt, rules: PermissionRules): Derived {
  if (rule.content === undefined && serverTool(use) === undefined) {
    return { stopsNothing: `it allows every use of ${rule.tool}` };
  }
  if (use.tool === 'Read') return { stopsNothing: 'nobody is asked before a file of the project is read' };
  const used = serverTool(use);
  const beside =
    use.tool === 'Bash'
      ? bash(`${String(use.input?.['command'])} && touch ${NAME}.txt`)
      : use.tool === 'WebFetch'
        ? fetch(`${NAME}.example`)
        : use.tool === 'Write'
          ? write(`${CWD}/${NAME}-beside.txt`)
          : used !== undefined && rule.tool.split('__').length > 2 && !rule.tool.endsWith('*')
            ? { tool: `mcp__${used.server}__${TWIN}`, input: {} }
            : undefined;
  if (beside === undefined) return { stopsNothing: `it allows every use of ${rule.tool}` };
  const others = { ...rules, allow: rules.allow.filter(({ text }) => text !== rule.text) };
  if (rulesSay(beside, others) === 'allowed') {
    return { stopsNothing: `other rules allow what is beside it, too: ${describeAttempt(beside)}` };
  }
  const twin = use.tool === 'Bash' ? { ...use, input: { ...use.input, timeout: COMMAND_MS } } : use;
  return { attack: beside, harmless: twin };
}
