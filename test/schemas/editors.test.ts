import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runProgram } from '../helpers/understudy.js';
import { LanguageServer } from './language-server.js';

/** What editors use. They are fetched for this test alone. */
const PACKAGES = ['@taplo/cli@0.7.0', 'tombi@0.11.7', 'yaml-language-server@2.0.0'];

const scratch = createScratch('editors');
const bin = join(scratch.path, 'node_modules/.bin');

/** Why they cannot be had. */
let missing: string | undefined;

beforeAll(async () => {
  writeFileSync(join(scratch.path, 'package.json'), '{ "private": true }');
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => /^(npm_config_|NODE_EXTRA_CA_CERTS|SSL_CERT|HTTPS?_PROXY)/i.test(name) && value,
  );
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', ...PACKAGES];
  const { code, stderr } = await runProgram(install, {
    cwd: scratch.path,
    env: Object.fromEntries(inherited) as Record<string, string>,
  });
  if (code !== 0) missing = `skipped: npm cannot fetch language servers: ${stderr.split('\n')[0]}`;
  if (code !== 0 && process.env['CI'] === 'true') throw new Error(missing);
  cpSync(resolve('schema'), join(scratch.path, 'schema'), { recursive: true });
});
afterAll(() => scratch.remove());

interface Position {
  schema: string;
  /** ‸ is where somebody types, or points at. */
  toml: string;
  yaml: string;
  offers?: string;
  tells?: RegExp;
  /** The line that is wrong, from 0. */
  wrong?: number;
}

const POSITIONS: Position[] = [
  { schema: 'rehearsal', toml: 'st‸', yaml: 'st‸', offers: 'stage' },
  { schema: 'rehearsal', toml: 'stage = "‸"', yaml: 'stage: ‸', offers: 'scripted' },
  { schema: 'rehearsal', toml: '[project]\nla‸', yaml: 'project:\n  la‸', offers: 'language' },
  { schema: 'rehearsal', toml: '[[steps]]\nsend = "a"\nex‸', yaml: 'steps:\n  - send: a\n    ex‸', offers: 'expect' },
  { schema: 'scenario', toml: 'def‸', yaml: 'def‸', offers: 'default_response' },
  { schema: 'scenario', toml: '[[responses]]\nma‸', yaml: 'responses:\n  - ma‸', offers: 'max_matches' },
  { schema: 'understudy', toml: 'wor‸', yaml: 'wor‸', offers: 'workers' },
  { schema: 'workflow', toml: 'ini‸', yaml: 'ini‸', offers: 'initial' },
  { schema: 'orchestrator', toml: 'on_‸', yaml: 'on_‸', offers: 'on_agent_failure' },

  { schema: 'rehearsal', toml: 'ag‸ent = "claude"', yaml: 'ag‸ent: claude', tells: /It runs once with each/ },
  {
    schema: 'rehearsal',
    toml: '[project]\nser‸ve = true',
    yaml: 'project:\n  ser‸ve: true',
    tells: /development server/,
  },
  { schema: 'scenario', toml: 'default_‸response = "a"', yaml: 'default_‸response: a', tells: /no rule matches/ },
  { schema: 'understudy', toml: 'work‸ers = 2', yaml: 'work‸ers: 2', tells: /run at the same time/ },
  { schema: 'workflow', toml: 'fin‸al = ["a"]', yaml: 'fin‸al: [a]', tells: /the work is done/ },
  { schema: 'orchestrator', toml: 'pro‸mise = "DONE"', yaml: 'pro‸mise: DONE', tells: /a line of its own/ },

  {
    schema: 'rehearsal',
    toml: '[[steps]]\nsend = "a"\n[project]\nlanguage = "perl"',
    yaml: 'steps:\n  - send: a\nproject:\n  language: perl',
    wrong: 3,
  },
  {
    schema: 'rehearsal',
    toml: 'stage = "simulated"\n[[steps]]\nsend = "a"',
    yaml: 'stage: simulated\nsteps:\n  - send: a',
    wrong: 0,
  },
  { schema: 'scenario', toml: 'name = "a"\ndefault_answer = "b"', yaml: 'name: a\ndefault_answer: b', wrong: 1 },
  { schema: 'understudy', toml: 'stage = "sim"\nworkers = 0', yaml: 'stage: sim\nworkers: 0', wrong: 1 },
  {
    schema: 'orchestrator',
    toml: 'agents = ["claude"]\nrun = ["a"]\ntimeout_ms = "long"',
    yaml: 'agents: [claude]\nrun: [a]\ntimeout_ms: long',
    wrong: 2,
  },
];

