import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CodeBlock, codeBlocks, fileLinks, importsOf, moduleOf } from '../helpers/code-blocks.js';
import { notCompiled } from '../helpers/native.js';
import { type Plant, prepareRalphPy, RALPH_FAULTS } from '../helpers/ralph-py.js';
import { runProgram } from '../helpers/understudy.js';

const folder = mkdtempSync(join(tmpdir(), 'understudy-packed-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The package as its users have it. */
const installed = join(folder, 'node_modules/agent-understudy');
/** What npx starts; npm itself takes longer. */
const understudy = join(folder, 'node_modules/.bin/understudy');

/** npm, or a program that uses it, with the machine's own settings: it has to reach the registry. */
function withNpm(...command: string[]) {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => /^(npm_config_|NPM_CONFIG_|NODE_EXTRA_CA_CERTS|SSL_CERT|HTTPS?_PROXY)/i.test(name) && value,
  );
  return runProgram(command, { cwd: folder, env: Object.fromEntries(inherited) as Record<string, string> });
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packed = await withNpm(process.execPath, resolve('scripts/pack-package.mjs'), folder);
  expect(packed.code, packed.stderr).toBe(0);
  const tarball = join(folder, packed.stdout.trim());
  const done = await withNpm('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball);
  expect(done.code, done.stderr).toBe(0);
  // What a project that tests in TypeScript has beside it.
  for (const name of ['vitest', 'typescript', '@types/node']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(resolve('node_modules', name), link);
  }
});

it('names the compiled stand-ins of every platform in its own version, and is installed without those that are missing', () => {
  const { version, optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    version: string;
    optionalDependencies: Record<string, string>;
  };
  const compiled = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@agent-understudy/'));
  expect(compiled).toHaveLength(6);
  expect(new Set(compiled.map(([, wanted]) => wanted))).toEqual(new Set([version]));
});

it('gives a working npx agent-understudy in an empty folder', async () => {
  writeFileSync(
    join(folder, 'hello.toml'),
    '[[responses]]\npattern = { type = "regex", pattern = "^hi (.*)" }\nresponse = "Hello {{1}}."\n',
  );
  const played = await runProgram(['npx', '--no-install', 'understudy', 'play', 'hello.toml'], {
    cwd: folder,
    input: 'hi you\n',
  });
  expect(played).toMatchObject({ code: 0, stdout: expect.stringContaining('Hello you.') });
  // As MCP clients start it: by the name of the package.
  const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };
  const named = await runProgram(['npx', '--no-install', `agent-understudy@${version}`, '--version'], { cwd: folder });
  expect(named).toMatchObject({ code: 0, stdout: `${version}\n` });
  const bad = await runProgram([understudy, 'check', 'none.toml'], { cwd: folder });
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('FILE_NOT_FOUND') });
});

it('uses compiled stand-ins of the same version, and no others', async ({ skip }) => {
  if (notCompiled !== undefined) skip(notCompiled);
  const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { version: string };
  const name = `@agent-understudy/native-${process.platform}-${process.arch}`;
  const native = join(folder, 'node_modules', name);
  mkdirSync(native, { recursive: true });
  symlinkSync(resolve('dist/native/understudy-stand-ins'), join(native, 'understudy-stand-ins'));
  const standIns = async (): Promise<string> => {
    // Without CLIs, which would all be asked for their versions.
    const env = { UNDERSTUDY_STORE: join(folder, 'store') };
    const { stdout } = await runProgram([understudy, 'doctor'], { cwd: folder, env });
    return stdout.split('\n').find((line) => line.includes('stand-ins')) ?? '';
  };
  writeFileSync(join(native, 'package.json'), JSON.stringify({ name, version: '0.0.1' }));
  expect(await standIns()).toContain(`not compiled: ${name} is 0.0.1, not ${version}`);
  writeFileSync(join(native, 'package.json'), JSON.stringify({ name, version }));
  expect(await standIns()).toContain('compiled, from their package');
  writeFileSync(
    join(folder, 'native.rehearsal.toml'),
    'name = "native"\n[[responses]]\npattern = { type = "any" }\nresponse = "hello"\n[[steps]]\nsend = "hi"\n[steps.expect]\nsays = "hello"\n',
  );
  const run = await runProgram([understudy, 'run', 'native.rehearsal.toml'], { cwd: folder });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
});

