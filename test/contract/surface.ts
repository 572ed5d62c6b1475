import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runProgram } from '../helpers/understudy.js';
import { brief, type Contract } from './compare.js';
import { playEnds } from './ends.js';
import { readHelp, subcommandsOf } from './help.js';
import { named, side } from './lists.js';
import { withParts } from './schema-parts.js';
import { typesOf } from './types.js';

type Manifest = {
  bin: Record<string, string>;
  exports: Record<string, string | Record<string, string>>;
  engines: object;
  peerDependencies: object;
};

/** The sections that need no second package beside the first one. */
export const SURFACE = [
  'package',
  'files',
  'help',
  'exports',
  'types',
  'schemas',
  'errors',
  'mcp',
  'environment',
  'ends',
];

/** Names of variables that are ours, or of the programs and services that we speak with. */
const VARIABLE =
  /^(?:UNDERSTUDY|ANTHROPIC|API_TIMEOUT|CLAUDE|CLAUDELESS|CLICOLOR|CLOUD_ML|CODEX|DOCKER_HOST|ENABLE_TOOL|FORCE_COLOR|GEMINI|GITHUB|GOOGLE|KIRO|MCP|NO_COLOR|OPENAI|OPENCODE|OPENROUTER|OTEL|RALPH|XDG)(?:_|$)/;
const READ =
  /\bUNDERSTUDY_[A-Z0-9_]*[A-Z0-9]|(?:\??\.|\[["'`])([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b|[{,]([A-Z][A-Z0-9]*_[A-Z0-9_]+):[a-z]\w?[,}=]/g;

/** All that a user notices without playing anything long. `root` is the package, packed or about to be. */
export async function takeSurface(root: string): Promise<Contract> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const { bin, engines, peerDependencies } = manifest;
  const files = filesOf(root);
  const typed = Object.entries(manifest.exports).flatMap(([entry, to]) =>
    typeof to === 'object' && to['types'] !== undefined ? [[entry, to['types']] as const] : [],
  );
  const surface = {
    package: { bin: named(Object.keys(bin)), engines, peerDependencies },
    files: byFolder(files),
    help: await helpOf(root, bin),
    exports: await exportsOf(root, manifest.exports),
    types: typesOf(root, Object.fromEntries(typed)),
    schemas: Object.fromEntries(
      files
        .filter((file) => /^schema\/[^/]*\.json$/.test(file))
        .map((file) => [basename(file), JSON.parse(readFileSync(join(root, file), 'utf8'))]),
    ),
    errors: errorsOf(readFileSync(join(root, 'docs/errors.md'), 'utf8')),
    mcp: await mcpOf(join(root, bin['understudy'] ?? '')),
    environment: named(variablesOf(root, files)),
    ends: await playEnds(join(root, bin['understudy'] ?? '')),
  };
  return withParts(brief(surface) as Contract);
}

function filesOf(root: string): string[] {
  if (basename(dirname(root)) === 'node_modules')
    return readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' }).flatMap((entry) =>
      entry.isFile() ? join(entry.parentPath, entry.name).slice(root.length + 1) : [],
    );
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as {
    files: { path: string }[];
  }[];
  return packed?.files.map(({ path }) => path) ?? [];
}

/** Bundles have names that change with each build, and nobody can import them; decisions are read, not used. */
function byFolder(files: readonly string[]): Record<string, Record<string, string>> {
  const folders: Record<string, Record<string, string>> = {};
  for (const file of files.toSorted()) {
    if (/^dist\/.*-[\w-]{8}\.(?:js|cjs|d\.ts|css|map)$/.test(file)) continue;
    const [folder, name] = file.startsWith('decisions/')
      ? ['decisions', '(its pages)']
      : [dirname(file), basename(file)];
    folders[folder] = { ...folders[folder], [name]: 'yes' };
  }
  return folders;
}

/** The pages of all commands, and those of the programs that stand in for CLIs. */
async function helpOf(root: string, bin: Record<string, string>) {
  const understudy = [process.execPath, join(root, bin['understudy'] ?? '')];
  const pageOf = async (command: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram([...command, '--help']);
    return stdout || `${stderr.replaceAll(root, '.')}\n(exit code ${code})`;
  };
  const first = await pageOf(understudy);
  const groups = [...subcommandsOf(first), 'mcp-proxy'];
  const pages: [string, string][] = [['understudy', first]];
  await side(groups, async (name) => {
    const page = await pageOf([...understudy, name]);
    pages.push([`understudy ${name}`, page]);
    // The stand-in's own subcommands stand on its page.
    for (const below of name === 'claude' ? [] : subcommandsOf(page))
      pages.push([`understudy ${name} ${below}`, await pageOf([...understudy, name, below])]);
  });
  await side(
    Object.entries(bin).filter(([name]) => name.startsWith('understudy-')),
    async ([name, file]) => {
      const program = [process.execPath, join(root, file)];
      pages.push([name, await pageOf(program)]);
      for (const below of name === 'understudy-codex' ? ['exec'] : [])
        pages.push([`${name} ${below}`, await pageOf([...program, below])]);
    },
  );
  return Object.fromEntries(pages.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, page]) => [name, readHelp(page)]));
}