/** Each as editors start it, and the line that names the schema. The published builds of Taplo have no language server. */
const SERVERS = {
  tombi: { command: ['tombi', 'lsp', '--offline'], language: 'toml', head: '#:schema' },
  yaml: { command: ['yaml-language-server', '--stdio'], language: 'yaml', head: '# yaml-language-server: $schema=' },
} as const;

describe.each(Object.entries(SERVERS))('%s', (name, { command, language, head }) => {
  let server: LanguageServer;
  let folder: string;

  beforeAll(async () => {
    folder = join(scratch.path, name);
    mkdirSync(folder);
    if (missing !== undefined) return;
    const settings = {
      yaml: { completion: true, hover: true, validate: true, schemaStore: { enable: false } },
    };
    server = await LanguageServer.start([join(bin, command[0]), ...command.slice(1)], folder, settings);
  });
  afterAll(() => server?.close());

  it.for(POSITIONS.map((position, index): [number, string, Position] => [index, position[language], position]))(
    'knows position %i: %s',
    async ([index, marked, { schema, offers, tells, wrong }], context) => {
      if (missing !== undefined) context.skip(missing);
      const gap = head.endsWith('=') ? '' : ' ';
      const text = `${head}${gap}../schema/${schema}.schema.json\n\n${marked}\n`;
      const at = text.indexOf('‸');
      const before = text.slice(0, Math.max(at, 0)).split('\n');
      const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
      const file = join(folder, `${index}.${language}`);
      const shown = text.replace('‸', '');
      writeFileSync(file, shown);
      server.open(file, language, shown);
      if (offers !== undefined) expect((await server.completions(file, position)).join(' ')).toContain(offers);
      if (tells !== undefined) expect(await server.hover(file, position)).toMatch(tells);
      if (wrong !== undefined) {
        const lines = (await server.diagnostics(file)).map(({ range }) => range.start.line - 2);
        expect(lines).toContain(wrong);
      }
    },
  );
});

it('Taplo finds the same errors, and none in a good file', async (context) => {
  if (missing !== undefined) context.skip(missing);
  const folder = join(scratch.path, 'taplo');
  mkdirSync(folder);
  const files = POSITIONS.flatMap(({ toml, schema, wrong }, index) =>
    wrong === undefined ? [] : [{ name: `${index}.toml`, schema, toml, line: wrong + 3 }],
  );
  const good = { name: 'good.toml', schema: 'rehearsal', toml: 'stage = "sim"\n[[steps]]\nsend = "a"' };
  for (const { name, schema, toml } of [...files, good])
    writeFileSync(join(folder, name), `#:schema ../schema/${schema}.schema.json\n\n${toml}\n`);
  const { stderr } = await runProgram([join(bin, 'taplo'), 'lint', '--colors', 'never'], { cwd: folder });
  const found = [...stderr.matchAll(/┌─ .*\/(\S+\.toml):(\d+):\d+/g)].map(([, name, line]) => `${name}:${line}`);
  // An unknown field is told where its table begins, too.
  expect(found, stderr).toEqual(expect.arrayContaining(files.map(({ name, line }) => `${name}:${line}`)));
  expect(found.filter((place) => place.startsWith(good.name))).toEqual([]);
});
