import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';
import { staticCore } from './scripts/static-core.mjs';

const node = { platform: 'node', target: 'node20.19', fixedExtension: false, clean: false } as const;

// A bundle starts in half the time of its modules; what only some runs need stays outside it.
const bin = {
  ...node,
  outDir: 'dist/bin',
  dts: false,
  deps: {
    alwaysBundle: [/^zod/, /^yaml/, /^smol-toml/, /^commander/, /^picocolors/, /^@modelcontextprotocol/],
    onlyBundle: false as const,
  },
  // The SDKs load a validator at each start, for what hardly any run does.
  alias: {
    '@modelcontextprotocol/server/_shims': fileURLToPath(new URL('src/mcp/sdk-shims.ts', import.meta.url)),
    '@modelcontextprotocol/client/_shims': fileURLToPath(
      new URL('src/simulator/claude/mcp/sdk-shims.ts', import.meta.url),
    ),
  },
};

const standIn = staticCore('src/bin/understudy-claude.ts');

export default defineConfig([
  {
    ...node,
    entry: {
      index: 'src/index.ts',
      'model-server/index': 'src/model-server/index.ts',
      'vitest/index': 'src/vitest/index.ts',
      'vitest/setup': 'src/vitest/setup.ts',
    },
    outDir: 'dist',
    dts: true,
  },
  {
    ...bin,
    entry: {
      understudy: 'src/bin/understudy.ts',
      'understudy-opencode': 'src/bin/understudy-opencode.ts',
      'understudy-kiro': 'src/bin/understudy-kiro.ts',
    },
  },
  {
    ...bin,
    entry: { 'understudy-claude': 'src/bin/understudy-claude.ts' },
    // The stand-in's start counts: loading modules costs more than running them, so what every run needs
    // is one CommonJS file.
    format: 'cjs',
    minify: true,
    plugins: [standIn.plugin],
    outputOptions: { codeSplitting: { groups: [{ name: 'claude-core', test: standIn.test }] } },
  },
]);