it('can be imported, with its schema', async () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { createSimulator } from 'agent-understudy';
import schema from 'agent-understudy/scenario.schema.json' with { type: 'json' };
const simulator = createSimulator({ responses: [{ pattern: { type: 'glob', pattern: 'a*' }, response: 'b' }] });
console.log(simulator.send('abc').text, schema.title);`,
  );
  const used = await runProgram([process.execPath, '--no-warnings', 'use.mjs'], { cwd: folder });
  expect(used).toMatchObject({ code: 0, stdout: 'b Understudy scenario\n' });
});

it('takes parts that users write outside of it, and judges in their test runner', async () => {
  for (const name of ['own-parts', 'assert'])
    cpSync(join(installed, 'examples', name), join(folder, name), { recursive: true });
  const args = ['run', 'own-parts', '--stage', 'sim', '--reporter', 'list,./own-parts/slowest.mjs=1', '-v'];
  const run = await runProgram([understudy, ...args], { cwd: folder });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/✓ step 1: house\.polite[\s\S]*2 in all/) });
  const tests = await runProgram([process.execPath, '--test', '--test-reporter=tap', 'assert/explore.test.mjs'], {
    cwd: folder,
  });
  expect(tests).toMatchObject({ code: 0, stdout: expect.stringContaining('# pass 2') });
});

it('plays a suite that users write', async () => {
  const cwd = join(folder, 'own-parts');
  const run = await runProgram([understudy, 'run', '.', '--stage', 'sim'], { cwd });
  expect(run, run.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('5 passed') });
});

const makeRalph = prepareRalphPy('the checks of ralph-py');

it.runIf(makeRalph)(
  'plays the checks of a public orchestrator, each of which can be red',
  { timeout: 240_000 },
  async () => {
    const cwd = join(folder, 'own-suite');
    cpSync(join(installed, 'examples/own-suite'), cwd, { recursive: true });
    const runWith = (name: string, plant?: Plant, ...args: string[]) => {
      const bin = makeRalph?.(join(folder, name), plant);
      return runProgram([understudy, 'run', '.', ...args], { cwd, env: { PATH: `${bin}:${process.env['PATH']}` } });
    };
    const green = await runWith('ralph');
    expect(green, green.stdout).toMatchObject({ code: 0, stdout: expect.stringContaining('7 passed') });
    for (const [index, { case: name, red, ...fault }] of RALPH_FAULTS.entries()) {
      const { code, stdout } = await runWith(`ralph-${index}`, fault, '--stage', 'sim', '--grep', name);
      expect([code, stdout]).toEqual([1, expect.stringContaining(`✗ ${red}`)]);
    }
  },
);

it('brings the files of test projects', async () => {
  writeFileSync(
    join(folder, 'project.mjs'),
    `import { createProject } from 'agent-understudy/workspace';
const { files } = createProject('board', { type: 'web-app', language: 'go', name: 'Sea Board' });
console.log(files.join(' '));`,
  );
  const made = await runProgram([process.execPath, '--no-warnings', 'project.mjs'], { cwd: folder });
  expect(made).toMatchObject({
    code: 0,
    stdout:
      '.gitignore README.md go.mod main.go server.go server_test.go static/app.js static/index.html static/styles.css store.go store_test.go\n',
  });
  expect(readFileSync(join(folder, 'board/go.mod'), 'utf8')).toMatch(/^module example\.com\/sea-board\n/);
});

it('plays agents of users, whose modules import it', async () => {
  const examples = join(folder, 'agents');
  cpSync(join(installed, 'examples/agents'), examples, { recursive: true });
  const run = await runProgram([understudy, 'run', '.'], { cwd: join(examples, 'tiny') });
  expect(run.stdout, run.stderr).toContain('1 passed');
  const check = await runProgram([understudy, 'check', '.'], { cwd: join(examples, 'grok-build') });
  expect(check, check.stderr).toMatchObject({ code: 0 });
});

const pages = () => [
  'README.md',
  ...readdirSync(join(installed, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Compiles blocks against the types of the package, and says what is wrong at which line of which page. */
async function compile(blocks: readonly CodeBlock[]): Promise<string[]> {
  const target = mkdtempSync(join(folder, 'blocks-'));
  const names = blocks.map(({ page, line }) => `${page.replace(/\W/g, '-')}-${line}.mts`);
  for (const [index, block] of blocks.entries()) writeFileSync(join(target, names[index] ?? ''), moduleOf(block));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, noUncheckedIndexedAccess: true, types: ['node'] },
    ...{ target: 'ES2023', module: 'NodeNext' },
  };
  writeFileSync(join(target, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const tsc = [process.execPath, resolve('node_modules/typescript-native/bin/tsc'), '--pretty', 'false', '-p', target];
  const { stdout } = await runProgram(tsc, { cwd: target });
  return stdout
    .split('\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => {
      const [, name = '', at = '0', problem = line] = /^(.*\.mts)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
      const block = blocks[names.indexOf(name)];
      return block === undefined ? line : `${block.page}:${block.line + Number(at) - 2}: ${problem}`;
    });
}

/** Blocks that must not compile: without them nothing shows that a wrong block is found. */
const WRONG: CodeBlock[] = [
  "import { checkNothing } from 'agent-understudy/checks';\n",
  "\nimport { x } from 'agent-understudy/nowhere';\n",
  "import { createProject } from 'agent-understudy/workspace';\ncreateProject(cwd, {});\n",
  // There is no such stage.
  "import type { Stage } from 'agent-understudy';\nexport const stage: Stage = 'rehearse';\n",
].map((code, index) => ({ page: 'wrong.md', line: 10 * (index + 1), code }));

it('compiles every block of its README and docs, and finds the wrong ones', async () => {
  const blocks = pages().flatMap((page) => codeBlocks(installed, page));
  expect(blocks.length).toBeGreaterThan(15);
  const problems = await compile([...blocks, ...WRONG]);
  expect(problems.filter((problem) => !problem.startsWith('wrong.md:'))).toEqual([]);
  expect(problems.filter((problem) => problem.startsWith('wrong.md:'))).toEqual([
    expect.stringMatching(/^wrong\.md:10: error TS\d+: .*no exported member 'checkNothing'/),
    expect.stringMatching(/^wrong\.md:21: error TS\d+: Cannot find module 'agent-understudy\/nowhere'/),
    expect.stringMatching(/^wrong\.md:31: error TS\d+: (?:Argument of type|Type) '\{\}'/),
    expect.stringMatching(/^wrong\.md:41: error TS\d+: Type '"rehearse"' is not assignable/),
  ]);
});

it('has at run time what its docs import, and every function that they call by name', async () => {
  const found = pages().flatMap((page) => codeBlocks(installed, page).flatMap(importsOf));
  // Vitest's own entry works in a test alone; its page and that of pytest name methods of fixtures and matchers.
  const imports = found.filter(({ entry }) => !entry.startsWith('agent-understudy/vitest'));
  expect(imports.length).toBeGreaterThan(20);
  const called = pages()
    .filter((page) => !['docs/vitest.md', 'docs/pytest.md'].includes(page))
    .flatMap((page) => [...readFileSync(join(installed, page), 'utf8').matchAll(/`([a-z][A-Za-z]+)\([^`\n]*`/g)])
    .map((match) => match[1] ?? '');
  expect(called).toContain('checkKeywords');
  writeFileSync(
    join(folder, 'names.mjs'),
    `const entries = {};
for (const path of ['', '/assert', '/checks', '/model-server', '/workspace']) entries['agent-understudy' + path] = await import('agent-understudy' + path);
const all = Object.assign({}, ...Object.values(entries));
console.log(JSON.stringify([
  ...${JSON.stringify(imports)}.filter(({ entry, name }) => !(name in entries[entry])).map(({ name }) => name),
  ...${JSON.stringify(called)}.filter((name) => !(name in all)),
]));`,
  );
  expect(await runProgram([process.execPath, 'names.mjs'], { cwd: folder })).toMatchObject({ code: 0, stdout: '[]\n' });
});

it('holds every file that its Markdown pages link to', () => {
  const markdown = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('node_modules'),
  );
  const links = markdown.flatMap((page) =>
    fileLinks(readFileSync(join(installed, page), 'utf8')).map((target) => ({ page, target })),
  );
  expect(links.length).toBeGreaterThan(40);
  const dead = links.filter(({ page, target }) => !existsSync(join(installed, dirname(page), target)));
  expect(dead).toEqual([]);
});
