import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import { bundledLicenses } from './scripts/bundled-licenses.mjs';
import { externalYaml } from './scripts/external-yaml.mjs';
import { faces } from './scripts/faces.mjs';
import { staticCores } from './scripts/static-core.mjs';

const node = { platform: 'node', target: 'node20.19', fixedExtension: false, clean: false } as const;

const licenses = bundledLicenses(fileURLToPath(new URL('dist/THIRD-PARTY-LICENSES.txt', import.meta.url)));

// A bundle starts in half the time of its modules; what only some runs need stays outside it.
const bin = {
  ...node,
  outDir: 'dist/bin',
  dts: false,
  plugins: [faces, externalYaml, licenses],
  // Node's own modules that nothing uses any more would be loaded all the same: `node:crypto` takes 4 ms.
  treeshake: { moduleSideEffects: 'no-external' as const },
  deps: {
    alwaysBundle: [
      /^zod/,
      /^yaml/,
      /^smol-toml/,
      /^commander/,
      /^diff$/,
      /^picocolors/,
      /^get-east-asian-width/,
      /^@modelcontextprotocol/,
    ],
    onlyBundle: false as const,
  },
  // The SDKs load a validator at each start, for what hardly any run does.
  alias: {
    '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('src/mcp/sdk-shims.ts', import.meta.url)),
    '@modelcontextprotocol/client/_shims': fileURLToPath(new URL('src/mcp/sdk-shims.ts', import.meta.url)),
  },
};

/**
 * Stand-ins and the loop are started hundreds of times in a run, and loading modules costs more than
 * running them: what every run of theirs needs is one CommonJS file.
 */
function quickStart(name: string, always: readonly string[] = [], some: readonly string[] = []) {
  const cores = staticCores(name, [`src/bin/${name}.ts`, ...always], some);
  return {
    ...bin,
    entry: { [name]: `src/bin/${name}.ts` },
    format: 'cjs' as const,
    minify: true,
    plugins: [faces, externalYaml, cores.plugin, licenses],
    outputOptions: { codeSplitting: { groups: cores.groups } },
  };
}

/** `npm run demo` uses the programs alone: no declarations, which take half of a build, and only its stand-in. */
const isDemo = process.env['UNDERSTUDY_BUILD'] === 'demo';

const library = [
  {
    ...node,
    entry: {
      index: 'src/index.ts',
      'assert/index': 'src/public/assert.ts',
      'checks/index': 'src/public/checks.ts',
      'model-server/index': 'src/public/model-server.ts',
      'vitest/index': 'src/vitest/index.ts',
      'vitest/play-rehearsal': 'src/vitest/play-rehearsal.ts',
      'vitest/plugin': 'src/vitest/plugin.ts',
      'vitest/setup': 'src/vitest/setup.ts',
      'workspace/index': 'src/public/workspace.ts',
    },
    outDir: 'dist',
    plugins: [faces, licenses],
    // The native compiler takes a fifth of the time.
    dts: { tsgo: { path: 'node_modules/typescript-native/bin/tsc' }, tsconfig: 'tsconfig.build.json' },
  },
];

/** What it is started with is outside: code can be taken from a cache only by code that runs before it. */
const standIn = (name: string, often: readonly string[] = []) =>
  quickStart(
    `understudy-${name}`,
    ['main', ...often].map((file) => `packages/stand-ins/src/${name}/${file}.ts`),
  );

const others = [...['opencode', 'kiro', 'codex', 'gemini'].map((name) => standIn(name)), quickStart('understudy-loop')];

/** What is started most often, or waited for. */
const COMMANDS = [
  ...['cli/check-documents', 'cli/run-rehearsals', 'cli/run-e2e', 'cli/exec-program', 'cli/inspect-plugins'],
  ...['cli/init-rehearsal', 'cli/list-agents', 'cli/serve-mcp', 'mcp/stdio', 'cli/play-scenario', 'cli/cassettes'],
  'cli/serve-pipe',
].map((file) => `src/${file}.ts`);

export default defineConfig([
  ...(isDemo ? [] : library),
  {
    // What a command needs is in few files: the command line, and what reads scenarios and rehearsals.
    ...quickStart(
      'understudy',
      ['src/cli/commands/index.ts', 'packages/script/src/load.ts', 'packages/runner/src/rehearsal/load.ts'],
      COMMANDS,
    ),
    // It keeps the name that people have in their configurations, and is CommonJS as the others. Comments stay: they
    // tell which packages are in it, for the test of their licences.
    minify: { compress: true, mangle: true, codegen: false },
    outExtensions: () => ({ js: '.js' }),
    hooks: { 'build:done': () => writeFileSync('dist/bin/package.json', '{ "type": "commonjs" }\n') },
  },
  { ...bin, entry: { yaml: 'src/bin/yaml.ts' }, format: 'cjs', minify: true },
  // Most agents use a tool, and most tools are shells.
  standIn('claude', ['tool-use/use-tool', 'tools/bash']),
  ...(isDemo ? [] : [...others, { ...bin, entry: { commonjs: 'src/bin/commonjs.ts' }, format: 'cjs' as const }]),
]);