/** The conditions of each entry, and what it gives at run time. Vitest's entries can be loaded by a test alone. */
async function exportsOf(root: string, entries: Manifest['exports']) {
  const found: Record<string, unknown> = {};
  await side(Object.entries(entries), async ([entry, to]) => {
    const file = typeof to === 'string' ? to : (to['import'] ?? '');
    const conditions = typeof to === 'string' ? 'file' : Object.keys(to).join(' ');
    const path = join(root, file);
    const names = !file.endsWith('.js') ? {} : entry.startsWith('./vitest') ? exportedBy(path) : await kindsIn(path);
    found[entry] = { conditions, ...names };
  });
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function kindsIn(path: string): Promise<Record<string, string>> {
  const script = `import * as all from ${JSON.stringify(path)};
const kind = (value) => /^class\\b/.test(typeof value === 'function' ? String(value) : '') ? 'class' : typeof value;
console.log(JSON.stringify(Object.fromEntries(Object.entries(all).map(([name, value]) => [name, kind(value)]))));`;
  const { stdout, stderr } = await runProgram([process.execPath, '--input-type=module', '-e', script]);
  if (stdout === '') throw new Error(`${path} cannot be imported: ${stderr}`);
  return JSON.parse(stdout) as Record<string, string>;
}

function exportedBy(path: string): Record<string, string> {
  const list = /export \{([^}]*)\};?\s*$/.exec(readFileSync(path, 'utf8'))?.[1] ?? 'default';
  return named(list.split(',').map((one) => one.trim().replace(/^.* as /, '')));
}

function errorsOf(page: string): Record<string, string> {
  return Object.fromEntries(
    [...page.matchAll(/^\| `([A-Z_]+)` \| (.*) \|$/gm)].map(([, code = '', text = '']) => [code, text]),
  );
}

async function mcpOf(program: string) {
  const client = new Client({ name: 'contract', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, stderr: 'ignore' }),
  );
  try {
    const [{ tools }, { prompts }, { resources }, { resourceTemplates }] = await Promise.all([
      client.listTools(),
      client.listPrompts(),
      client.listResources(),
      client.listResourceTemplates(),
    ]);
    const byName = (list: readonly { name: string }[]) => Object.fromEntries(list.map((one) => [one.name, one]));
    return {
      tools: byName(tools),
      prompts: byName(prompts),
      resources: byName(resources),
      'resource templates': byName(resourceTemplates),
      capabilities: client.getServerCapabilities(),
    };
  } finally {
    await client.close();
  }
}

/** What the built files name as variables of the environment; constants of ours are none. */
function variablesOf(root: string, files: readonly string[]): Set<string> {
  const texts = files
    .filter((file) => /^dist\/(?!report\/).*\.c?js$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  const own = new Set(
    texts.flatMap((text) => [...text.matchAll(/\bconst ([A-Z][A-Z0-9_]+) =/g)].map((match) => match[1])),
  );
  const names = texts.flatMap((text) => [...text.matchAll(READ)].map(([all, read, taken]) => read ?? taken ?? all));
  return new Set(names.filter((name) => VARIABLE.test(name) && !own.has(name)));
}
